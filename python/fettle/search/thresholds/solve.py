"""Thresholds from complete information: guard by guard, or the best of all together.

Guard by guard is Breddam 2019, algorithm 2: the deepest guards first, each by intersecting the
ranges that the items want. There every item has a vote at every guard, even at one that it never
reaches since a guard above takes it; two such votes may exclude each other although thresholds
exist that serve all. `joint` counts an item where it arrives, and finds the thresholds with the
least sum, whether or not all items can have what they want.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.search.thresholds.items import Floats, Items
from fettle.search.thresholds.tree import NEVER, Guard, Split, Thresholds, Tree, Version, guards

Indices = NDArray[np.intp]

EFFORT = 20_000
"""Sets of items that `joint` looks at before it gives up on proving the best."""


@dataclass(frozen=True)
class Range:
    """The thresholds t with above < t <= upto; there are none if above >= upto."""

    above: float = -NEVER
    upto: float = NEVER

    @property
    def empty(self) -> bool:
        """Whether no threshold is in it."""
        return self.above >= self.upto

    def meet(self, other: Range) -> Range:
        """The thresholds in both (equation 2.1)."""
        return Range(max(self.above, other.above), min(self.upto, other.upto))


def wanted(parallelism: float, then: float, otherwise: float) -> Range:
    """The thresholds that are best for one item at one guard; all if both sides take equally."""
    if then < otherwise:
        return Range(upto=parallelism)
    if otherwise < then:
        return Range(above=parallelism)
    return Range()


@dataclass(frozen=True)
class Solution:
    """Thresholds, the range that was left to each, and the guards at which items disagreed."""

    thresholds: Thresholds
    ranges: dict[str, Range]
    conflicts: tuple[str, ...]


def by_ranges(tree: Tree, items: Items) -> Solution:
    """Algorithm 2 on items whose times are known; its result has no conflicts: it is the best.

    A threshold is the greatest in its range: inputs to come with more parallelism than any that
    wanted the guard to say no are then treated like those that wanted yes. At a conflict, both
    ends are tried, the lower one serving those that want yes, the upper one those that want no,
    and the one with the smaller sum is taken. Cost: O(guards * items).
    """
    thresholds = {guard.threshold: NEVER for guard in guards(tree)}
    ranges: dict[str, Range] = {}
    conflicts = []
    for guard in guards(tree):
        parallelism = items.parallelism[guard.threshold]
        then = items.cost(guard.then, thresholds)
        otherwise = items.cost(guard.otherwise, thresholds)
        left = Range()
        for row in zip(parallelism.tolist(), then.tolist(), otherwise.tolist(), strict=True):
            left = left.meet(wanted(*row))
        ranges[guard.threshold] = left
        thresholds[guard.threshold] = left.upto
        if left.empty:
            conflicts.append(guard.threshold)
            higher = parallelism[parallelism > left.above]
            ends = [float(higher.min()) if higher.size else NEVER, left.upto]
            sums = [float(np.where(end <= parallelism, then, otherwise).sum()) for end in ends]
            thresholds[guard.threshold] = ends[0] if sums[0] <= sums[1] else ends[1]
    return Solution(thresholds, ranges, tuple(conflicts))


def by_sums(tree: Tree, items: Items) -> Thresholds:
    """Algorithm 8: the deepest guards first, each where the sum over all items is least."""
    thresholds = {guard.threshold: NEVER for guard in guards(tree)}
    everything = np.arange(len(items.names))
    for guard in guards(tree):
        then = items.cost(guard.then, thresholds)
        otherwise = items.cost(guard.otherwise, thresholds)
        steps, sums = _sums(items.parallelism[guard.threshold], then, otherwise, everything)
        thresholds[guard.threshold] = float(steps[_last_least(sums)])
    return thresholds


def joint(
    tree: Tree, items: Items, start: Thresholds, effort: int = EFFORT
) -> tuple[Thresholds, bool]:
    """Thresholds with the least sum over all items, and whether that is proven.

    Branch and bound over the guards from the root: a threshold divides the items that arrive into
    those for either side, and what either side takes at least is known. Guards where nothing
    arrives keep their threshold of `start`. After `effort` sets of items, the better of what
    sweeps over the guards make of `start` is returned, unproven. Cost: mostly O(guards * items),
    at worst exponential in the depth of the tree until `effort` ends it.
    """
    search = _Search(items, effort)
    try:
        _, found = search.best(tree, np.arange(len(items.names)))
    except _OutOfEffortError:
        return sweep(tree, items, start), False
    return {**start, **found}, True


def sweep(tree: Tree, items: Items, start: Thresholds) -> Thresholds:
    """Change one threshold at a time while the sum over all items falls: a local optimum."""
    best = dict(start)
    least = float(items.cost(tree, best).sum())
    improved = True
    while improved:
        improved = False
        for guard in reversed(list(guards(tree))):
            name = guard.threshold
            then = items.cost(tree, {**best, name: -NEVER})
            otherwise = items.cost(tree, {**best, name: NEVER})
            steps, sums = _sums(
                items.parallelism[name], then, otherwise, np.arange(len(items.names))
            )
            index = _last_least(sums)
            if sums[index] < least - 1e-12 * abs(least):
                best[name] = float(steps[index])
                least = float(sums[index])
                improved = True
    return best


class _OutOfEffortError(Exception):
    pass


class _Search:
    def __init__(self, items: Items, effort: int) -> None:
        self.items = items
        self.left = effort
        self.known: dict[tuple[int, bytes], tuple[float, Thresholds]] = {}
        self.least: dict[int, Floats] = {}

    def best(self, tree: Tree, rows: Indices) -> tuple[float, Thresholds]:
        """The least sum over some items below a node, and the thresholds of the guards there."""
        if not rows.size:
            return 0.0, {}
        if isinstance(tree, Version):
            return float(self.items.seconds[tree.name][rows].sum()), {}
        if isinstance(tree, Split):
            parts = [self.best(part, rows) for part in tree.parts]
            return sum(p[0] for p in parts), {n: t for p in parts for n, t in p[1].items()}
        key = (id(tree), rows.tobytes())
        if key not in self.known:
            self.known[key] = self._best_of_guard(tree, rows)
        return self.known[key]

    def _best_of_guard(self, guard: Guard, rows: Indices) -> tuple[float, Thresholds]:
        self.left -= 1
        if self.left < 0:
            raise _OutOfEffortError
        parallelism = self.items.parallelism[guard.threshold]
        steps, bounds = _sums(
            parallelism, self._least(guard.then), self._least(guard.otherwise), rows
        )
        least, found = NEVER, dict[str, float]()
        for index in np.lexsort((-np.arange(len(steps)), bounds)):
            if found and bounds[index] >= least - 1e-12 * abs(least):
                break
            yes = parallelism[rows] >= steps[index]
            then, below_then = self.best(guard.then, rows[yes])
            otherwise, below = self.best(guard.otherwise, rows[~yes])
            if then + otherwise < least:
                least = then + otherwise
                found = {guard.threshold: float(steps[index]), **below_then, **below}
        return least, found

    def _least(self, tree: Tree) -> Floats:
        if id(tree) not in self.least:
            self.least[id(tree)] = self.items.least(tree)
        return self.least[id(tree)]


def _sums(
    parallelism: Floats, then: Floats, otherwise: Floats, rows: Indices
) -> tuple[Floats, Floats]:
    """The thresholds that differ, ascending, and the sum over the items for each (formula 3.1)."""
    order = rows[np.argsort(parallelism[rows], kind="stable")]
    steps, first = np.unique(parallelism[order], return_index=True)
    indices = np.append(first, len(order))
    below = np.concatenate(([0.0], np.cumsum(otherwise[order])))
    above = np.concatenate(([0.0], np.cumsum(then[order])))
    return np.append(steps, NEVER), below[indices] + above[-1] - above[indices]


def _last_least(sums: Floats) -> int:
    """The last index of the least sum; sums that differ by rounding are equal."""
    least = sums.min()
    return int(np.flatnonzero(sums <= least + 1e-12 * abs(least))[-1])
