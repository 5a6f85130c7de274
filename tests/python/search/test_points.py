"""Points by number: drawn evenly, neighbours and the nearest as their words say."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import pytest
from search_objectives import constrained_space

from fettle.core.errors import FettleError
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.points import Points, points_of
from fettle.search.registry import make_strategy
from fettle.search.space import Space


def test_all_points_of_a_small_space_are_written_out_once() -> None:
    space = constrained_space()
    points = points_of(space)
    assert points is points_of(space)
    assert points.keys is not None
    assert [points.point(key) for key in points.keys] == list(space)
    assert all(points.key(points.point(key)) == key for key in points.keys)


def test_draws_are_uniform() -> None:
    points = Points(constrained_space())
    rng = random.Random(1)
    drawn = Counter(points.draw(rng) for _ in range(100 * len(points)))
    assert len(drawn) == len(points)
    # Each is binomial with mean 100: five standard deviations are 50.
    assert 50 < min(drawn.values()) <= max(drawn.values()) < 150


def test_a_very_sparse_large_space_is_drawn_from() -> None:
    names = [f"p{i}" for i in range(8)]
    pairs = [
        Constraint((one, other), lambda a, b: a == b, f"{one} is {other}")
        for one, other in itertools.pairwise(names)
    ]
    space = Space([Parameter(name, tuple(range(50))) for name in names], pairs)
    points = Points(space)
    assert points.keys is None
    rng = random.Random(1)
    assert len({points.draw(rng) for _ in range(500)}) == 50
    seen = {(i,) * 8 for i in range(49)}
    assert points.unseen(rng, seen) == (49,) * 8
    assert points.unseen(rng, {*seen, (49,) * 8}) is None


def test_unseen_finds_the_last_one() -> None:
    points = Points(constrained_space())
    assert points.keys is not None
    rng = random.Random(1)
    assert points.unseen(rng, set(points.keys[1:])) == points.keys[0]
    assert points.unseen(rng, set(points.keys)) is None


def test_neighbours_are_one_valid_step_away() -> None:
    """The values are given out of order, and 4 does not go with b = "x"."""
    space = Space(
        [Parameter("a", (8, 1, 4, 2)), Parameter("b", ("x", "y", "z"))],
        [Constraint(("a", "b"), lambda a, b: a != 4 or b != "x", "4 is not for x")],
    )
    points = points_of(space)
    near = [points.point(key) for key in points.neighbours(points.key({"a": 2, "b": "x"}))]
    assert near == [
        {"a": 1, "b": "x"},
        {"a": 8, "b": "x"},
        {"a": 2, "b": "y"},
        {"a": 2, "b": "z"},
    ]


def test_the_nearest_valid_point() -> None:
    space = constrained_space()
    points = points_of(space)
    assert points.keys is not None
    rng = random.Random(1)
    seen: set[tuple[int, ...]] = set()
    distances = []
    for _ in points.keys:
        key = points.nearest((1.0, 1.0, 1.0, 1.0), rng, seen)
        assert key is not None
        assert key not in seen
        seen.add(key)
        distances.append(round(math.fsum(1 - x for x in points.coordinates(key)), 9))
    assert distances == sorted(distances)
    assert points.nearest((1.0, 1.0, 1.0, 1.0), rng, seen) is None


def test_misuse_is_explained() -> None:
    space = constrained_space()
    for name, option, message in [
        ("genetic", {"population": 1}, "a population of 1; give at least 2"),
        ("genetic", {"mutation": 2.0}, "a mutation rate of 2.0; give a probability"),
        ("annealing", {"temperature": 0.0}, "a temperature of 0.0; give a finite number above 0"),
        ("nelder_mead", {"edge": 0.0}, "an edge of 0.0; give a part of the range, above 0 to 1"),
        ("greedy", {"restart": "yes"}, "restart='yes'; give True or False"),
        ("greedy", {"last_step": "z"}, "last_step='z' is not a parameter; there are "),
        ("latin_hypercube", {"fill": 1}, "fill=1; give True or False"),
    ]:
        with pytest.raises(FettleError, match=message):
            make_strategy(name, space, 1, 10, **option)
