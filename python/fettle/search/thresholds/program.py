"""Trees with both kinds of guards (Breddam 2019, algorithm 3 and section 2.2).

A guard that compares once on every data set is tuned exactly: the range of thresholds with which a
data set decides as it prefers, intersected over all data sets (algorithm 2). A guard in a loop over
changing sizes is tuned by a search over whole runs (algorithms 4 to 7). Both in one walk, the
deepest guards first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from fettle.core.errors import FettleError
from fettle.search.thresholds.active import Labelling
from fettle.search.thresholds.binary import halved
from fettle.search.thresholds.exact import Tuned
from fettle.search.thresholds.loop_cases import Candidates, Choose, Loop, all_of_them
from fettle.search.thresholds.tree import NEVER, Split, Thresholds, Tree, Version, guards

Strategy = Literal["binary", "active", "exhaustive"]


def tune_program(
    tree: Tree,
    values: Mapping[str, Mapping[str, Sequence[float]]],
    measure: Callable[[Thresholds, str], float],
    *,
    loops: Strategy = "binary",
    seed: int = 0,
) -> Tuned:
    """Tune every guard as it needs: once per data set exactly, in a loop by the strategy `loops`.

    - `values`: for each data set, all that each threshold is compared with in a run.
    - `measure`: seconds with some thresholds on a data set; infinite where that fails.

    `measurements` counts runs of all data sets, without those of which everything is known: a tree
    of simple guards takes one a version. Raises FettleError as the other tuners do.
    """
    ways: Mapping[str, Choose] = {
        "binary": halved,
        "active": Labelling(seed),
        "exhaustive": all_of_them,
    }
    if loops not in ways:
        raise FettleError(f"unknown strategy {loops!r}; take one of {', '.join(ways)}")
    if not values:
        raise FettleError("there are no data sets to tune the thresholds on; give one at least")
    names = [guard.threshold for guard in guards(tree)]
    runs = _Runs(tree, values, measure)
    everything: dict[str, list[float]] = {name: [] for name in names}
    for row in values.values():
        for name, compared in row.items():
            everything.setdefault(name, []).extend(compared)
    loop = Loop(tree, everything, runs.total)

    def choose(at: Candidates, count: int) -> int:
        is_simple = all(len(set(row.get(at.name, ()))) == 1 for row in values.values())
        if not is_simple:
            return ways[loops](at, count)
        for index in (0, count - 1):
            at(index)  # runs it, and refuses seconds that are not a number
        yes, no = (runs.seconds(at.thresholds(index)) for index in (0, count - 1))
        compared = {data_set: row[at.name][0] for data_set, row in values.items()}
        return _exactly(at, loop.candidates[at.name], compared, yes, no)

    return replace(loop.depth_first(choose), measurements=runs.count)


class _Runs:
    """The runs of all data sets; none on which every guard decides as in an earlier one."""

    def __init__(
        self,
        tree: Tree,
        values: Mapping[str, Mapping[str, Sequence[float]]],
        measure: Callable[[Thresholds, str], float],
    ) -> None:
        self.count = 0
        self._tree, self._values, self._measure = tree, values, measure
        self._known: dict[tuple[str, Decisions], float] = {}

    def seconds(self, thresholds: Thresholds) -> dict[str, float]:
        """Of each data set."""
        found, is_new = {}, False
        for data_set, row in self._values.items():
            key = (data_set, decisions(self._tree, thresholds, row))
            if key not in self._known:
                self._known[key], is_new = self._measure(thresholds, data_set), True
            found[data_set] = self._known[key]
        self.count += is_new
        return found

    def total(self, thresholds: Thresholds) -> float:
        """Of all data sets."""
        return sum(self.seconds(thresholds).values())


def _exactly(
    at: Candidates,
    steps: Sequence[float],
    compared: Mapping[str, float],
    yes: Mapping[str, float],
    no: Mapping[str, float],
) -> int:
    """Algorithm 2 for a guard that compares once: the index of its threshold in `steps`.

    For each data set: what is compared, and the seconds where the guard says yes and where no.
    """
    upto = min((compared[one] for one in compared if yes[one] < no[one]), default=NEVER)
    above = max((compared[one] for one in compared if no[one] < yes[one]), default=-NEVER)
    greatest = steps.index(upto)
    if above < upto:
        return greatest
    # No threshold suits every data set: the better end of the crossed ranges.
    return min((greatest, next(i for i, step in enumerate(steps) if step > above)), key=at)


Decisions = tuple[object, ...]


def decisions(
    tree: Tree, thresholds: Thresholds, values: Mapping[str, Sequence[float]]
) -> Decisions:
    """What the guards decide on a data set, of those that it reaches; alike: the same run."""
    if isinstance(tree, Version):
        return (tree.name,)
    if isinstance(tree, Split):
        return tuple(decisions(part, thresholds, values) for part in tree.parts)
    compared = values[tree.threshold]
    yes = sum(thresholds[tree.threshold] <= value for value in compared)
    return (
        yes,
        decisions(tree.then, thresholds, values) if yes else (),
        decisions(tree.otherwise, thresholds, values) if yes < len(compared) else (),
    )
