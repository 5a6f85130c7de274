"""The clocks of `tune_frequency`: which are taken, and what is refused with a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from fettle.core.errors import FettleError
from fettle.training.frequency import Frequency, frequency_of


def test_clocks_keep_their_order_and_may_come_from_any_iterable() -> None:
    assert frequency_of([875, 562]) == Frequency((875, 562), "joint", False)
    assert frequency_of(iter((562,)), "two", deploy=True) == Frequency((562,), "two", True)


def test_the_device_may_be_asked_for_its_clocks() -> None:
    assert frequency_of("auto").clocks == "auto"


@pytest.mark.parametrize("clocks", [[], [562, 562], [0], [-562], [562.0], [True], ["562"]])
def test_clocks_that_are_not_different_whole_numbers_are_refused(clocks: list[Any]) -> None:
    with pytest.raises(FettleError, match="takes different whole numbers of MHz") as refused:
        frequency_of(clocks)
    assert repr(clocks) in str(refused.value)


def test_another_word_than_auto_is_refused() -> None:
    with pytest.raises(FettleError, match=r"takes 'auto' or a list of MHz.* not 'all'"):
        frequency_of("all")


def test_models_are_joint_or_two() -> None:
    with pytest.raises(FettleError, match="models is 'joint' or 'two', not 'three'"):
        frequency_of([562], "three")  # type: ignore[arg-type]
