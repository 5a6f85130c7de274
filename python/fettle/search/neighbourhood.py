"""Which point next to the best one to measure next, by a model fitted around the best.

"If factors have discrete levels, neighborhood exploration might be needed to find levels that
minimize the response around predicted levels" (section III of the design-of-experiments paper).
"""

from __future__ import annotations

import math

import numpy as np

from fettle.search.model_matrix import Codes, Floats

_RIDGE = 1e-3
_FAR = math.log(4.0)


def next_to(codes: Codes, best: Codes, changes: int) -> Codes:
    """The rows that differ from `best` in at most `changes` factors."""
    near: Codes = np.flatnonzero((codes != best).sum(axis=1) <= changes)
    return near


def predict_around_best(
    matrix: Floats, measured: Codes, response: Floats, nearness: float
) -> Floats:
    """The model's logarithm of the response at all rows, fitted to the measured ones.

    A measured row weighs (best / response)^(2 nearness): what is far from the best says little
    about the differences among the good. What is more than four times the best counts as four times
    it: without weight at all, such points would be predicted to be good again and again. A ridge
    decides where the rows do not. Responses that are not all positive count by their distance to
    the best over the median distance.
    Cost: rows times columns.
    """
    best = float(response.min())
    if best > 0:
        distance = np.log(response / best)
    else:
        distance = response - best
        distance = distance / (float(np.median(distance)) or 1.0)
    distance = np.minimum(distance, _FAR)
    scale = np.abs(matrix).max(axis=0)
    scaled = matrix / np.where(scale > 0, scale, 1.0)
    weight = np.exp(-nearness * distance)
    rows = scaled[measured] * weight[:, None]
    system = rows.T @ rows + _RIDGE * np.eye(rows.shape[1])
    result: Floats = scaled @ np.linalg.solve(system, rows.T @ (distance * weight))
    return result
