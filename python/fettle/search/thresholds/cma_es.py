"""CMA-ES on the indices of the candidates (Breddam 2019, section 3.3), all thresholds at once.

Thresholds themselves would make most runs repeats of earlier ones; indices in the list of values
that a threshold is compared with do so much more seldom.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence

from fettle.core.errors import FettleError
from fettle.search.thresholds.exact import Tuned
from fettle.search.thresholds.loop_cases import Loop, Measure, Values
from fettle.search.thresholds.tree import Thresholds, Tree


def tune_cma_es(
    tree: Tree,
    values: Values,
    measure: Measure,
    *,
    seed: int = 0,
    measurements: int = 100,
    sigma: float = 0.25,
) -> Tuned:
    """Evolve thresholds from "every guard says no" on, with at most so many different runs.

    `sigma` is the first spread, as a fraction of the list of candidates. Needs the package `cma`;
    raises FettleError where it is not installed. A local minimum at best, and no bound on how
    close: the baseline that the thesis makes of it.
    """
    if measurements < 1:
        raise FettleError(f"CMA-ES needs at least 1 measurement, not {measurements}")
    try:
        cma = importlib.import_module("cma")
    except ImportError:
        raise FettleError("CMA-ES needs the package cma: pip install cma") from None
    loop = Loop(tree, values, measure)
    if not loop.names:
        return loop.tuned({})

    def decoded(vector: Sequence[float]) -> Thresholds:
        found = {}
        for name, x in zip(loop.names, vector, strict=False):
            steps = loop.candidates[name]
            found[name] = steps[min(max(int(x * len(steps)), 0), len(steps) - 1)]
        return found

    best = decoded([1.0] * len(loop.names))
    loop.seconds(best)
    dimensions = max(2, len(loop.names))  # the package knows no search in one dimension
    evolution = cma.CMAEvolutionStrategy(
        [1.0] * dimensions,
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
