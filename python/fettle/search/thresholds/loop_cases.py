"""Tuners for sizes that vary within a run, where only whole runs are timed (section 3.1).

Each takes `measure`, the seconds of all data sets with some thresholds, and `values`, what each
threshold was compared with in some run. Between two such values a threshold changes nothing, so
the values and infinity are all that there is to try.

`Loop` walks the guards as algorithms 4 to 7 do: the deepest first, those above set so that it is
reached, those below as they were tuned. No run is made twice: a guard that always says no is the
guard below, tuned.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from fettle.core.errors import FettleError
from fettle.search.thresholds.exact import Tuned
from fettle.search.thresholds.items import check_parallelism
from fettle.search.thresholds.tree import ALWAYS, NEVER, Thresholds, Tree, check, guards, way_to

Values = Mapping[str, Sequence[float]]
Measure = Callable[[Thresholds], float]


class Loop:
    """A program to tune: the thresholds worth trying, and the runs made so far."""

    def __init__(self, tree: Tree, values: Values, measure: Measure) -> None:
        check(tree)
        self.tree = tree
        self.names = [guard.threshold for guard in guards(tree)]
        self.candidates = candidates(tree, values)
        self._measure = measure
        self._known: dict[tuple[float, ...], float] = {}

    @property
    def measurements(self) -> int:
        """How many different runs were made."""
        return len(self._known)

    def seconds(self, thresholds: Thresholds) -> float:
        """What a run takes; known if one like it was made."""
        key = self.key(thresholds)
        if key not in self._known:
            found = self._measure(dict(zip(self.names, key, strict=True)))
            if math.isnan(found) or found < 0:
                raise FettleError(
                    f"the run with {text(thresholds)} took {found} seconds; a time is a number of "
                    "at least 0, infinite where the run failed"
                )
            self._known[key] = found
        return self._known[key]

    def depth_first(self, choose: Choose) -> Tuned:
        """Tune one threshold at a time.

        `choose` gets the seconds of the i-th candidate and the number of candidates, of which the
        last is infinity, and returns the one to take.
        """
        tuned = dict.fromkeys(self.names, NEVER)
        for name in self.names:
            steps = self.candidates[name]
            way = way_to(self.tree, name) or {}
            fixed = {**tuned, **{above: ALWAYS if yes else NEVER for above, yes in way.items()}}
            tuned[name] = steps[choose(Candidates(self, name, fixed), len(steps))]
        return self.tuned(tuned)

    def tuned(self, thresholds: Thresholds) -> Tuned:
        """The result. Raises FettleError where it fails."""
        seconds = self.seconds(thresholds)
        if math.isinf(seconds):
            raise FettleError(
                f"the best of {self.measurements} runs fails too ({text(thresholds)}); find out "
                "why, or leave out the data set that fails"
            )
        return Tuned(thresholds, seconds, self.measurements, False)

    def knows(self, thresholds: Thresholds) -> bool:
        """Whether a run like this was made."""
        return self.key(thresholds) in self._known

    def key(self, thresholds: Thresholds) -> tuple[float, ...]:
        """The greatest thresholds that decide alike, in the order of `names`."""
        return tuple(
            next(step for step in self.candidates[name] if thresholds[name] <= step)
            for name in self.names
        )


class Candidates:
    """What there is to choose from for one threshold, all others fixed."""

    def __init__(self, loop: Loop, name: str, fixed: Thresholds) -> None:
        self.name = name
        self._loop, self._fixed = loop, fixed

    def __call__(self, index: int) -> float:
        """The seconds of all data sets with the candidate of this index."""
        return self._loop.seconds(self.thresholds(index))

    def thresholds(self, index: int) -> Thresholds:
        """All thresholds, with that candidate."""
        return {**self._fixed, self.name: self._loop.candidates[self.name][index]}


Choose = Callable[[Candidates, int], int]


def tune_exhaustive(tree: Tree, values: Values, measure: Measure) -> Tuned:
    """Algorithm 4: every candidate of every threshold, one threshold at a time.

    Cost: one run per value of every threshold, and one. The best of each step; that is not always
    the best of all combinations, since what a guard above takes counts at those below.
    """

    return Loop(tree, values, measure).depth_first(all_of_them)


def all_of_them(at: Candidates, count: int) -> int:
    """The best candidate, of equals the greatest, as for the exact tuner."""
    return min(reversed(range(count)), key=at)


def candidates(tree: Tree, values: Values) -> dict[str, tuple[float, ...]]:
    """The thresholds that can make a difference, ascending, the last one infinite."""
    known = [guard.threshold for guard in guards(tree)]
    unknown = [name for name in values if name not in known]
    if unknown:
        raise FettleError(
            f"there are values for {unknown[0]!r}, which is not a threshold of the tree "
            f"({', '.join(known) or 'it has none'})"
        )
    found = {}
    for name in known:
        if not values.get(name):
            raise FettleError(
                f"threshold {name!r} has no values; give what it is compared with in a run"
            )
        steps = {check_parallelism(value, name, "some step") for value in values[name]}
        found[name] = (*sorted(steps), NEVER)
    return found


def text(thresholds: Mapping[str, float]) -> str:
    """Thresholds for a message."""
    return ", ".join(f"{name} = {value:g}" for name, value in thresholds.items())
