"""The paper's setting on real machines: six functions, each machine in turn never trained on.

    python benchmarks/common/record.py transfer_machines -- \\
        python benchmarks/tuner/transfer/machines.py

The folder measured/ beside this file has, for each function, a table of what measure_machine.py
measured on several machines, and machines.csv with their device features. Methods learn from the
sources' training inputs and are judged by the target's test inputs, as in the dissertation; the
original Nitro has learned from the target's own training inputs. All of figures.py, figure 3.5 with
one of the sources removed. Functions of one machine alone are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
from figures import (
    FEATURE,
    SECONDS,
    Case,
    Row,
    best_subset,
    figures_of_sensitivity,
    judged,
    rows_of,
    rows_of_seconds,
    table_of_features,
    table_of_similarity,
)
from numpy.typing import NDArray

from fettle.data.table import read_table
from fettle.transfer.concatenate import without
from fettle.transfer.machines import read_machines
from fettle.transfer.sources import Measured, measured

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

FOLDER = Path(__file__).resolve().parent / "measured"
FEWEST = 3  # sources, of which one can be removed
Flags = NDArray[np.bool_]


class Function:
    """What was measured of one function on all machines."""

    def __init__(self, path: Path, machines: Path) -> None:
        self.name = path.name.split(".")[0]
        table = read_table(path)
        features = [one for one in table.columns if one.startswith(FEATURE)]
        metrics = [one for one in table.columns if one.startswith(SECONDS)]
        rows, kept = measured(table, "machine", ["input"], features, metrics)
        self.data = replace(rows, variants=tuple(one.removeprefix(SECONDS) for one in metrics))
        sets = table.cells("set")
        self.is_training: Flags = np.array([sets[i] == "training" for i in kept])
        self.machines = read_machines(machines, "machine", self.data.machines)

    def without(self, index: int) -> Function:
        """All machines but one."""
        found: Function = object.__new__(Function)
        found.name = self.name
        found.is_training = self.is_training[self.data.machine != index]
        found.data, found.machines = without(self.data, self.machines, index)
        return found

    def part(self, training: bool) -> Measured:
        """The training or the test inputs of all machines."""
        return self.data.rows(np.flatnonzero(self.is_training == training))

    def case(self, place: int) -> Case:
        """One machine as the target, the others its sources."""
        training, test = self.part(True), self.part(False)
        return Case(
            *without(training, self.machines, place),
            self.machines.of([self.data.machines[place]]),
            training.rows(training.of_machine(place)),
            test.rows(test.of_machine(place)),
        )


def rows_of_function(function: Function) -> Iterator[Row]:
    """All figures and tables of one function."""
    what = {"function": function.name}
    training = function.part(True)
    groups = next(iter(function.machines.words.values()), ())
    for row in figures_of_sensitivity(function.part(False), groups):
        yield {**what, **row}
    best = best_subset(training, function.machines)
    for row in table_of_features(training, function.machines, best):
        yield {**what, **row}
    for row in table_of_similarity(function.machines, best):
        yield {**what, **row}
    seconds: list[dict[str, float]] = []
    for place, name in enumerate(function.data.machines):
        case = function.case(place)
        counts = {"training": len(case.known), "test": len(case.held)}
        shares, taken = judged(case)
        seconds.append(taken)
        yield from rows_of(shares, **what, figure="3.4", device=name, **counts)
    yield from rows_of_seconds(seconds, **what)
    if len(function.data.machines) <= FEWEST:
        return
    for index, removed in enumerate(function.data.machines):
        rest = function.without(index)
        for place, name in enumerate(rest.data.machines):
            shares, _ = judged(rest.case(place))
            yield from rows_of(shares, **what, figure="3.5", device=name, removed=removed)


def all_rows(function: Function) -> list[Row]:
    """The rows of a function at once."""
    return list(rows_of_function(function))


def main() -> None:
    """Judge, print, append the rows of the record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("functions", nargs="*", help="all where none is named")
    options = parser.parse_args()
    functions = [
        Function(path, options.folder / "machines.csv")
        for path in sorted(options.folder.glob("*.csv.xz"))
    ]
    wanted = [
        one
        for one in functions
        if one.name in (options.functions or [one.name]) and len(one.data.machines) > 1
    ]
    with ProcessPoolExecutor(options.jobs) as pool:
        for rows in pool.map(all_rows, wanted):
            append_rows(rows)
            for row in rows:
                if row.get("figure") == "3.4":
                    print(row, flush=True)


if __name__ == "__main__":
    main()
