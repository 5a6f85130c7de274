"""Gains: how sure they are, and on which inputs they are measured."""

from __future__ import annotations

import math

import pytest

from fettle.core.errors import FettleError
from fettle.store.subject import Offer
from fettle.training.comparing import Comparing, spread
from fettle.training.decision import is_surely_better
from fettle.training.gain import Ratio, gain_of

SECONDS = Offer(("a",), (), "a", "s", False, {})
STEADY = [1.0, 1.001, 0.999, 1.0, 1.002]
NOISY = [1.0, 1.2, 0.8, 1.1, 0.9]


def slower(factor: float, samples: list[float]) -> Ratio:
    return Ratio.of([([factor * value for value in samples], samples)], SECONDS)


def test_a_gain_is_a_geometric_mean_with_its_extremes_and_an_interval_over_inputs() -> None:
    gain = gain_of([slower(4.0, STEADY), slower(1.0, STEADY), slower(0.5, STEADY)])
    assert gain.mean == pytest.approx(2 ** (1 / 3))
    assert (gain.least, gain.greatest) == (pytest.approx(0.5), pytest.approx(4.0))
    # Student's t with two degrees of freedom: 4.3027 standard errors.
    error = math.log(2) * math.sqrt(((2 - 1 / 3) ** 2 + (1 / 3) ** 2 + (4 / 3) ** 2) / 2 / 3)
    assert math.log(gain.high / gain.mean) == pytest.approx(4.30265 * error, rel=1e-4)
    assert math.log(gain.mean / gain.low) == pytest.approx(4.30265 * error, rel=1e-4)
    assert math.isnan(gain_of([slower(2.0, STEADY)]).low)


def test_a_gain_on_one_input_of_many_is_sure_where_samples_agree() -> None:
    others = [slower(1.0, STEADY) for _ in range(9)]
    assert is_surely_better(gain_of([slower(1.5, STEADY), *others]))
    assert not is_surely_better(gain_of([slower(1.05, STEADY), *others])), "half a per cent"
    noisy = [slower(1.0, NOISY) for _ in range(9)]
    assert not is_surely_better(gain_of([slower(1.5, NOISY), *noisy]))
    assert is_surely_better(gain_of([slower(1.5, NOISY) for _ in range(10)]))


def test_samples_that_are_too_few_to_tell_their_spread_prove_nothing_alone() -> None:
    few = [Ratio.of([([factor], [1.0])], SECONDS) for factor in (1.5, 1.0, 1.0, 1.0)]
    assert not is_surely_better(gain_of(few))
    agreeing = [Ratio.of([([factor], [1.0])], SECONDS) for factor in (1.5, 1.4, 1.5, 1.6)]
    assert is_surely_better(gain_of(agreeing)), "the inputs agree"


def test_what_the_samples_leave_open_is_around_the_mean() -> None:
    gain = gain_of([slower(1.0, NOISY)])
    assert gain.measured_low < 0.9 < gain.mean < 1.1 < gain.measured_high
    assert gain.mean / gain.measured_low == pytest.approx(gain.measured_high / gain.mean)
    few = gain_of([Ratio.of([([factor], [1.0])], SECONDS) for factor in (1.5, 1.0)])
    assert few.measured_high == few.mean, "samples of one each do not say that they disagree"


def test_calls_of_an_input_count_as_one() -> None:
    calls = [([2.0, 2.0], [1.0, 1.0]), ([8.0, 8.0], [1.0, 1.0])]
    assert math.exp(Ratio.of(calls, SECONDS).log) == pytest.approx(4.0)


def test_larger_metrics_may_be_better() -> None:
    rate = Offer(("a",), (), "a", "returned", True, {})
    assert math.exp(Ratio.of([([2.0], [3.0])], rate).log) == pytest.approx(1.5)


def test_few_of_many_inputs_are_from_all_over_the_range() -> None:
    assert spread(range(5), 20) == [0, 4, 3, 2, 1]
    assert sorted(spread(range(100), 5)) == [0, 25, 50, 74, 99]
    assert spread(range(9), 20)[:5] == [0, 8, 5, 3, 6]
    assert spread([7], 20) == [7]
    assert spread([], 20) == []
    assert spread(range(100), 1) == [0]
    assert all(len(set(spread(range(n), n))) == n for n in range(30))


def test_a_comparison_needs_an_input() -> None:
    with pytest.raises(FettleError, match="Comparing: inputs must be at least 1, not 0"):
        Comparing(inputs=0)
    with pytest.raises(FettleError, match="Comparing: worth must be a number >= 0, not -1"):
        Comparing(worth=-1)
