from __future__ import annotations

from fettle.search.auto.quotients import Quotients
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.points import points_of
from fettle.search.space import Space


def whole(names: tuple[str, str]) -> Constraint:
    return Constraint(names, lambda multiple, divisor: multiple % divisor == 0, "whole")


def test_a_parameter_that_constraints_leave_multiples_of_has_quotients() -> None:
    space = Space(
        [Parameter("tile", (8, 16, 32)), Parameter("threads", (4, 8, 16)), Parameter("n", (1, 2))],
        [whole(("tile", "threads"))],
    )
    quotients = Quotients(points_of(space))
    assert quotients.pairs == [(0, 1)]
    assert [values.tolist() for values in quotients.values] == [[1, 2, 4, 8]]
    assert quotients.of([(0, 0, 0), (2, 0, 1), (2, 2, 0)]).tolist() == [[1], [3], [1]]


def test_what_divides_without_a_constraint_or_not_always_is_no_pair() -> None:
    free = Space([Parameter("tile", (8, 16)), Parameter("threads", (2, 4))])
    assert Quotients(points_of(free)).pairs == []
    other = Space(
        [Parameter("tile", (8, 12)), Parameter("threads", (4, 8))],
        [Constraint(("tile", "threads"), lambda tile, threads: tile >= threads, "fits")],
    )
    assert Quotients(points_of(other)).pairs == []


def test_words_truth_values_and_fractions_are_no_pair() -> None:
    space = Space(
        [Parameter("a", (1.0, 2.0, 3.0)), Parameter("b", (False, True)), Parameter("c", ("x", "y"))]
    )
    quotients = Quotients(points_of(space))
    assert quotients.pairs == []
    assert quotients.of([(0, 0, 0), (1, 1, 1)]).shape == (2, 0)


def test_a_space_that_cannot_be_written_out_is_sampled() -> None:
    values = tuple(range(1, 65))
    space = Space(
        [
            Parameter("a", values),
            Parameter("b", (1, 2, 4)),
            *(Parameter(f"p{i}", values) for i in range(3)),
        ],
        [whole(("a", "b"))],
    )
    points = points_of(space)
    assert points.keys is None
    assert Quotients(points).pairs == [(0, 1)]
