"""What the tuner asks for, as the program reads it."""

from __future__ import annotations

from typing import Any

import pytest

from fettle.core.errors import FettleError
from fettle.training.request import Measuring, Request


def test_names_are_percent_encoded() -> None:
    request = Request("f g", "a=1,b %.mtx", first_call=3, skip=("x,y", "z"), best_seconds=1e-4)
    assert request.text() == (
        "function=f%20g mode=measure first_call=3 skip=x%2Cy,z best_s=0.0001 "
        "input=a%3D1%2Cb%20%25.mtx"
    )


def test_only_options_that_were_set_are_sent() -> None:
    text = Request("f", "i", "features", measuring=Measuring(race=False, budget_s=2.5)).text()
    assert text == "function=f mode=features first_call=0 input=i budget_s=2.5 race=0"


def test_a_comparison_names_the_models() -> None:
    request = Request("f", "i", "compare", candidate="/a b/new", deployed="/m/f", charge=True)
    assert request.text() == (
        "function=f mode=compare first_call=0 candidate=/a%20b/new deployed=/m/f charge=1 input=i"
    )


def test_the_environment_names_the_log() -> None:
    variables = Request("f", "i").environment("/tmp/log")
    assert variables["FETTLE_TRAINING_LOG"] == "/tmp/log"
    assert variables["FETTLE_TRAINING"].startswith("function=f ")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"sample_s": -1}, "sample_s must be a number >= 0, not -1"),
        ({"maximum_samples": 2.5}, "maximum_samples must be a whole number from 1 on, not 2.5"),
        ({"max_calls": 0}, "max_calls must be a whole number from 1 on, not 0"),
        ({"confidence": 95}, "confidence must be a number between 0 and 1, not 95"),
        ({"race": "no"}, "race must be True or False, not 'no'"),
        (
            {"minimum_samples": 5, "maximum_samples": 2},
            "minimum_samples is 5, more than maximum_samples, 2",
        ),
    ],
)
def test_impossible_options_are_refused(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(FettleError, match=f"Measuring: {told}"):
        Measuring(**wrong)
