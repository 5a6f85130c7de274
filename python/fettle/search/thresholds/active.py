"""Active learning of each threshold of a loop-based tree (Breddam 2019, section 3.4).

A parabola through the runs made so far says where the minimum may be; that is run next (algorithm
6). Once this improves nothing, the neighbours of the best are run too, and only if neither is
better it is the minimum: end-point sampling (algorithm 7).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.search.thresholds.exact import Tuned
from fettle.search.thresholds.loop_cases import Candidates, Loop, Measure, Values
from fettle.search.thresholds.tree import Tree


def tune_active(
    tree: Tree,
    values: Values,
    measure: Measure,
    *,
    seed: int = 0,
    guesses: int = 3,
    end_points: bool = True,
) -> Tuned:
    """Tune one threshold after the other from `guesses` random candidates on.

    The parabola is over the indices of the candidates in their order, since infinity is one of
    them. The result is at least as good as its neighbours: a local minimum. At most one run per
    candidate, mostly far fewer. Without `end_points` it is algorithm 6 alone: fewer runs, and it
    ends as soon as the parabola proposes what was run already.
    """
    return Loop(tree, values, measure).depth_first(Labelling(seed, guesses, end_points))


class Labelling:
    """Chooses candidates of one threshold after the other, from one sequence of random numbers."""

    def __init__(self, seed: int = 0, guesses: int = 3, end_points: bool = True) -> None:
        if guesses < 1:
            raise FettleError(f"active learning starts with at least one guess, not {guesses}")
        self._rng = np.random.default_rng(seed)
        self._guesses, self._end_points = guesses, end_points

    def __call__(self, at: Candidates, count: int) -> int:
        """The best candidate that was run."""
        first = self._rng.choice(count, size=min(self._guesses, count), replace=False)
        labelled = {int(index): at(int(index)) for index in first}
        return (_to_end_points if self._end_points else _to_convergence)(labelled, at, count)


def _to_convergence(labelled: dict[int, float], at: Candidates, count: int) -> int:
    everywhere = np.arange(count)
    while (index := _predicted(labelled, everywhere, count)) not in labelled:
        labelled[index] = at(index)
    return _least(labelled)


def _to_end_points(labelled: dict[int, float], at: Candidates, count: int) -> int:
    while True:
        best = _least(labelled)
        rest = np.array([index for index in range(count) if index not in labelled])
        if rest.size:
            index = _predicted(labelled, rest, count)
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


def _least(labelled: dict[int, float]) -> int:
    """The best candidate so far, of equals the one that was run first."""
    return min(labelled, key=lambda index: labelled[index])


def _predicted(labelled: dict[int, float], among: NDArray[np.intp], count: int) -> int:
    """Which of these candidates the parabola likes best."""
    seconds = np.array(list(labelled.values()))
    finite = seconds[np.isfinite(seconds)]
    failed = 2 * finite.max() if finite.size else 1.0
    indices = np.array(list(labelled), dtype=np.float64) / count
    powers = min(2, len(labelled) - 1)
    parabola = np.polynomial.Polynomial.fit(
        indices, np.where(np.isfinite(seconds), seconds, failed), powers, domain=[0, 1]
    )
    return int(among[int(np.argmin(parabola(among / count)))])
