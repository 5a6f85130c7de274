"""The instrumentation tuner: sizes vary within a run (Breddam 2019, section 3.5, algorithm 8).

A guard in a loop compares in every iteration, and one threshold must serve them all. A run that
reports its time iteration by iteration tells all about the version that it isolates; from one run
a version, the time of any thresholds is a sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fettle.core.errors import FettleError
from fettle.search.thresholds.exact import Tuned
from fettle.search.thresholds.items import check_parallelism, items_of
from fettle.search.thresholds.solve import EFFORT, by_sums, joint
from fettle.search.thresholds.tree import Run, Thresholds, Tree, check, guards, runs


@dataclass(frozen=True)
class Step:
    """What an instrumented run reports of one iteration (or of what runs once) on a data set.

    `name` tells which, and is the same in every run: "1024.in #3". `parallelism` is what the
    thresholds were compared with; a run needs to report those guards only that it passed.
    """

    name: str
    parallelism: Mapping[str, float]
    seconds: float


def tune_instrumented(
    tree: Tree,
    measure: Callable[[Thresholds], Sequence[Step]],
    *,
    method: Literal["joint", "depth_first"] = "joint",
    effort: int = EFFORT,
) -> Tuned:
    """The best thresholds from one instrumented run of all data sets per version.

    - `measure`: the steps of one run over all data sets, in any order.
    - `method`: "depth_first" is algorithm 8: every iteration counts at every guard, also where a
      guard above takes it. "joint" counts it where it arrives, and is never worse: its thresholds
      are the best there are, if `proven` (see `solve.joint` for `effort`).

    A split takes parts - 1 runs fewer, and its steps are the loop around all of its parts. Raises
    FettleError for runs whose steps differ, invalid times, a threshold that no run
    compares, and steps on which every version fails.
    """
    if method not in ("joint", "depth_first"):
        raise FettleError(f"unknown method {method!r}; take 'joint' or 'depth_first'")
    check(tree)
    plan = runs(tree)
    seconds: list[dict[str, float]] = []
    seen: dict[str, dict[str, float]] = {}
    for run in plan:
        steps = measure(run.thresholds(tree))
        seconds.append(_seconds(run, steps, seconds))
        for step in steps:
            for threshold, value in step.parallelism.items():
                _note(seen.setdefault(step.name, {}), threshold, value, step.name)
    names = tuple(seconds[0])
    columns: dict[str, list[float]] = {}
    for guard in guards(tree):
        column = columns[guard.threshold] = []
        for name in names:
            if guard.threshold not in seen.get(name, {}):
                raise FettleError(
                    f"no run reports what threshold {guard.threshold!r} was compared with in step "
                    f"{name!r}; report the parallelism at every guard that a run passes"
                )
            column.append(seen[name][guard.threshold])
    items = items_of(tree, names, columns, [[row[name] for name in names] for row in seconds])
    finite = items.penalised()
    thresholds, proven = by_sums(tree, finite), False
    if method == "joint":
        thresholds, proven = joint(tree, finite, thresholds, effort)
    return Tuned(thresholds, float(items.cost(tree, thresholds).sum()), len(plan), proven)


def _seconds(
    run: Run, steps: Sequence[Step], earlier: Sequence[Mapping[str, float]]
) -> dict[str, float]:
    label = ", ".join(run.versions)
    if not steps:
        raise FettleError(f"the run of version {label} reports no steps; is it instrumented?")
    found: dict[str, float] = {}
    for step in steps:
        if step.name in found:
            raise FettleError(f"the run of version {label} reports step {step.name!r} twice")
        found[step.name] = step.seconds
    if earlier:
        odd = sorted(found.keys() ^ earlier[0].keys())
        if odd:
            raise FettleError(
                f"the run of version {label} and the first one differ in step {odd[0]!r}; every "
                "run must go through the same iterations of the same data sets"
            )
    return found


def _note(known: dict[str, float], threshold: str, value: float, name: str) -> None:
    value = check_parallelism(value, threshold, name)
    if known.setdefault(threshold, value) != value:
        raise FettleError(
            f"threshold {threshold!r} is compared with {known[threshold]:g} in one run and with "
            f"{value:g} in another in step {name!r}; do the steps have the same names in every run?"
        )
