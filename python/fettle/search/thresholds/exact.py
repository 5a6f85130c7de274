"""The exact tuner: every guard compares once on a data set (Breddam 2019, algorithms 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fettle.core.errors import FettleError
from fettle.search.thresholds.items import Items, check_parallelism, items_of
from fettle.search.thresholds.solve import EFFORT, Range, by_ranges, joint
from fettle.search.thresholds.tree import Thresholds, Tree, check, guards, runs

Objective = Literal["total", "relative"]
Conflicts = Literal["joint", "tie_break"]


@dataclass(frozen=True)
class Tuned:
    """Thresholds, and how they came about."""

    thresholds: Thresholds
    seconds: float
    """What all data sets take together with them; infinite if one then fails."""
    measurements: int
    proven: bool
    """Whether no thresholds are better by what was measured."""
    conflicts: tuple[str, ...] = ()
    """Thresholds at which no value is the best for every data set, the deepest first."""
    ranges: Mapping[str, Range] | None = None
    """The values that are the best for every data set; empty at a conflict."""


def tune_exact(
    tree: Tree,
    parallelism: Mapping[str, Mapping[str, float]],
    measure: Callable[[Thresholds, str], float],
    *,
    objective: Objective = "total",
    conflicts: Conflicts = "joint",
    effort: int = EFFORT,
) -> Tuned:
    """The best thresholds, with one measurement per (version, data set).

    - `parallelism`: for each data set, what each threshold is compared with.
    - `measure`: seconds with some thresholds on a data set; infinite where that fails.
    - `objective`: what to lessen at a conflict. "total": the seconds of all data sets together,
      so that long ones count more. "relative": each data set's seconds over its best version's.
    - `conflicts`: "tie_break" is the thesis's: at each conflict the better end of the crossed
      ranges. "joint" finds the thresholds with the least sum (see `solve.joint`).

    The parts of a split are measured together: parts - 1 measurements fewer a data set. Raises
    FettleError for what cannot be tuned: no data sets, a parallelism that is missing or no number,
    invalid times, a data set on which every version fails.
    """
    if objective not in ("total", "relative"):
        raise FettleError(f"unknown objective {objective!r}; take 'total' or 'relative'")
    if conflicts not in ("joint", "tie_break"):
        raise FettleError(
            f"conflicts are not settled by {conflicts!r}; take 'joint' or 'tie_break'"
        )
    check(tree)
    columns = _columns(tree, parallelism)
    names = tuple(parallelism)
    plan = runs(tree)
    measured = [[measure(run.thresholds(tree), name) for name in names] for run in plan]
    items = items_of(tree, names, columns, measured)
    weighed = _weighed(tree, items, objective).penalised()
    found = by_ranges(tree, weighed)
    thresholds, proven = found.thresholds, not found.conflicts
    if found.conflicts and conflicts == "joint":
        thresholds, proven = joint(tree, weighed, found.thresholds, effort)
    return Tuned(
        thresholds,
        float(items.cost(tree, thresholds).sum()),
        len(plan) * len(names),
        proven,
        found.conflicts,
        found.ranges,
    )


def _columns(tree: Tree, parallelism: Mapping[str, Mapping[str, float]]) -> dict[str, list[float]]:
    if not parallelism:
        raise FettleError("there are no data sets to tune the thresholds on; give one at least")
    known = [guard.threshold for guard in guards(tree)]
    for name, row in parallelism.items():
        unknown = [threshold for threshold in row if threshold not in known]
        if unknown:
            raise FettleError(
                f"data set {name!r} has a parallelism for {unknown[0]!r}, which is not a threshold "
                f"of the tree ({', '.join(known) or 'it has none'})"
            )
        missing = [threshold for threshold in known if threshold not in row]
        if missing:
            raise FettleError(
                f"data set {name!r} has no parallelism for threshold {missing[0]!r}; give what the "
                "threshold is compared with"
            )
    return {
        threshold: [
            check_parallelism(row[threshold], threshold, name) for name, row in parallelism.items()
        ]
        for threshold in known
    }


def _weighed(tree: Tree, items: Items, objective: Objective) -> Items:
    if objective == "total":
        return items
    least = items.least(tree)
    positive = least > 0
    return items.weighted(np.where(positive, 1 / np.where(positive, least, 1.0), 1.0))
