"""The figures and tables of the dissertation's chapter 3, on SpMV formats measured on six GPUs.

    python benchmarks/common/record.py transfer_dissertation -- \\
        python benchmarks/tuner/transfer/dissertation.py --data FOLDER

All of figures.py, for figure 3.4 each device the target and five the sources, for figure 3.5 with
one of the sources removed. Matrices are held out by thirds, those of figure 3.5 once. P-DFS has no
profiles here and goes by costs. FOLDER is spmv_devices of $FETTLE_DATA.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from figures import (
    Case,
    Floats,
    Row,
    best_subset,
    figures_of_sensitivity,
    judged,
    only,
    rows_of,
    rows_of_seconds,
    table_of_features,
    table_of_similarity,
)
from run import FEATURES, FORMATS, THIRDS

from fettle.data.table import read_table
from fettle.transfer.concatenate import without
from fettle.transfer.machines import Machines, read_machines
from fettle.transfer.sources import Measured, measured

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

THREE = range(THIRDS)
OTHERS = ("Gen9", "Xeon6230")  # a GPU without all formats, and a processor


def case_of(data: Measured, machines: Machines, place: int, third: int) -> Case:
    """The sources' rows of two thirds of the inputs, and the target's of both parts."""
    thirds = data.folds(THIRDS, 0)
    own = data.machine == place
    kept = data.rows(np.flatnonzero((thirds != third) | own))
    return Case(
        *without(kept, machines, place),
        machines.of([data.machines[place]]),
        data.rows(np.flatnonzero(own & (thirds != third))),
        data.rows(np.flatnonzero(own & (thirds == third))),
    )


def together(parts: Sequence[dict[str, Floats]]) -> dict[str, Floats]:
    """The shares of each method on several thirds of the inputs."""
    return {name: np.concatenate([one[name] for one in parts]) for name in parts[0]}


def main() -> None:
    """Judge, print, append the rows of the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    table = read_table(options.data / "measured.csv.xz")
    data, _ = measured(table, "device", ["group", "name"], FEATURES, FORMATS)
    machines = read_machines(options.data / "devices.csv", "device", data.machines)
    data, machines = only(data, machines, OTHERS)
    rows: list[Row] = []

    def keep(more: Iterator[Row]) -> None:
        for row in more:
            rows.append(row)
            print(row, flush=True)

    keep(figures_of_sensitivity(data, machines.words["architecture"]))
    best = best_subset(data, machines)
    keep(table_of_features(data, machines, best))
    keep(table_of_similarity(machines, best))
    everyone = range(len(data.machines))
    side_by_side = [case_of(data, machines, place, third) for place in everyone for third in THREE]
    removals = [
        (gone, name, case_of(rest, of_rest, place, 0))
        for gone in data.machines
        for rest, of_rest in [only(data, machines, [gone])]
        for place, name in enumerate(rest.machines)
    ]
    with ProcessPoolExecutor(options.jobs) as pool:
        done = list(pool.map(judged, side_by_side))
        for place, name in enumerate(data.machines):
            shares = together([one for one, _ in done[THIRDS * place : THIRDS * (place + 1)]])
            keep(rows_of(shares, figure="3.4", device=name))
        keep(rows_of_seconds([taken for _, taken in done]))
        found = pool.map(judged, [case for _, _, case in removals])
        for (gone, name, _), (shares, _) in zip(removals, found, strict=True):
            keep(rows_of(shares, figure="3.5", device=name, removed=gone))
    append_rows(rows)


if __name__ == "__main__":
    main()
