from __future__ import annotations

import random

from fettle.search.auto.candidates import Candidates, key_of
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.points import Points, points_of
from fettle.search.space import Space


def points(count: int, levels: int) -> Points:
    values = tuple(range(levels))
    return points_of(
        Space(
            [Parameter(f"p{i}", values) for i in range(count)],
            [Constraint(("p0", "p1"), lambda a, b: a + b < 2 * levels - 2, "not both the largest")],
        )
    )


def test_the_pool_of_a_small_space_is_all_that_is_not_known() -> None:
    small = points(2, 5)
    known = {(0, 0), (3, 4)}
    pool = Candidates(small, random.Random(0)).pool((0, 0), known)
    assert {key_of(row) for row in pool} == set(small) - known
    assert len(pool) == 24 - 2


def test_half_of_the_pool_of_a_larger_space_is_near_the_best() -> None:
    larger = points(5, 7)
    best = (1, 2, 3, 4, 5)
    known = {best, (1, 2, 3, 4, 6)}
    pool = Candidates(larger, random.Random(0)).pool(best, known)
    keys = [key_of(row) for row in pool]
    assert 1500 < len(keys) == len(set(keys)) <= 2000
    assert not known & set(keys)
    changes = [sum(a != b for a, b in zip(key, best, strict=True)) for key in keys]
    assert changes.count(1) == 5 * 6 - 1, "all points that differ in one parameter"
    assert max(changes) == 5, "and some of everywhere"


def test_the_pool_of_a_space_that_is_not_written_out_is_valid_and_new() -> None:
    large = points(12, 8)
    assert large.codes is None
    best = (0,) * 12
    pool = Candidates(large, random.Random(0)).pool(best, {best})
    keys = {key_of(row) for row in pool}
    assert len(keys) == len(pool) > 500
    assert best not in keys
    assert all(large.is_valid(key) for key in keys)


def test_neighbours_differ_in_one_parameter_from_one_of_the_points() -> None:
    some = points(3, 4)
    keys = [(3, 1, 0), (0, 0, 0)]
    known = {*keys, (0, 0, 1)}
    found = {key_of(row) for row in Candidates(some, random.Random(0)).neighbours(keys, known)}
    expected = {
        key
        for key in some
        if key not in known
        and any(sum(a != b for a, b in zip(key, k, strict=True)) == 1 for k in keys)
    }
    assert found == expected
    assert (3, 3, 0) not in found, "a constraint refuses it"


def test_where_all_is_known_nothing_is_left() -> None:
    small = points(2, 3)
    candidates = Candidates(small, random.Random(0))
    assert candidates.pool((0, 0), set(small)).shape == (0, 2)
    assert candidates.neighbours([(0, 0)], set(small)).shape == (0, 2)
