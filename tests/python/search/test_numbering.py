"""Values by number and by size: keys, ranks and places in the unit cube."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from search_objectives import constrained_space

from fettle.core.errors import FettleError
from fettle.search.numbering import Numbering, is_ordered
from fettle.search.parameter import Parameter
from fettle.search.space import Space

OUT_OF_ORDER = Space([Parameter("a", (8, 1, 4, 2)), Parameter("b", ("x", "y", "z"))])


def test_keys_ranks_and_coordinates_are_each_others_inverse() -> None:
    numbering = Numbering(constrained_space())
    keys = list(itertools.product(*map(range, numbering.levels)))
    assert all(numbering.key(numbering.point(key)) == key for key in keys)
    assert all(numbering.at(numbering.coordinates(key)) == key for key in keys)
    assert all(numbering.ranked(numbering.ranks(key)) == key for key in keys)
    assert numbering.rows(np.array(keys)).tolist() == [
        list(numbering.coordinates(key)) for key in keys
    ]


def test_numbers_go_by_size_and_names_by_their_order() -> None:
    numbering = Numbering(OUT_OF_ORDER)
    assert numbering.ordered == (True, False)
    assert numbering.ranks(numbering.key({"a": 8, "b": "z"})) == (3, 2)
    assert numbering.coordinates(numbering.key({"a": 1, "b": "y"})) == (0.0, 0.5)
    assert numbering.point(numbering.in_cell((0.99, 0.0))) == {"a": 8, "b": "x"}
    values = OUT_OF_ORDER.parameters[0].values
    four = numbering.key({"a": 4, "b": "x"})[0]
    assert [[values[n] for n in way] for way in numbering.directions(0, four)] == [[2, 1], [8]]
    assert numbering.directions(1, 1) == [[0], [2]]


def test_truth_values_are_not_numbers() -> None:
    assert is_ordered((1, 2.5))
    assert not is_ordered((True, False))
    assert not is_ordered((1, "x"))


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ({"a": 8}, "lacks the parameter 'b'"),
        ({"a": 3, "b": "x"}, "3 is not one of the values of the parameter 'a'"),
        ({"a": 8, "b": "x", "c": 1}, "has a parameter 'c', which the space lacks"),
    ],
)
def test_a_point_of_another_space_is_refused(point: dict[str, object], message: str) -> None:
    with pytest.raises(FettleError, match=message):
        Numbering(OUT_OF_ORDER).key(point)


def test_a_value_that_cannot_be_compared_is_refused() -> None:
    with pytest.raises(FettleError, match="the value NaN"):
        Numbering(Space([Parameter("a", (1.0, math.nan))]))
