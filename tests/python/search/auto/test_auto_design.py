from __future__ import annotations

import random

import numpy as np
from kernel_space import space

from fettle.search.auto.design import space_filling_design
from fettle.search.auto.features import Features
from fettle.search.numbering import Key
from fettle.search.points import points_of


def least_distance(features: Features, keys: list[Key]) -> float:
    rows = features.rows(np.array(keys))
    squares = np.square(rows[:, None] - rows[None, :]).sum(axis=2)
    return float(np.sqrt(squares[np.triu_indices(len(keys), 1)].min()))


def test_points_of_the_design_are_farther_apart_than_random_ones() -> None:
    points = points_of(space())
    features = Features(points)
    design = space_filling_design(points, features, random.Random(0), 8, 400)
    assert len(set(design)) == 8
    drawn = [points.draw(random.Random(seed)) for seed in range(40)]
    random_sets = [list(dict.fromkeys(drawn[i::5])) for i in range(5)]
    assert least_distance(features, design) > 2 * max(
        least_distance(features, keys) for keys in random_sets
    )


def test_a_sample_as_small_as_the_design_is_taken_whole() -> None:
    points = points_of(space())
    rng = random.Random(0)
    design = space_filling_design(points, Features(points), rng, 10, 10)
    again = random.Random(0)
    assert set(design) == {points.draw(again) for _ in range(10)}
