"""The initial design: points far from one another (Kennard and Stone 1969).

Each parameter is seen at its ends and between before a model is asked.
"""

from __future__ import annotations

import random

import numpy as np

from fettle.search.auto.features import Features
from fettle.search.numbering import Key
from fettle.search.points import Points


def space_filling_design(
    points: Points, features: Features, rng: random.Random, size: int, sample: int
) -> list[Key]:
    """Of `sample` random points, `size` of them: each the farthest from those already chosen."""
    drawn = list(dict.fromkeys(points.draw(rng) for _ in range(sample)))
    rows = features.rows(np.array(drawn))
    chosen = [0]
    distance = np.square(rows - rows[0]).sum(axis=1)
    while len(chosen) < min(size, len(drawn)):
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, np.square(rows - rows[chosen[-1]]).sum(axis=1))
    return [drawn[i] for i in chosen]
