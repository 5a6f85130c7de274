"""What the programs measured, as trees of versions, and any thresholds replayed on it.

A nest's versions are a chain of guards, as incremental flattening orders them (Breddam 2019, rule
G3 and figure 1.6); the nests of a program, which run one after the other, are a split. What a guard
compares with is the number of threads that its version gives work to.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fettle.search.thresholds import Guard, Split, Step, Thresholds, Tree, Version
from fettle.search.thresholds.tree import guards

# Threads that work together: of a block, lanes of a vector register.
GROUP = {"cuda": 128, "openmp": 8}
UNTUNED = float(2**15)  # what Futhark sets every threshold to
LAST = "flattened"


def parallelism(version: str, rows: int, length: int, group: int) -> float:
    """How many threads a version of a nest gives work to."""
    threads = {
        "outer": rows,
        "inner": rows * group,
        "rows": rows,
        "group_per_row": rows * group,
        "cells": rows * length,
        "group_per_cell": rows * length * group,
    }
    return float(threads[version])


@dataclass(frozen=True)
class Nest:
    """One nest of a program on a data set, in one step of its loop."""

    name: str
    step: int
    rows: int
    length: int
    moderate: str
    us: dict[str, float]


@dataclass
class Program:
    """A program's tree, and what its nests took on each data set."""

    name: str
    group: int
    tunes: dict[str, bool] = field(default_factory=dict)
    """For each data set, whether tuners see it."""
    nests: dict[str, list[Nest]] = field(default_factory=dict)

    def tree(self) -> Tree:
        """All nests' chains. Thresholds and versions are called "nest: version"."""
        chains: dict[str, Tree] = {}
        for nest in next(iter(self.nests.values())):
            if nest.name in chains:
                continue
            tree: Tree = Version(f"{nest.name}: {LAST}")
            for version in reversed([one for one in nest.us if one != LAST]):
                label = f"{nest.name}: {version}"
                tree = Guard(label, Version(label), tree)
            chains[nest.name] = tree
        return Split(tuple(chains.values())) if len(chains) > 1 else next(iter(chains.values()))

    def is_simple(self) -> bool:
        """Whether every threshold compares with one number on a data set."""
        return all(len({nest.step for nest in some}) == 1 for some in self.nests.values())

    def data(self, *, tunes: bool) -> list[str]:
        """The data sets to tune on, or those left out."""
        return [name for name, one in self.tunes.items() if one == tunes]

    def compared(self, data_set: str) -> dict[str, list[float]]:
        """What each threshold is compared with in a run."""
        found: dict[str, list[float]] = {}
        for nest in self.nests[data_set]:
            for version in nest.us:
                if version != LAST:
                    found.setdefault(f"{nest.name}: {version}", []).append(
                        self._threads(nest, version)
                    )
        return found

    def seconds(self, thresholds: Thresholds, data_set: str) -> float:
        """A run with these thresholds."""
        return 1e-6 * sum(nest.us[self._taken(nest, thresholds)] for nest in self.nests[data_set])

    def moderate(self, data_set: str) -> float:
        """A run by moderate flattening."""
        return 1e-6 * sum(nest.us[nest.moderate] for nest in self.nests[data_set])

    def best(self, data_set: str) -> float:
        """A run in which every nest has its best version."""
        return 1e-6 * sum(min(nest.us.values()) for nest in self.nests[data_set])

    def untuned(self, data_set: str) -> float:
        """A run with the thresholds of an untuned program."""
        names = [guard.threshold for guard in guards(self.tree())]
        return self.seconds(dict.fromkeys(names, UNTUNED), data_set)

    def steps(self, thresholds: Thresholds, data_sets: Iterable[str]) -> list[Step]:
        """What an instrumented run reports: of each nest, so that its chain is tuned alone."""
        found = []
        for name in data_sets:
            by_step: dict[int, list[Nest]] = {}
            for nest in self.nests[name]:
                by_step.setdefault(nest.step, []).append(nest)
            for step, nests in by_step.items():
                compared = {
                    f"{nest.name}: {version}": self._threads(nest, version)
                    for nest in nests
                    for version in nest.us
                    if version != LAST
                }
                took = 1e-6 * sum(nest.us[self._taken(nest, thresholds)] for nest in nests)
                found.append(Step(f"{name} #{step}", compared, took))
        return found

    def _threads(self, nest: Nest, version: str) -> float:
        return parallelism(version, nest.rows, nest.length, self.group)

    def _taken(self, nest: Nest, thresholds: Thresholds) -> str:
        for version in nest.us:
            if version == LAST:
                continue
            if thresholds[f"{nest.name}: {version}"] <= self._threads(nest, version):
                return version
        return LAST


def programs_of(rows: Sequence[Mapping[str, Any]]) -> list[Program]:
    """The programs of the rows that the compiled programs recorded."""
    programs: dict[str, Program] = {}
    platform = next(str(row["platform"]) for row in rows if "platform" in row)
    for row in rows:
        if "nest" not in row:
            continue
        program = programs.setdefault(row["program"], Program(row["program"], GROUP[platform]))
        program.tunes[row["data"]] = row["tunes"]
        program.nests.setdefault(row["data"], []).append(
            Nest(row["nest"], row["step"], row["rows"], row["length"], row["moderate"], row["us"])
        )
    return list(programs.values())


def geometric_mean(numbers: Sequence[float]) -> float:
    """Of positive numbers."""
    return math.exp(sum(math.log(number) for number in numbers) / len(numbers))
