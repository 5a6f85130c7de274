from __future__ import annotations

import math

import numpy as np
import pytest

from fettle.search.auto.features import Features
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.points import points_of
from fettle.search.space import Space


def test_features_are_logarithms_numbers_and_words() -> None:
    space = Space(
        [
            Parameter("block", (32, 64, 128, 256, 512)),
            Parameter("tile", (1, 2, 3, 4, 5, 6, 7, 8)),
            Parameter("layout", ("rows", "columns", "tiles")),
        ]
    )
    rows = Features(points_of(space)).rows(np.array([(0, 0, 0), (2, 7, 1), (4, 0, 2)]))
    half = math.sqrt(0.5)
    assert rows[:, 0].tolist() == pytest.approx([0, 0.5, 1]), "by its logarithm"
    assert rows[:, 2:].tolist() == [[half, 0, 0], [0, half, 0], [0, 0, half]]


def test_a_multiple_is_replaced_by_its_quotient() -> None:
    tiles = Space(
        [Parameter("tile", (8, 16, 32)), Parameter("threads", (4, 8, 16))],
        [Constraint(("tile", "threads"), lambda tile, threads: tile % threads == 0, "whole")],
    )
    rows = Features(points_of(tiles)).rows(np.array([(0, 0), (2, 0), (2, 2)]))
    assert rows.tolist() == [pytest.approx([0, 1 / 3]), [0, 1], pytest.approx([1, 1 / 3])]


def test_quotients_can_be_left_out() -> None:
    tiles = Space(
        [Parameter("tile", (8, 16, 32)), Parameter("threads", (4, 8, 16))],
        [Constraint(("tile", "threads"), lambda tile, threads: tile % threads == 0, "whole")],
    )
    rows = Features(points_of(tiles), with_quotients=False).rows(np.array([(0, 0), (2, 2)]))
    assert rows.tolist() == [[0, 0], [1, 1]], "tile and threads, both by their logarithm"
