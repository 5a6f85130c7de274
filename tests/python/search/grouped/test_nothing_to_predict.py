"""Whether a partition has anything to predict: one value that is always the best, or nearly so."""

from __future__ import annotations

import pytest

from fettle.core.errors import FettleError
from fettle.search.grouped import Example, nothing_to_predict


def example(name: str, **times: float) -> Example:
    return Example(name, {"size": 1.0}, dict(times))


def test_one_value_that_is_always_the_best_is_named_with_the_gap() -> None:
    examples = [example("a", vector=1.0, plain=2.0), example("b", vector=1.03, plain=1.0)]
    assert nothing_to_predict("loading", examples) == (
        "nothing to predict: loading='vector' takes at most 3 % longer than the best on each of 2 "
        "kernels; the next, 'plain', reaches 0.750 of it on the mean"
    )
    assert nothing_to_predict("loading", examples, within=0.02) is None


def test_values_that_win_in_turn_are_worth_predicting() -> None:
    examples = [example("a", vector=1.0, plain=2.0), example("b", vector=1.2, plain=1.0)]
    assert nothing_to_predict("loading", examples) is None
    failing = [example("a", vector=1.0, plain=2.0), example("b", vector=float("inf"), plain=1.0)]
    assert nothing_to_predict("loading", failing, within=0.4) is None


def test_a_single_value_and_no_kernels() -> None:
    only = nothing_to_predict("loading", [example("a", plain=2.0)])
    assert only is not None
    assert only.endswith("on each of 1 kernel")
    with pytest.raises(FettleError, match="no kernels were given"):
        nothing_to_predict("loading", [])
