"""The numbers of a report, against hand-made tables whose answers are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.data.score import share_of_best
from fettle.data.summary import summarise

INF = math.inf
COSTS = [
    [1.0, 2.0, 4.0],  # best a
    [3.0, 1.0, INF],  # best b
    [2.0, 2.0, 1.0],  # best c
    [1.0, 1.0, 5.0],  # a and b tie
]
NAMES = ("a", "b", "c")


def test_shares_of_a_known_table() -> None:
    shares = share_of_best(COSTS)
    assert shares.tolist() == [[1, 0.5, 0.25], [1 / 3, 1, 0], [0.5, 0.5, 1], [1, 1, 0.2]]


def test_tuned_and_fixed_scores() -> None:
    summary = summarise(COSTS, [0, 0, 2, 1], NAMES, ["w", "x", "y", "z"])
    assert summary.tuned.mean == pytest.approx((1 + 1 / 3 + 1 + 1) / 4)
    assert summary.tuned.worst == pytest.approx(1 / 3)
    assert summary.tuned.accuracy == 0.75
    assert [score.name for score in summary.fixed] == ["a", "b", "c"]
    assert summary.fixed[1].mean == pytest.approx((0.5 + 1 + 0.5 + 1) / 4)
    assert summary.fixed[2].worst == 0
    assert summary.fixed[0].accuracy == 0.5
    assert summary.best_fixed.name == "b"
    assert summary.net is None
    assert summary.line() == (
        "share of best: mean 0.8333 p5 0.4333 worst 0.3333 accuracy 0.7500 n 4"
    )


def test_a_tie_is_no_mistake() -> None:
    for choice in (0, 1):
        summary = summarise(COSTS[3:], [choice], NAMES)
        assert summary.tuned.accuracy == 1
        assert summary.wrong == ()
        assert summary.best.tolist() == [choice]


def test_wrong_choices_come_dearest_first() -> None:
    summary = summarise(COSTS, [1, 2, 0, 2], NAMES, ["w", "x", "y", "z"])
    assert [wrong.input for wrong in summary.wrong] == ["x", "z", "w", "y"]
    assert str(summary.wrong[0]) == "chosen c, best b, which failed"
    assert str(summary.wrong[1]) == "chosen c, best a, 5.00x slower"


def test_confusion_counts_every_input_and_explains_the_loss() -> None:
    summary = summarise(COSTS, [1, 2, 0, 2], NAMES)
    assert summary.confusion.count.sum() == 4
    assert summary.confusion.count[1, 2] == 1
    assert summary.confusion.lost.sum() == pytest.approx(1 - summary.tuned.mean)


def test_overhead_is_spread_over_the_calls() -> None:
    once = summarise(COSTS[:1], [0], NAMES, overhead=1.0)
    often = summarise(COSTS[:1], [0], NAMES, overhead=[1.0], calls=100)
    assert once.net is not None and once.net.mean == pytest.approx(0.5)
    assert often.net is not None and often.net.mean == pytest.approx(1 / 1.01)
    assert once.tuned.mean == 1
    assert "mean 0.5000" in once.line()


def test_overhead_is_charged_to_the_right_input() -> None:
    costs = [[INF, INF], [1.0, 2.0], [1.0, 4.0]]
    summary = summarise(costs, [0, 0, 0], ("a", "b"), ["none", "x", "y"], overhead=[9.0, 0.0, 1.0])
    assert summary.left_out == ("none",)
    assert summary.inputs == ("x", "y")
    assert summary.net is not None
    assert summary.net.mean == pytest.approx(0.75)


def test_one_input_and_one_variant() -> None:
    summary = summarise([[0.25]], [0], ["only"])
    assert summary.tuned == summary.tuned.__class__("tuned", 1, 1, 1, 1)
    assert summary.best_fixed.name == "only"


def test_many_inputs_agree_with_the_loop() -> None:
    random = np.random.default_rng(3)
    costs = random.lognormal(size=(500, 7))
    costs[random.random(costs.shape) < 0.2] = INF
    costs[:, 0] = 1.0
    choices = random.integers(0, 7, 500)
    summary = summarise(costs, choices, [f"v{k}" for k in range(7)])
    shares = [min(row) / row[choice] for row, choice in zip(costs.tolist(), choices, strict=True)]
    assert summary.tuned.mean == pytest.approx(sum(shares) / 500)
    assert summary.tuned.worst == 0
    assert len(summary.wrong) == round(500 * (1 - summary.tuned.accuracy))


@pytest.mark.parametrize(
    ("costs", "choices", "message"),
    [
        ([[1.0, 0.0]], [0], "cost of variant 'b' on input '0' is 0.0"),
        ([[1.0, math.nan]], [0], "cost of variant 'b' on input '0' is nan"),
        ([[1.0, -2.0]], [0], "costs are positive"),
        ([[1.0]], [0], "shape"),
        ([[1.0, 2.0]], [2], "choice for input '0' is 2"),
        ([[1.0, 2.0]], [-1], "choice for input '0' is -1"),
        ([[1.0, 2.0]], [0.5], "one variant index"),
        ([[1.0, 2.0]], [0, 1], "one variant index"),
        ([[INF, INF]], [0], "nothing to judge"),
    ],
)
def test_what_is_no_table_is_refused(
    costs: list[list[float]], choices: list[float], message: str
) -> None:
    with pytest.raises(FettleError, match=message):
        summarise(costs, choices, ("a", "b"))


@pytest.mark.parametrize(("overhead", "calls"), [(-1.0, 1), (INF, 1), ([1.0, 2.0], 1), (1.0, 0)])
def test_a_wrong_overhead_is_refused(overhead: float | list[float], calls: int) -> None:
    with pytest.raises(FettleError, match=r"overhead|calls"):
        summarise([[1.0, 2.0]], [0], ("a", "b"), overhead=overhead, calls=calls)


def test_a_slowdown_has_its_spread() -> None:
    costs = np.array([[1.0, 2.0], [1.0, 3.0]])
    known = summarise(costs, [1, 0], ("a", "b"), spread=np.array([[0.03, 0.04], [0.0, 0.0]]))
    [wrong] = known.wrong
    assert wrong.spread == pytest.approx(0.1)
    assert wrong.times() == "2.00x ±0.10"
    [unknown] = summarise(costs, [1, 0], ("a", "b")).wrong
    assert unknown.times() == "2.00x"


@pytest.mark.filterwarnings("error")
def test_the_slowdown_of_a_failed_choice_has_no_spread() -> None:
    spread = np.array([[0.1, 0.1, 0.1], [0.1, 0.0, 0.0]])
    (wrong,) = summarise(COSTS[:2], [0, 2], NAMES, spread=spread).wrong
    assert math.isinf(wrong.slowdown)
    assert math.isnan(wrong.spread)
    assert str(wrong) == "chosen c, best b, which failed"
