"""Search spaces: what propagation leaves is what filtering the product would leave."""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter

import pytest

from fettle.core.errors import FettleError
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.space import Space

A = Parameter("a", (1, 2, 3))
B = Parameter("b", ("x", "y"))
C = Parameter("c", (False, True))


def test_a_space_without_constraints_is_the_product_in_order() -> None:
    space = Space([A, B])
    assert len(space) == space.product == 6
    assert list(space)[:3] == [{"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}]
    assert space.pruned == {}


def test_what_a_constraint_cuts_is_counted_where_it_cuts() -> None:
    space = Space(
        [A, B, C],
        [
            Constraint(("a",), lambda a: a != 2, "no two"),
            Constraint(("b", "a"), lambda b, a: (b, a) != ("y", 3), "no y with three"),
            Constraint(("a", "c"), lambda a, c: not c or a == 3, "c is for three"),
        ],
    )
    assert space.product == 12
    # a = 2 takes 4 points with it, (3, y) two, and c = true one each of (1, x) and (1, y).
    assert space.pruned == {"no two": 4, "no y with three": 2, "c is for three": 2}
    assert list(space) == [
        {"a": 1, "b": "x", "c": False},
        {"a": 1, "b": "y", "c": False},
        {"a": 3, "b": "x", "c": False},
        {"a": 3, "b": "x", "c": True},
    ]


def test_what_is_cut_is_not_gone_into() -> None:
    seen: list[object] = []

    def watch(c: object) -> bool:
        seen.append(c)
        return True

    refuse = Constraint(("a",), lambda a: a == 3, "three only")
    assert len(Space([A, C], [refuse, Constraint(("c",), watch, "watched")])) == 2
    assert seen == [False, True]


def test_a_constraint_without_parameters_refuses_all() -> None:
    space = Space([A, B], [Constraint((), lambda: False, "never")])
    assert list(space) == []
    assert space.pruned == {"never": 6}
    assert not Space([A], [Constraint((), lambda: False, "never")])


def test_an_empty_set_of_parameters_has_one_point() -> None:
    assert list(Space([])) == [{}]
    assert len(Space([])) == 1


def test_the_first_violation() -> None:
    space = Space(
        [A, B],
        [
            Constraint(("a", "b"), lambda a, b: b == "x", "x"),
            Constraint(("a",), lambda a: a < 3, "small"),
        ],
    )
    assert space.violation({"a": 1, "b": "x"}) is None
    assert space.violation({"a": 3, "b": "y"}) == "small"
    assert space.violation({"a": 1, "b": "y"}) == "x"


def test_random_spaces_equal_the_filtered_product() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        parameters = [
            Parameter(f"p{i}", tuple(range(chance.randint(1, 4))))
            for i in range(chance.randint(1, 5))
        ]
        constraints = []
        for k in range(chance.randint(0, 5)):
            some = chance.sample(parameters, chance.randint(0, min(3, len(parameters))))
            refused = {
                values
                for values in itertools.product(*(parameter.values for parameter in some))
                if chance.random() < 0.3
            }
            names = tuple(parameter.name for parameter in some)
            constraints.append(
                Constraint(names, lambda *values, no=refused: values not in no, f"reason {k}")
            )
        space = Space(parameters, constraints)
        names = tuple(parameter.name for parameter in parameters)
        product = [
            dict(zip(names, values, strict=True))
            for values in itertools.product(*(parameter.values for parameter in parameters))
        ]
        kept = [point for point in product if all(each.holds(point) for each in constraints)]
        assert list(space) == kept
        assert len(space) == len(kept)
        reasons = Counter(reason for point in product if (reason := space.violation(point)))
        assert space.pruned == reasons
        assert len(space) + sum(space.pruned.values()) == space.product == len(product)


def test_a_large_product_is_never_generated() -> None:
    # 10^12 points, of which ten are left: numbers that are all the same.
    digits = [Parameter(f"d{i}", tuple(range(10))) for i in range(12)]
    same = [
        Constraint((f"d{i}", f"d{i + 1}"), lambda a, b: a == b, f"d{i} is its neighbour")
        for i in range(11)
    ]
    begin = time.process_time()
    space = Space(digits, same)
    assert len(space) == 10
    assert sum(space.pruned.values()) == 10**12 - 10
    assert time.process_time() - begin < 10.0, "of computing; generated it would take days"


@pytest.mark.parametrize(
    ("parameters", "constraints", "message"),
    [
        ([A, A], [], "the parameter 'a' is given twice"),
        ([Parameter("n", ())], [], "the parameter 'n' has no values"),
        ([Parameter("n", (1, 1))], [], "a value of the parameter 'n' is given twice"),
        (
            [A],
            [Constraint(("z",), bool, "why")],
            "the constraint 'why' is about z, which the space does not have; its parameters are a",
        ),
    ],
)
def test_what_is_no_space(
    parameters: list[Parameter], constraints: list[Constraint], message: str
) -> None:
    with pytest.raises(FettleError, match=message):
        Space(parameters, constraints)
