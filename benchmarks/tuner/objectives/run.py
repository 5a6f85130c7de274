"""Objectives of time, energy and power: SpMV kernels measured on three devices.

    python benchmarks/common/record.py objectives -- \\
        python benchmarks/tuner/objectives/run.py --data FOLDER

The six metrics of dissertation 4.2.1, of throughput T, energy E and power P (the table has the mean
power, not the largest). On each device each matrix is left out in turn: the models of all
objectives are trained on the others, by what `fettle train --variant-column` does, choices among
models included, and choose for it. Beside them: the model trained on time alone, the fastest kernel
(an oracle by time) and the best fixed kernel, chosen by all matrices. A choice that was not
measured on a matrix has a share of 0. The rows with "variant" are table 4.1: T, E (work a joule)
and P of the choices over those of a fixed kernel. FOLDER is spmv_energy of $FETTLE_DATA.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np

from fettle.classifiers import ExtraTreesClassifier
from fettle.data.score import share_of_best
from fettle.data.table import read_table
from fettle.objectives import declare_metrics, maximize, minimize
from fettle.objectives.learning import training_set_by
from fettle.objectives.measured_table import Columns, MeasuredTable, read_measured

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

FEATURES = (
    "rows",
    "cols",
    "nnz",
    "row_mean",
    "row_sd",
    "bandwidth_scaled",
    "skew",
    "neighbours",
    "row_similarity",
)
METRICS = {
    "T/E": "throughput / joules",
    "T/E^2": "throughput / joules**2",
    "T^2/E": "throughput**2 / joules",
    "T/P": "throughput / watts",
    "T/P^2": "throughput / watts**2",
    "T^2/P": "throughput**2 / watts",
}
TIME = "time"
OBJECTIVES = [minimize("seconds", name=TIME)] + [
    maximize(text, name=name) for name, text in METRICS.items()
]


@cache
def table_of(path: Path, device: str) -> MeasuredTable:
    """The runs of a device."""
    metrics = declare_metrics(["seconds", "watts", "joules"], {"throughput": "1 / seconds"})
    columns = Columns(("matrix",), "variant", FEATURES)
    return read_measured(read_table(path), columns, metrics, {"device": device})


def left_out(path: Path, device: str, place: int) -> tuple[dict[str, int], dict[str, float]]:
    """What the model of each objective chooses for a matrix that it has not seen, and the seconds
    of processor time that fitting it took."""
    warnings.simplefilter("ignore")
    table = table_of(path, device)
    rest = np.delete(np.arange(len(table.values)), place)
    fit, chosen, seconds = None, {}, {}
    for objective in OBJECTIVES:
        start = time.process_time()
        data, _ = training_set_by(objective, table, "spmv")
        found = ExtraTreesClassifier().fit_and_judge(data.rows(rest), fit)
        fit = fit or found
        seconds[objective.name] = time.process_time() - start
        fitted = found.chosen.fitted
        chosen[objective.name] = int(fitted.choose(table.values[place : place + 1])[0])
    return chosen, seconds


def rows_of(
    device: str, table: MeasuredTable, chosen: list[dict[str, int]]
) -> Iterator[dict[str, object]]:
    """The figures of a device."""
    variants, row = table.runs.variants, np.arange(len(table.values))
    sets = {one.name: training_set_by(one, table, "spmv")[0] for one in OBJECTIVES}
    by_time = np.array([one[TIME] for one in chosen])
    for name in METRICS:
        shares = np.nan_to_num(share_of_best(sets[name].costs))
        own = np.array([one[name] for one in chosen])
        fixed = int(shares.mean(axis=0).argmax())
        yield {
            "device": device,
            "metric": name,
            "matrices": len(row),
            "share": float(shares[row, own].mean()),
            "p5": float(np.percentile(shares[row, own], 5)),
            "trained_on_time": float(shares[row, by_time].mean()),
            "fastest": float(shares[row, sets[TIME].costs.argmin(axis=1)].mean()),
            "best_fixed": float(shares[:, fixed].mean()),
            "fixed": variants[fixed],
        }
        ran = table.runs.measured
        for k, variant in enumerate(variants):
            with np.errstate(all="ignore"):
                ratios = {
                    "T": ran["seconds"][:, k] / ran["seconds"][row, own],
                    "E": ran["joules"][:, k] / ran["joules"][row, own],
                    "P": ran["watts"][row, own] / ran["watts"][:, k],
                }
            means = {letter: float(np.nanmean(values)) for letter, values in ratios.items()}
            yield {"device": device, "metric": name, "variant": variant, **means}


def main() -> None:
    """Judge, print, append the rows of the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    path = options.data / "measured.csv.xz"
    rows: list[dict[str, object]] = []
    spent: list[float] = []
    with ProcessPoolExecutor(options.processes) as pool:
        for device in dict.fromkeys(read_table(path).cells("device")):
            table = table_of(path, device)
            count = len(table.values)
            found = list(pool.map(left_out, [path] * count, [device] * count, range(count)))
            rows += rows_of(device, table, [chosen for chosen, _ in found])
            spent += [seconds[name] for _, seconds in found for name in METRICS]
            print(f"{device} done", file=sys.stderr, flush=True)
    rows.append({"fits": len(spent), "seconds_a_fit": float(np.median(spent))})
    append_rows(rows)
    for row in rows:
        if "variant" not in row:
            print(row)


if __name__ == "__main__":
    main()
