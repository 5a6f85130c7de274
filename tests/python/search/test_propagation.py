"""Blocks of points: the same points, counts and reasons as filtering the product gives."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest

import fettle.search.propagation as propagation
from fettle.search.listed_space import ListedSpace
from fettle.search.points import points_of
from fettle.search.space import Constraint, Parameter, Space

GEMM = {
    "MWG": (16, 32, 64, 128),
    "NWG": (16, 32, 64, 128),
    "KWG": (16, 32),
    "MDIMC": (8, 16, 32),
    "NDIMC": (8, 16, 32),
    "MDIMA": (8, 16, 32),
    "NDIMB": (8, 16, 32),
    "KWI": (2,),
    "VWM": (1, 2, 4, 8),
    "VWN": (1, 2, 4, 8),
    "STRM": (0, 1),
    "STRN": (0, 1),
    "SA": (0, 1),
    "SB": (0, 1),
}
RULES = {
    "KWG KWI": lambda k, i: k % i == 0,
    "MWG MDIMC VWM": lambda w, d, v: w % (d * v) == 0,
    "NWG NDIMC VWN": lambda w, d, v: w % (d * v) == 0,
    "MWG MDIMA VWM": lambda w, d, v: w % (d * v) == 0,
    "NWG NDIMB VWN": lambda w, d, v: w % (d * v) == 0,
    "KWG MDIMC NDIMC MDIMA": lambda k, m, n, a: k % ((m * n) / a) == 0,
    "KWG MDIMC NDIMC NDIMB": lambda k, m, n, b: k % ((m * n) / b) == 0,
}


def gemm(**values: tuple[int, ...]) -> Space:
    """CLBlast's matrix product, as it is tuned in published work."""
    return Space(
        [Parameter(name, some) for name, some in (GEMM | values).items()],
        [Constraint(tuple(names.split()), rule, names) for names, rule in RULES.items()],
    )


def filtered(space: Space) -> int:
    """How many points of the product fulfil all constraints, each asked one by one."""
    names = [parameter.name for parameter in space.parameters]
    rules = [
        (c.predicate, itemgetter(*(names.index(name) for name in c.names)))
        for c in space.constraints
    ]
    product = itertools.product(*(parameter.values for parameter in space.parameters))
    return sum(all(rule(*values(point)) for rule, values in rules) for point in product)


def test_a_published_space_has_as_many_points_as_filtering_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    space = gemm()
    assert space.product == 663_552
    assert len(space) == filtered(space) == 120_800
    assert len(space) + sum(space.pruned.values()) == space.product
    monkeypatch.setattr(propagation, "_MANY", 10**9)  # each combination asked for by itself
    again = gemm()
    assert again.pruned == space.pruned
    for one, other in zip(space.blocks(), again.blocks(), strict=True):
        assert np.array_equal(one, other)


def test_the_measured_points_are_those_of_the_space() -> None:
    from fettle.search.table import measured_table

    data = Path(os.environ.get("FETTLE_DATA", "../shared/data"))
    path = data / "search_spaces" / "gemm__A100.csv.xz"
    if not path.exists():
        pytest.skip(f"{path} is not there: set FETTLE_DATA to the folder of the published tables")
    table = measured_table(path)
    space = gemm(KWG=(32,), STRM=(0,), STRN=(0,))
    names = [parameter.name for parameter in table.space.parameters]
    assert {tuple(point[name] for name in names) for point in space} == {
        tuple(point[name] for name in names) for point in table.space
    }


@pytest.mark.parametrize("block", [1, 7, 100, 1 << 16])
def test_blocks_of_any_size(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(propagation, "BLOCK", block)
    monkeypatch.setattr(propagation, "_MANY", 2)
    space = Space(
        [Parameter("a", (1, 2, 3, 4)), Parameter("b", ("x", "y", "z")), Parameter("c", (2, 1, 0))],
        [
            Constraint(("c", "a"), lambda c, a: c <= a, "c is at most a"),
            Constraint(("b", "a"), lambda b, a: b != "y" or a == 2, "y wants 2"),
            Constraint(("b", "a"), lambda b, a: b != "z", "no z"),
        ],
    )
    kept = [
        {"a": a, "b": b, "c": c}
        for a, b, c in itertools.product((1, 2, 3, 4), ("x", "y", "z"), (2, 1, 0))
        if c <= a and (b != "y" or a == 2) and b != "z"
    ]
    assert list(space) == kept
    assert len(space) == len(kept)
    reasons = Counter(
        space.violation({"a": a, "b": b, "c": c})
        for a, b, c in itertools.product((1, 2, 3, 4), ("x", "y", "z"), (2, 1, 0))
    )
    assert space.pruned == {reason: count for reason, count in reasons.items() if reason}


@pytest.mark.parametrize("limit", [0, 1 << 22])
def test_answers_are_asked_for_once_a_combination(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(propagation, "_DENSE", limit)
    asked: list[tuple[int, int]] = []

    def rule(a: int, c: int) -> bool:
        asked.append((a, c))
        return a != c

    parameters = [Parameter(name, (0, 1, 2)) for name in "abc"]
    no_two = Constraint(("a",), lambda a: a != 2, "no 2")
    space = Space(parameters, [no_two, Constraint(("a", "c"), rule, "differ")])
    assert len(space) == 2 * 3 * 2
    # Never where another constraint has refused, and not for each value of b.
    assert sorted(asked) == list(itertools.product((0, 1), (0, 1, 2)))


def test_more_combinations_than_a_number_can_count() -> None:
    names = [f"p{i}" for i in range(20)]
    most = Constraint(tuple(names), lambda *values: sum(values) <= 1, "at most one is not 0")
    first = [
        Constraint((a, b), lambda x, y: x + y <= 1, "pairs") for a, b in itertools.pairwise(names)
    ]
    small = [Constraint((name,), lambda x: x <= 1, "0 or 1") for name in names]
    space = Space([Parameter(name, tuple(range(10))) for name in names], [*small, *first, most])
    assert len(space) == 21


def test_large_spaces_with_few_points_are_written_out() -> None:
    parameters = [Parameter(f"p{i}", tuple(range(10))) for i in range(7)]
    same = [Constraint((f"p{i}", f"p{i + 1}"), lambda a, b: a == b, "equal") for i in range(6)]
    points = points_of(Space(parameters, same))
    assert points.keys == [(i,) * 7 for i in range(10)]
    assert points_of(Space(parameters)).keys is None


def test_blocks_of_listed_points() -> None:
    parameters = [Parameter("a", (4, 2)), Parameter("b", ("x", "y"))]
    space = ListedSpace(parameters, [{"a": 2, "b": "x"}, {"a": 4, "b": "y"}])
    assert [block.tolist() for block in space.blocks()] == [[[1, 0], [0, 1]]]
