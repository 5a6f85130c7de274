"""Active learning of each threshold of a loop-based tree (Breddam 2019, section 3.4).

A parabola through the runs made so far says where the minimum may be; that is run next (algorithm
6). Once this improves nothing, the neighbours of the best are run too, and only if neither is
better it is the minimum: end-point sampling (algorithm 7).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fettle.core.errors import FettleError
from fettle.search.thresholds.exact import Tuned
from fettle.search.thresholds.loop_cases import Loop, Measure, Values
from fettle.search.thresholds.tree import Tree


def tune_active(
    tree: Tree, values: Values, measure: Measure, *, seed: int = 0, guesses: int = 3
) -> Tuned:
    """Tune one threshold after the other from `guesses` random candidates on.

    The parabola is over the indices of the candidates in their order, since infinity is one of
    them. The result is no worse than its neighbours: a local minimum. At most one run per
    candidate, mostly far fewer.
    """
    if guesses < 1:
        raise FettleError(f"active learning starts with at least one guess, not {guesses}")
    rng = np.random.default_rng(seed)

    def choose(at: Callable[[int], float], count: int) -> int:
        first = rng.choice(count, size=min(guesses, count), replace=False)
        labelled = {int(index): at(int(index)) for index in first}
        while True:
            best = _least(labelled)
            index = _predicted(labelled, count)
            if index is not None:
                labelled[index] = at(index)
            if _least(labelled) != best:
                continue
            for neighbour in (best + 1, best - 1):
                if 0 <= neighbour < count and neighbour not in labelled:
                    labelled[neighbour] = at(neighbour)
                    if labelled[neighbour] < labelled[best]:
                        break
            if _least(labelled) == best:
                return best

    return Loop(tree, values, measure).depth_first(choose)


def _least(labelled: dict[int, float]) -> int:
    """The best candidate so far, of equals the one that was run first."""
    return min(labelled, key=lambda index: labelled[index])


def _predicted(labelled: dict[int, float], count: int) -> int | None:
    """The candidate not run yet that the parabola likes best; None: all have been run."""
    rest = np.array([index for index in range(count) if index not in labelled])
    if not rest.size:
        return None
    seconds = np.array(list(labelled.values()))
    finite = seconds[np.isfinite(seconds)]
    failed = 2 * finite.max() if finite.size else 1.0
    indices = np.array(list(labelled), dtype=np.float64) / count
    powers = min(2, len(labelled) - 1)
    parabola = np.polynomial.Polynomial.fit(
        indices, np.where(np.isfinite(seconds), seconds, failed), powers, domain=[0, 1]
    )
    return int(rest[int(np.argmin(parabola(rest / count)))])
