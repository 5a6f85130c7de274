"""CMA-ES on all thresholds at once (Breddam 2019, section 3.3).

By default it searches indices in the list of values that a threshold is compared with. Thresholds
themselves, the thesis's naive encoding, make most runs repeats of earlier ones, so that it takes a
plateau for convergence.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from functools import partial
from typing import Literal

import numpy as np

from fettle.core.errors import FettleError
from fettle.search.thresholds.exact import Tuned
from fettle.search.thresholds.loop_cases import Loop, Measure, Values
from fettle.search.thresholds.tree import NEVER, Thresholds, Tree

Encoding = Literal["index", "value"]


def tune_cma_es(
    tree: Tree,
    values: Values,
    measure: Measure,
    *,
    seed: int = 0,
    measurements: int = 100,
    sigma: float = 0.25,
    encoding: Encoding = "index",
) -> Tuned:
    """Evolve thresholds, with at most so many different runs.

    - `encoding`: "index" starts from "every guard says no"; "value" is the naive one: thresholds
      up to a fourth above the greatest candidate, from random ones on.
    - `sigma`: the first spread, as a fraction of what is searched.

    Needs the package `cma`; raises FettleError where it is not installed. A local minimum at best,
    and no bound on how close: the baseline that the thesis makes of it.
    """
    if measurements < 1:
        raise FettleError(f"CMA-ES needs at least 1 measurement, not {measurements}")
    if encoding not in ("index", "value"):
        raise FettleError(f"unknown encoding {encoding!r}; take 'index' or 'value'")
    try:
        cma = importlib.import_module("cma")
    except ImportError:
        raise FettleError("CMA-ES needs the package cma: pip install cma") from None
    loop = Loop(tree, values, measure)
    if not loop.names:
        return loop.tuned({})

    dimensions = max(2, len(loop.names))  # the package knows no search in one dimension
    start = [1.0] * dimensions
    if encoding == "value":
        rng = np.random.default_rng(seed)
        start = np.clip(rng.normal(0.5, 0.25, dimensions), 0, 1).tolist()
    decoded = partial(_decoded, loop, encoding)
    best = decoded(start)
    loop.seconds(best)
    evolution = cma.CMAEvolutionStrategy(
        start,
        sigma,
        {"seed": seed + 1, "bounds": [0.0, 1.0], "verbose": -9, "verb_log": 0},
    )
    generations = 0
    # Repeats cost nothing, but nothing but repeats must end too.
    while loop.measurements < measurements and generations < measurements:
        if evolution.stop():
            break
        generations += 1
        vectors = evolution.ask()
        times = []
        for vector in vectors:
            thresholds = decoded(vector)
            if loop.measurements >= measurements and not loop.knows(thresholds):
                return loop.tuned(best)
            times.append(loop.seconds(thresholds))
            if times[-1] < loop.seconds(best):
                best = thresholds
        worst = max((s for s in times if math.isfinite(s)), default=1.0)
        evolution.tell(vectors, [s if math.isfinite(s) else 2 * worst for s in times])
    return loop.tuned(best)


def _decoded(loop: Loop, encoding: Encoding, vector: Sequence[float]) -> Thresholds:
    """The thresholds that a point of the search, in [0, 1] in each dimension, stands for."""
    found = {}
    for name, x in zip(loop.names, vector, strict=False):
        steps = loop.candidates[name]
        if encoding == "value":
            value = 1.25 * x * steps[-2]
            found[name] = value if value <= steps[-2] else NEVER
        else:
            found[name] = steps[min(max(int(x * len(steps)), 0), len(steps) - 1)]
    return found
