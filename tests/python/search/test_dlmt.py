"""DLMT: what it finds, what it keeps of its steps, how it is steered, and what it refuses."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.search.constraint import Constraint
from fettle.search.dlmt import Dlmt
from fettle.search.dlmt_step import Decision, Step
from fettle.search.listed_space import ListedSpace
from fettle.search.parameter import Parameter
from fettle.search.space import Point, Space

LEVELS = tuple(round(0.2 * i - 1, 1) for i in range(11))
PAPER = Space([Parameter(f"x{i}", LEVELS) for i in (1, 3, 5, 7, 8)])
SMALL = Space([Parameter(f"x{i}", (-1.0, -0.5, 0.0, 0.5, 1.0)) for i in (1, 3, 5, 7, 8)])
MODEL = "y ~ x1 + x3 + x5 + x7 + x8 + x8^2 + x1:x3"


def equation_2(point: Point) -> float:
    x = {name: float(str(value)) for name, value in point.items()}
    return (
        -1.5 * x["x1"] + 1.3 * x["x3"] + 3.1 * x["x5"] - 1.4 * x["x7"] + 1.35 * x["x8"] ** 2
    ) + 1.6 * x["x1"] * x["x3"]


def run(strategy: Dlmt, measure=equation_2) -> list[tuple[Point, float]]:
    history: list[tuple[Point, float]] = []
    while (point := strategy.ask()) is not None:
        history.append((point, measure(point)))
        strategy.tell(*history[-1])
    return history


def test_the_papers_function_is_minimised_in_twelve_measurements_and_a_few() -> None:
    rng = np.random.default_rng(1)
    strategy = Dlmt(PAPER, 1, 60, formula=MODEL, runs=1.5)
    history = run(strategy, lambda point: equation_2(point) + float(rng.normal(0, 0.05)))
    best = min(history, key=lambda pair: pair[1])[0]
    least = -1.5 - 1.3 - 3.1 - 1.4 - 1.6
    assert equation_2(best) <= least + 0.06
    assert len(strategy.steps_taken[0].measured) == 12
    assert len({tuple(point.values()) for point, _ in history}) == len(history)


def test_every_step_keeps_and_prints_its_tables() -> None:
    strategy = Dlmt(SMALL, 2, 60, formula=MODEL)
    run(strategy)
    first = strategy.steps_taken[0]
    text = str(first)
    assert "Type II" in text and "Pr(>F)" in text and "***" in text
    assert "Pr(>|t|)" in text and "x1:x3" in text
    assert "Predicted best: x1 = 1.0" in text
    assert "Decided: " in text
    fixed = [name for step in strategy.steps_taken for name in step.decision.keep]
    assert sorted(fixed) == ["x1", "x3", "x5", "x7", "x8"]


def test_a_user_steers_what_is_kept_and_which_model_follows() -> None:
    seen: list[Step] = []

    def decide(step: Step) -> Decision | None:
        seen.append(step)
        if step.number == 1:
            return Decision({"x5": (-1.0,), "x7": (0.5, 1.0)}, formula=step.formula.only(["x7"]))
        return Decision(stop=True)

    strategy = Dlmt(SMALL, 3, 60, formula=MODEL, enough=0, decide=decide)
    run(strategy)
    assert len(seen) == 2
    assert seen[0].decision.keep and seen[0].decision != strategy.steps_taken[0].decision
    assert str(seen[1].formula) == "y ~ x7"
    assert seen[1].candidates == 5 * 5 * 2 * 5
    assert {point["x5"] for point in seen[1].measured} == {-1.0}


def test_included_points_are_measured_and_excluded_ones_are_not() -> None:
    middle: Point = dict.fromkeys(("x1", "x3", "x5", "x7", "x8"), 0.0)
    strategy = Dlmt(SMALL, 4, 50, include=[middle], exclude=lambda point: point["x5"] == -1.0)
    points = [point for point, _ in run(strategy)]
    assert points[0] == middle
    assert all(point["x5"] != -1.0 for point in points)


def test_failed_points_are_made_up_for() -> None:
    def measure(point: Point) -> float:
        return math.nan if point["x1"] == 1.0 else equation_2(point)

    history = run(Dlmt(SMALL, 5, 80, formula=MODEL), measure)
    good = [value for _, value in history if math.isfinite(value)]
    # The least value with x1 = 0.5, the next level.
    assert min(good) == pytest.approx(-7.35)


def test_nothing_works_and_it_ends() -> None:
    space = Space([Parameter("a", (1, 2, 3)), Parameter("b", ("x", "y"))])
    assert len(run(Dlmt(space, 1), lambda point: math.inf)) == 6


def test_constraints_and_categories() -> None:
    space = Space(
        [Parameter("a", (1, 2, 4, 8)), Parameter("b", ("x", "y", "z")), Parameter("c", (0, 1, 2))],
        [Constraint(("a", "c"), lambda a, c: a * c <= 8, "a times c is at most 8")],
    )
    cost = {"x": 2.0, "y": 1.0, "z": 3.0}
    history = run(
        Dlmt(space, 1, 25),
        lambda point: cost[str(point["b"])] * (1 + 1 / int(str(point["a"])) + int(str(point["c"]))),
    )
    assert min(history, key=lambda pair: pair[1])[0] == {"a": 8, "b": "y", "c": 0}


def test_categories_that_occur_together_are_searched_as_one() -> None:
    words = ("no", "yes", "absent")
    parameters = [Parameter("a", words), Parameter("b", words), Parameter("n", tuple(range(8)))]
    both = [("absent", "absent"), ("no", "no"), ("no", "yes"), ("yes", "no"), ("yes", "yes")]
    points = [{"a": a, "b": b, "n": n} for a, b in both for n in range(8)]
    history = run(
        Dlmt(ListedSpace(parameters, points), 1, 20),
        lambda point: 9.0 - int(point["n"]) + (point["a"] == "absent"),
    )
    assert min(value for _, value in history) == 2.0


def test_the_same_seed_asks_for_the_same_points() -> None:
    assert run(Dlmt(SMALL, 6, 30)) == run(Dlmt(SMALL, 6, 30))


@pytest.mark.parametrize(
    ("budget", "options", "names"),
    [
        (60, {"formula": "y ~ x1 + x9"}, "'x9', which the space does not have"),
        (5, {"formula": MODEL}, "budget of 5 .* 8 coefficients"),
        (60, {"runs": 0.5}, "runs is 0.5"),
        (60, {"ordered": ["q"]}, "ordered names 'q'"),
    ],
)
def test_bad_input_is_named(budget: int, options: dict[str, object], names: str) -> None:
    with pytest.raises(FettleError, match=names):
        Dlmt(PAPER, 1, budget, **options)  # type: ignore[arg-type]


def test_factors_of_one_level_are_no_search() -> None:
    with pytest.raises(FettleError, match="one level only"):
        Dlmt(Space([Parameter("a", (1,))]), 1)


LAPLACIAN_MODEL = (
    "time_per_pixel ~ y_component_number + 1/y_component_number + load_overlap + temporary_size"
    " + vector_length + lws_y + 1/lws_y + elements_number + 1/elements_number"
    " + threads_number + 1/threads_number"
)


def test_the_laplacian_kernel_of_the_paper(published: Callable[..., Path]) -> None:
    from fettle.search.table import measured_table

    table = measured_table(published("laplacian_k40c", "search_space.csv.xz"))
    for seed in range(2):
        history = run(Dlmt(table.space, seed, 125, formula=LAPLACIAN_MODEL), table.measure)
        assert min(value for _, value in history) <= 1.02 * table.best
        assert len(history) <= 56
