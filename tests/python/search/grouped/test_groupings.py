"""Groups from roles, and from names alone."""

from __future__ import annotations

import pytest

from fettle.core.errors import FettleError
from fettle.search.grouped import by_dimension, by_optimization, default_specification, hybrid
from fettle.search.grouped.default_grouping import dimensions_of
from fettle.search.parameter import Parameter
from fettle.search.space import Space


def test_dimensions_are_read_from_names() -> None:
    names = ["block_size_x", "block_size_y", "tile_size_x", "tile_size_y", "use_padding"]
    dimensions, kinds = dimensions_of(names)
    assert dimensions == {
        "x": ["block_size_x", "tile_size_x"],
        "y": ["block_size_y", "tile_size_y"],
    }
    assert kinds == [["block_size_x", "block_size_y"], ["tile_size_x", "tile_size_y"]]


def test_letters_of_a_matrix_product_are_dimensions() -> None:
    names = [
        "MWG",
        "NWG",
        "KWG",
        "MDIMC",
        "NDIMC",
        "MDIMA",
        "NDIMB",
        "KWI",
        "VWM",
        "VWN",
        "STRM",
        "STRN",
        "SA",
        "SB",
    ]
    dimensions, kinds = dimensions_of(names)
    assert dimensions == {
        "m": ["MWG", "MDIMC", "MDIMA", "VWM", "STRM"],
        "n": ["NWG", "NDIMC", "NDIMB", "VWN", "STRN"],
        "k": ["KWG", "KWI"],
    }
    assert ["VWM", "VWN"] in kinds or ["MWG", "NWG", "KWG"] in kinds


def test_names_that_mean_nothing_are_in_no_dimension() -> None:
    names = ["elements_number", "y_component_number", "vector_length", "lws_y"]
    assert dimensions_of(names) == ({}, [])
    space = Space([Parameter(name, tuple(range(9))) for name in names])
    groups = default_specification(space, 60).groups
    assert [group.parameters for group in groups[1:]] == [(name,) for name in names]


def test_a_default_specification_has_dimensions_the_rest_and_the_geometry() -> None:
    space = Space(
        [
            Parameter("w_x", (1, 2, 4, 8)),
            Parameter("w_y", (1, 2, 4)),
            Parameter("c_x", (1, 2)),
            Parameter("pad", (False, True)),
            Parameter("cache", ("l1", "l2")),
        ]
    )
    groups = default_specification(space, None).groups
    assert [group.parameters for group in groups] == [
        ("*",),
        ("w_x", "c_x"),
        ("w_y",),
        ("pad", "cache"),
        ("w_x", "w_y"),
    ]
    assert [str(kept) for kept in groups[-1].keeping] == ["w_x * w_y"]
    assert all(group.sample is None for group in groups[1:])


def test_roles_that_make_no_groups() -> None:
    with pytest.raises(FettleError, match="no dimension was given"):
        by_dimension({})
    with pytest.raises(FettleError, match="the optimization 'cache' has no parameters"):
        by_optimization({"size": ["a"], "cache": []})
    with pytest.raises(FettleError, match="'a' is in two groups, 'x' and 'y'"):
        by_dimension({"x": ["a"], "y": ["a"]})
    with pytest.raises(FettleError, match="the geometry a has no shape to tune"):
        hybrid({"x": ["a"], "y": ["b"]}, ["a"])
