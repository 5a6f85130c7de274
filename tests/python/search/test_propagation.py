"""Blocks of points: the same points, counts and reasons as filtering the product gives."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

import fettle.search.propagation as propagation
from fettle.search.constraint import Constraint
from fettle.search.listed_space import ListedSpace
from fettle.search.parameter import Parameter
from fettle.search.points import points_of
from fettle.search.space import Space


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
