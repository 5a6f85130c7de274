"""Complete information: what every version takes on everything that the guards decide about.

An item is a data set, or where sizes vary within a run one step of a loop on a data set. Once the
time of every version on every item is known, so is the time of any thresholds (Breddam 2019,
sections 2.1 and 3.5): nothing needs to be measured again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.search.thresholds.tree import Guard, Run, Tree, Version, guards, runs

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Items:
    """n items: the degree of parallelism at every guard, and the seconds of every version."""

    names: tuple[str, ...]
    parallelism: dict[str, Floats]
    seconds: dict[str, Floats]

    def cost(self, tree: Tree, thresholds: Mapping[str, float]) -> Floats:
        """What each item takes with these thresholds, (n,)."""
        if isinstance(tree, Version):
            return self.seconds[tree.name]
        if isinstance(tree, Guard):
            return np.where(
                thresholds[tree.threshold] <= self.parallelism[tree.threshold],
                self.cost(tree.then, thresholds),
                self.cost(tree.otherwise, thresholds),
            )
        return sum((self.cost(part, thresholds) for part in tree.parts), np.zeros(len(self.names)))

    def least(self, tree: Tree) -> Floats:
        """What each item would take with separate thresholds for it, (n,)."""
        if isinstance(tree, Version):
            return self.seconds[tree.name]
        if isinstance(tree, Guard):
            return np.minimum(self.least(tree.then), self.least(tree.otherwise))
        return sum((self.least(part) for part in tree.parts), np.zeros(len(self.names)))

    def weighted(self, weights: Floats) -> Items:
        """The same with the seconds of each item multiplied by its weight."""
        return Items(
            self.names, self.parallelism, {name: s * weights for name, s in self.seconds.items()}
        )

    def penalised(self) -> Items:
        """The same with a finite price for failing, above what all else together can save."""
        finite = [np.abs(s[np.isfinite(s)]).sum() for s in self.seconds.values()]
        price = 1.0 + 2.0 * float(np.sum(finite))
        seconds = {name: np.where(np.isinf(s), price, s) for name, s in self.seconds.items()}
        return Items(self.names, self.parallelism, seconds)


def items_of(
    tree: Tree,
    names: Sequence[str],
    parallelism: Mapping[str, Sequence[float]],
    measured: Sequence[Sequence[float]],
) -> Items:
    """Items from the seconds of `runs(tree)`, a row a run, infinite where one failed.

    Raises FettleError for invalid times, items on which every version fails, and where
    a failing version hides what another one takes that always runs together with it.
    """
    plan = runs(tree)
    seconds: dict[str, Floats] = {}
    for run, row in zip(plan, measured, strict=True):
        total = np.asarray(row, dtype=np.float64)
        _check_times(run, names, total)
        fresh = [name for name in run.versions if name not in seconds]
        rest = np.zeros(len(names))
        for name in run.versions:
            rest = rest + seconds.get(name, np.zeros(len(names)))
        hidden = np.isinf(rest)
        if hidden.any():
            failing = next(
                name for name in run.versions if name in seconds and np.isinf(seconds[name]).any()
            )
            raise FettleError(
                f"version {failing!r} fails on {names[int(hidden.argmax())]!r}, where "
                f"{fresh[0]!r} can be measured together with it only; leave that data set or that "
                "version out"
            )
        seconds[fresh[0]] = total - rest
        for name in fresh[1:]:
            seconds[name] = np.zeros(len(names))
    found = Items(
        tuple(names),
        {g.threshold: np.asarray(parallelism[g.threshold], dtype=np.float64) for g in guards(tree)},
        seconds,
    )
    dead = np.isinf(found.least(tree))
    if dead.any():
        raise FettleError(
            f"every version fails on {names[int(dead.argmax())]!r}; leave it out, or find out why"
        )
    return found


def check_parallelism(value: float, threshold: str, name: str) -> float:
    """A degree of parallelism as it must be: a finite number, not negative."""
    if not math.isfinite(value) or value < 0:
        raise FettleError(
            f"the parallelism that threshold {threshold!r} is compared with is {value} on "
            f"{name!r}; it must be a finite number of at least 0"
        )
    return float(value)


def _check_times(run: Run, names: Sequence[str], seconds: Floats) -> None:
    bad = np.isnan(seconds) | (seconds < 0)
    if bad.any():
        index = int(bad.argmax())
        raise FettleError(
            f"version {', '.join(run.versions)} took {seconds[index]} seconds on "
            f"{names[index]!r}; a time is a number of at least 0, infinite where the run failed"
        )
