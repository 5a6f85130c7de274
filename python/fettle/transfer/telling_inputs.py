"""Which inputs to measure on a new machine: those where the sources' models disagree at a price.

The price of an input is what the blend's choice loses, on average over the source machines, if one
of them is right. Inputs are taken one after the other, the price of each multiplied by how far it
is from what is measured already, so that they do not all ask the same question.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fettle.data.training_set import Floats
from fettle.transfer.columns import logarithms, scaled


def telling_inputs(
    gains: Floats, scores: Floats, values: Floats, count: int, known: Sequence[int] = ()
) -> list[int]:
    """The indices of at most `count` inputs to measure, the most telling first.

    `gains` are the source models' log shares, (machines, n, k), `scores` those of the choice that
    is to be made better, (n, k), `known` the inputs measured before. Costs O(count * n).
    """
    price = _prices(gains, scores)
    places = scaled(logarithms(values), logarithms(values))
    distance = np.full(len(values), np.inf)
    for one in known:
        distance = np.minimum(distance, _distances(places, one))
    if not len(known):
        middle = np.median(places, axis=0)
        distance = 1.0 / (1.0 + np.linalg.norm(places - middle, axis=1))
    free = np.ones(len(values), dtype=bool)
    free[list(known)] = False
    chosen: list[int] = []
    while free.any() and len(chosen) < count:
        one = int(np.where(free, (price + 1e-3) * (distance + 1e-6), -1.0).argmax())
        first = not chosen and not len(known)
        distance = (
            _distances(places, one) if first else np.minimum(distance, _distances(places, one))
        )
        free[one] = False
        chosen.append(one)
    return chosen


def _prices(gains: Floats, scores: Floats) -> Floats:
    """What the choice loses on each input if a source's model is right, on average, (n,)."""
    chosen = scores.argmax(axis=1)
    reached = gains[:, np.arange(len(scores)), chosen]
    found: Floats = 1.0 - np.exp(np.minimum(reached - gains.max(axis=2), 0.0)).mean(axis=0)
    return found


def _distances(places: Floats, one: int) -> Floats:
    found: Floats = np.linalg.norm(places - places[one], axis=1)
    return found
