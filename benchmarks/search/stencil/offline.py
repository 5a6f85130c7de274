"""Searches of several kernels whose points' values are known, and what they came to.

What a search costs is the compiling and measuring of all its points, whoever had them measured. A
winner's time is that of its one measurement (run.py measures winners again).
"""

import argparse
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, geometric_mean
from typing import Any

from samples import expert_space, random_points
from shapes import StencilKernel
from space import PAPER_LOADING
from specifications import searched, specifications

from fettle.search.base import Strategy
from fettle.search.grouped import Example, Grouped, PartitionModel, Trace, cross_validate
from fettle.search.space import Point

TREES = 300
Row = dict[str, Any]
Search = tuple[str, str]
"""A kernel and what is searched in it: "random", "expert", or "HEURISTIC LOADING"."""


class Listed:
    """A strategy that wants a list of points, whatever they give."""

    def __init__(self, points: Iterable[Point]) -> None:
        self._left = list(points)

    def ask(self) -> Point | None:
        """The next one."""
        return self._left[0] if self._left else None

    def tell(self, point: Point, value: float) -> None:
        """It is done."""
        if self._left and self._left[0] == point:
            self._left.pop(0)

    def ahead(self) -> list[Point]:
        """All that are left."""
        return self._left[1:]


@dataclass(frozen=True)
class Choice:
    """How the loading technique is chosen: by a forest's `top` likeliest, or the oracle's."""

    name: str
    learns: Any = None
    top: int = 1


CHOICES = (
    Choice("predicted", "share"),
    Choice("predicted, as the paper", "label"),
    Choice("predicted two", "share", 2),
)


def all_searches(
    chosen: Sequence[StencilKernel], options: argparse.Namespace
) -> dict[Search, tuple[str, Strategy]]:
    """Every search of every kernel."""
    specs = specifications()
    found: dict[Search, tuple[str, Strategy]] = {}
    for kernel in chosen:
        name = kernel.name
        sample = random_points(kernel, options.random, options.seed)
        found[name, "random"] = (name, Listed(sample))
        found[name, "expert"] = (name, Listed(expert_space(kernel)))
        for heuristic in options.heuristics:
            its = searched(kernel, heuristic)
            for repetitions in options.repetitions:
                for way in PAPER_LOADING:
                    strategy = Grouped(
                        its,
                        options.seed,
                        spec=specs[heuristic],
                        repetitions=repetitions,
                        partition={"loading": way},
                    )
                    found[name, f"{heuristic}, r={repetitions} {way}"] = (name, strategy)
    return found


@dataclass(frozen=True)
class Comparison:
    """The traces of the searches that came to an end."""

    kernels: Mapping[str, StencilKernel]
    traces: Mapping[Search, Trace]

    def complete(self, searches: Sequence[str]) -> list[str]:
        """The kernels in which these and the references ended and found something."""
        needed = ["random", "expert", *searches]
        return [
            name
            for name in self.kernels
            if all(self.traces[name, search].done for search in needed)
            and all(math.isfinite(self.best(name, search)) for search in needed[:2])
            and any(math.isfinite(self.best(name, search)) for search in searches)
        ]

    def best(self, kernel: str, search: str) -> float:
        """The time of what a search found."""
        return self.traces[kernel, search].best[1]

    def row(self, title: str, searches: Mapping[str, Sequence[str]]) -> Row:
        """Of each kernel some searches, of which the best counts, and the cost of all."""
        times = [min(self.best(k, s) for s in some) for k, some in searches.items()]
        traces = [[self.traces[k, s] for s in some] for k, some in searches.items()]
        costs = [math.fsum(trace.seconds for trace in some) for some in traces]
        row: Row = {"search": title, "kernels": len(searches)}
        row["configurations"] = fmean(sum(t.measurements for t in some) for some in traces)
        row["tuning_seconds"] = fmean(costs)
        for other in ("random", "expert"):
            ratios = [self.best(k, other) / t for k, t in zip(searches, times, strict=True)]
            total = math.fsum(self.traces[k, other].seconds for k in searches)
            row[f"speedup_{other}"] = geometric_mean(ratios) if all(ratios) else 0.0
            row[f"cost_share_{other}"] = math.fsum(costs) / total if total else None
        return row

    def rows_of(self, heuristic: str) -> list[Row]:
        """A heuristic predicted in several ways, as the oracle has it, and with each technique."""
        ways = {way: f"{heuristic} {way}" for way in PAPER_LOADING}
        names = self.complete(list(ways.values()))
        if not names:
            return []
        examples = [
            Example(
                name,
                self.kernels[name].features(),
                {way: self.best(name, search) for way, search in ways.items()},
            )
            for name in names
        ]
        rows = []
        for choice in CHOICES if len(examples) > 1 else ():

            def train(others: Sequence[Example], choice: Choice = choice) -> PartitionModel:
                return PartitionModel.fit("loading", others, trees=TREES, learns=choice.learns)

            found = cross_validate(examples, train, top=choice.top)
            chosen = {name: [ways[str(w)] for w in found.predicted[name]] for name in names}
            row = self.row(f"{heuristic}, {choice.name}", chosen)
            row["accuracy"] = found.absolute
            row["penalty_weighted_accuracy"] = found.penalty_weighted
            row["penalty_weighted_geometric"] = found.geometric
            rows.append(row)
        rows.append(
            self.row(f"{heuristic}, oracle", {name: tuple(ways.values()) for name in names})
        )
        for way, search in ways.items():
            row = self.row(f"{heuristic}, {way}", {name: [search] for name in names})
            row["best_of"] = sum(e.times[way] == e.best for e in examples)
            rows.append(row)
        return rows
