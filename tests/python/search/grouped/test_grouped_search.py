"""Grouped search: which points it goes to, what it finds, budgets, resume, what is refused."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stencil_model import LOADING, Stencil, spec_named, stencil_space, stencils

sys.path.insert(0, str(Path(__file__).parent.parent))
from search_objectives import asked, constrained_space, cost, quadratic, quadratic_space

from fettle.cli import main
from fettle.core.errors import FettleError
from fettle.search.grouped import (
    Grouped,
    Specification,
    expert,
    parse_specification,
    random_sample,
)
from fettle.search.parameter import Parameter
from fettle.search.points import points_of
from fettle.search.registry import make_strategy
from fettle.search.run import search
from fettle.search.space import Point, Space

KERNEL = Stencil("star_XYZ_2", (2, 2, 2), 13)


def run(spec: Specification, **options: Any) -> list[tuple[Point, float]]:
    space = stencil_space()
    return asked(Grouped(space, 0, spec=spec, **options), space, KERNEL.time)


def test_groups_are_tried_whole_one_after_the_other() -> None:
    space = quadratic_space()
    spec = parse_specification("set x = 0, y = 0\ntune z\ntune y where y != 2\ntune x y sample 5")
    history = [point for point, _ in asked(Grouped(space, 3, spec=spec), space, quadratic)]
    assert [(p["x"], p["y"], p["z"]) for p in history[:7]] == [(0, 0, z) for z in range(7)]
    # What is known already is not asked for again.
    assert [(p["x"], p["y"], p["z"]) for p in history[7:14]] == [
        (0, y, 4) for y in (1, 3, 4, 5, 6, 7, 8)
    ]
    assert len(history) == 19
    assert all(point["z"] == 4 for point in history[14:])


def test_separable_costs_are_solved_in_one_pass() -> None:
    space = quadratic_space()
    spec = Specification().tune("x").tune("y").tune("z")
    result = search(space, quadratic, Grouped(space, 1, spec=spec, repetitions=0))
    assert result.best_point == {"x": 7, "y": 2, "z": 4}
    assert result.measurements == 11 + 8 + 6
    # A second pass tries each group beside the others' best, changes nothing and is the last.
    once, often = (
        search(space, quadratic, Grouped(space, 1, spec=spec, repetitions=r)) for r in (1, 5)
    )
    assert once.history == often.history
    assert once.history[:25] == result.history
    assert once.measurements <= 25 + 10 + 8


def test_keeping_and_first_and_later_passes() -> None:
    history = run(spec_named("optimization", 1), partition={"loading": "local"})
    values = [tuple(int(str(p[f"W{a}"])) for a in "XYZ") for p, _ in history]
    assert all(p["CX"] == p["CY"] == p["CZ"] == 1 for p, _ in history[:60])
    assert {math.prod(w) for w in values[:10]} != {values[0]}
    hybrid = run(spec_named("hybrid", 0), partition={"loading": "local"})
    by_dimension = run(spec_named("dimension", 0), partition={"loading": "local"})
    assert hybrid[: len(by_dimension)] == by_dimension
    best = min(by_dimension, key=lambda one: one[1])[0]
    size = math.prod(int(str(best[f"W{axis}"])) for axis in "XYZ")
    geometry = [p for p, _ in hybrid[len(by_dimension) :]]
    assert geometry
    for point in geometry:
        assert math.prod(int(str(point[f"W{axis}"])) for axis in "XYZ") == size
        assert all(point[f"C{axis}"] == best[f"C{axis}"] for axis in "XYZ")


@pytest.mark.parametrize("name", ["dimension", "optimization", "hybrid"])
def test_every_part_can_be_searched_by_every_grouping(name: str) -> None:
    for way in LOADING:
        history = run(spec_named(name), partition={"loading": way})
        assert {point["loading"] for point, _ in history} == {way}
        assert all((point["BX"] == 1) == (way != "vector") for point, _ in history)


def test_a_partition_is_all_values_one_or_several_in_order() -> None:
    spec = spec_named("hybrid", 0)
    ways = [point["loading"] for point, _ in run(spec)]
    assert list(dict.fromkeys(ways)) == list(LOADING)
    one = run(spec, partition={"loading": "image"})
    assert {point["loading"] for point, _ in one} == {"image"}
    two = run(spec, partition={"loading": ("image", "vector")})
    assert two[: len(one)] == one
    assert {point["loading"] for point, _ in two[len(one) :]} == {"vector"}
    assert run(replaced(spec), partition="loading") == run(spec)


def replaced(spec: Specification) -> Specification:
    return Specification(spec.steps, None, spec.restrictions, spec.repetitions)


def test_hybrid_beats_random_and_expert_with_far_fewer_points() -> None:
    space = stencil_space()
    ratios, shares = [], []
    for kernel in stencils()[::4]:
        hybrid = search(space, kernel.time, Grouped(space, 0, spec=spec_named("hybrid")))
        sample = search(space, kernel.time, Grouped(space, 0, spec=random_sample(1000)))
        assert sample.measurements == 1000
        ratios.append(sample.best_value / hybrid.best_value)
        shares.append(hybrid.measurements / sample.measurements)
    assert math.prod(ratios) ** (1 / len(ratios)) > 0.99
    assert max(shares) < 0.6


def test_the_expert_searches_all_that_fulfils_the_conditions() -> None:
    space = stencil_space()
    conditions = ["WX >= 8", "WY * CY <= 2", "WZ * CZ <= 2"]
    history = asked(Grouped(space, 0, spec=expert(conditions)), space, KERNEL.time)
    expected = [
        point
        for point in space
        if point["WX"] in (8, 16)
        and max(float(str(point[f"W{a}"])) * float(str(point[f"C{a}"])) for a in "YZ") <= 2
    ]
    assert [point for point, _ in history] == expected


def test_restrictions_hold_for_everything() -> None:
    spec = spec_named("hybrid").restrict("WX >= 4", "WY * WZ <= LIMIT")
    history = run(spec, constants={"LIMIT": 4})
    assert all(int(str(p["WX"])) >= 4 for p, _ in history)
    assert all(int(str(p["WY"])) * int(str(p["WZ"])) <= 4 for p, _ in history)


def test_what_can_be_measured_together_is_what_would_be_asked_for() -> None:
    space = stencil_space()
    one = run(spec_named("hybrid"))
    strategy = Grouped(space, 0, spec=spec_named("hybrid"))
    rounds, points = 0, []
    while (point := strategy.ask()) is not None:
        batch = [point, *strategy.ahead()]
        batch = list({points_of(space).key(p): p for p in batch}.values())
        for other in reversed(batch):
            strategy.tell(other, KERNEL.time(other))
        points += batch
        rounds += 1
    assert sorted(map(str, points)) == sorted(str(p) for p, _ in one)
    assert rounds < len(points) / 10


def test_a_search_goes_on_where_it_was() -> None:
    space = stencil_space()
    whole = run(spec_named("hybrid"))
    known = {tuple(point.values()): value for point, value in whole[:50]}
    rest = search(space, KERNEL.time, Grouped(space, 0, spec=spec_named("hybrid")), known=known)
    assert rest.history == whole[50:]


def test_without_a_specification_any_space_is_searched_until_the_budget() -> None:
    space = constrained_space()
    history = asked(make_strategy("grouped", space, 1), space, cost)
    assert len(history) == len(space)
    assert len(asked(make_strategy("grouped", space, 1, 20), space, cost)) == 20
    part = asked(make_strategy("grouped", space, 1, partition={"layout": "row"}), space, cost)
    assert len(part) == sum(point["layout"] == "row" for point in space)
    one = Space([Parameter("a", (1,))])
    assert len(asked(make_strategy("grouped", one, 1), one, lambda point: 1.0)) == 1
    sequences = {
        str(asked(make_strategy("grouped", quadratic_space(), s, 20), quadratic_space(), quadratic))
        for s in range(3)
    }
    assert len(sequences) == 3


@pytest.mark.parametrize("failure", [math.inf, math.nan])
def test_points_that_fail_are_passed_over(failure: float) -> None:
    space = quadratic_space()
    spec = Specification().set(x=0, y=0).tune("z").tune("y").tune("x").repeat(1)

    def partly(point: Point) -> float:
        return failure if point["y"] == 0 else quadratic(point)

    assert search(space, partly, Grouped(space, 0, spec=spec)).best_point["x"] == 7
    with pytest.raises(FettleError, match="all 25 measured points failed"):
        search(space, lambda point: failure, Grouped(space, 0, spec=spec))


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("tune WX\ntune WU", {}, "line 2: 'WU' is not a parameter; there are loading, WX"),
        ("set WX = 1\ntune WX1", {}, "line 2: 'WX1' is not a parameter; did you mean 'WX'"),
        ("set WX = 3\ntune WY", {}, "line 1: WX = 3 is none of its values, 1, 2, 4, 8, 16"),
        ("set WX = CX\ntune WY", {}, "line 1: WX = CX needs CX, which has no value yet"),
        ("set WX = best.CX\ntune WY", {}, "WX = best.CX needs CX, which has no value yet"),
        ("set WX = N\ntune WY", {}, "line 1: 'N' has 'N', which is neither a parameter nor"),
        ("tune WX where M > WX", {}, "line 1: 'M > WX' has 'M'"),
        ("tune WX where best.M > WX", {}, "has best.M, which is not a parameter"),
        ("restrict Q > 1\ntune WX", {}, "'Q > 1' has 'Q'"),
        (
            "partition loading\ntune loading",
            {},
            "'loading' splits the space, so it cannot be tuned",
        ),
        ("partition loading\nset loading = 'local'\ntune WX", {}, "it cannot be set as well"),
        ("partition way\ntune WX", {}, "partition='way' is not a parameter"),
        (
            "tune WX",
            {"partition": {"loading": "shared"}},
            "'shared' is none of its values, 'global'",
        ),
        ("tune WX", {"partition": {"loading": ()}}, "there is none of its values"),
        ("tune WX", {"partition": {"loading": "local", "WX": 1}}, "give one parameter and its"),
        ("partition loading\ntune WX", {"partition": "WY"}, "splits the space by 'loading'"),
        ("tune WX", {"constants": {"WX": 1}}, "'WX' is a constant and a parameter"),
        ("tune WX", {"repetitions": -1}, "repetitions is -1"),
    ],
)
def test_what_does_not_fit_the_space_is_named(
    text: str, options: dict[str, Any], message: str
) -> None:
    space = stencil_space()
    with pytest.raises(FettleError, match=message):
        Grouped(space, 0, spec=parse_specification(text), **options).ask()


def test_conditions_that_leave_nothing() -> None:
    space = stencil_space()
    for text, message in (
        ("set WX = 16, CX = 16\ntune WY", "no point of the search space has WX = 16, CX = 16"),
        ("restrict WX > 99\ntune WX", "no point of the search space has any values and fulfils"),
        ("tune WX where WX > 99", "the conditions of its groups leave no point to measure"),
    ):
        with pytest.raises(FettleError, match=message):
            Grouped(space, 0, spec=parse_specification(text)).ask()


def test_a_specification_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text(spec_named("hybrid").text())
    strategy = make_strategy("grouped", stencil_space(), 0, spec=tmp_path / "s.txt")
    assert isinstance(strategy, Grouped)
    assert strategy.spec == spec_named("hybrid")
    with pytest.raises(FettleError, match="has no option 'repetition'; did you mean 'repetitions'"):
        make_strategy("grouped", stencil_space(), 0, repetition=1)


@pytest.mark.parametrize("table", ["convolution_a__K20", "convolution_b__TITAN_RTX"])
def test_tables_are_searched_better_than_at_random(
    table: str, published: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = published("search_spaces", f"{table}.csv.xz")
    means = {}
    for name in ("random", "grouped"):
        words = ["search", "simulate", "--space", str(path), "--strategy", name]
        assert main([*words, "--budget", "200", "--repeat", "10", "--json"]) == 0
        means[name] = json.loads(capsys.readouterr().out)["mean_slowdown"]
    assert means["grouped"] < means["random"]
