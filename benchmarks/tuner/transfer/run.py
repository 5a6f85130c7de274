"""Share of best on machines never trained on: SpMV formats measured on eight devices.

    python benchmarks/common/record.py transfer -- \\
        python benchmarks/tuner/transfer/run.py --data FOLDER

Each device is the target in turn, the seven others are the sources. Matrices are held out by
thirds: no model has seen a matrix that it is judged by, on whatever device. The methods of
`fettle train --transfer`, without a run on the target and with some matrices measured there, beside
what is simple: extremely randomised trees with device features, the source whose own model is best
(in hindsight), stacking, and training on the target. FOLDER
is spmv_devices of $FETTLE_DATA.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesRegressor

from fettle.data.table import read_table
from fettle.transfer.columns import device_columns, tree_columns
from fettle.transfer.concatenate import without
from fettle.transfer.machines import Machines, read_machines
from fettle.transfer.method import masked_share
from fettle.transfer.methods import AUTO, METHODS, compare
from fettle.transfer.source_models import SourceModels
from fettle.transfer.sources import Measured, measured
from fettle.transfer.target import Transferred
from fettle.transfer.telling_inputs import telling_inputs

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

FEATURES = ("rows", "cols", "nnz", "row_min", "row_mean", "row_var", "row_max", "row_skew")
FORMATS = ("csr_ns", "coo_ns", "ell_ns", "sellp_ns", "hybrid_ns")
THIRDS = 3
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A target, and a third of the matrices that is judged there."""

    sources: Measured
    machines: Machines
    target: Machines
    known: Measured
    """The target's rows of the other matrices."""
    held: Measured
    lacking: NDArray[np.bool_]


def cases(data: Measured, machines: Machines) -> Iterator[tuple[str, Case]]:
    """Every device with every third."""
    thirds = data.folds(THIRDS, 0)
    for place, name in enumerate(data.machines):
        own = data.machine == place
        for third in range(THIRDS):
            kept = data.rows(np.flatnonzero((thirds != third) | own))
            sources, of_sources = without(kept, machines, place)
            yield (
                name,
                Case(
                    sources,
                    of_sources,
                    machines.of([name]),
                    data.rows(np.flatnonzero(own & (thirds != third))),
                    data.rows(np.flatnonzero(own & (thirds == third))),
                    data.absent(place),
                ),
            )


def trees(values: Floats, wanted: Floats) -> ExtraTreesRegressor:
    """Extremely randomised trees on logarithmic relative costs."""
    return ExtraTreesRegressor(60, min_samples_leaf=2, max_features=0.5, random_state=0).fit(
        values, wanted
    )


def with_device_features(case: Case) -> Floats:
    """One forest on features of matrix and device."""
    both = device_columns(np.vstack([case.machines.values, case.target.values]))
    device = np.nan_to_num(both, nan=-99.0)
    table = np.hstack([tree_columns(case.sources.values), device[case.sources.machine]])
    own = np.tile(device[-1], (len(case.held), 1))
    grown = trees(table, case.sources.gains())
    return np.asarray(grown.predict(np.hstack([tree_columns(case.held.values), own])))


def trained_there(case: Case) -> Floats:
    """A forest of the target's own measurements."""
    grown = trees(tree_columns(case.known.values), case.known.gains())
    return np.asarray(grown.predict(tree_columns(case.held.values)))


def stacked(gains: Floats, case: Case, here: NDArray[np.intp], rest: NDArray[np.intp]) -> Floats:
    """A forest on the features and all that the sources' models say."""
    flat = np.moveaxis(gains, 0, 1).reshape(gains.shape[1], -1)
    table = np.hstack([tree_columns(case.held.values), flat])
    return np.asarray(trees(table[here], case.held.gains()[here]).predict(table[rest]))


def shares_of(scores: Floats, case: Case, rows: NDArray[np.intp] | None = None) -> list[Floats]:
    """The masked and the unmasked share of each choice."""
    costs = case.held.costs if rows is None else case.held.costs[rows]
    chosen = np.where(case.lacking, -np.inf, scores).argmax(axis=1)
    plain = costs.min(axis=1) / costs[np.arange(len(costs)), chosen]
    return [masked_share(scores, costs), plain]


Shares = dict[tuple[str, int], list[list[Floats]]]
"""Of a method with so many measured inputs: the masked and the unmasked shares, part by part."""


def judged(case: Case, options: argparse.Namespace) -> tuple[Shares, dict[str, float]]:
    """The shares of all methods on one third of a target, and the seconds that some took."""
    found: Shares = {}
    seconds: dict[str, float] = {}

    def keep(way: str, count: int, shares: list[Floats]) -> None:
        found.setdefault((way, count), []).append(shares)

    values = case.held.values
    gains = SourceModels(case.sources, 0).gains(values)
    for source, own in zip(case.sources.machines, gains, strict=True):
        keep(f"model of {source}", 0, shares_of(own, case))
    start = time.process_time()
    keep("trees with device features", 0, shares_of(with_device_features(case), case))
    seconds["trees with device features"] = time.process_time() - start
    keep("trained there", 0, shares_of(trained_there(case), case))
    for k, variant in enumerate(FORMATS):
        scores = np.tile(np.eye(len(FORMATS))[k], (len(values), 1))
        keep(f"always {variant}", 0, shares_of(scores, case))
    for method in options.methods.split(","):
        start = time.process_time()
        taken = compare(method, case.sources, case.machines, 0).name if method == AUTO else method
        chooser = METHODS[taken]().fit(case.sources, case.machines, 0)
        fitted = Transferred(case.sources, case.machines, chooser, taken, 0)
        scores = fitted.on(case.target, case.lacking).scores(values)
        seconds[method] = time.process_time() - start
        keep(method, 0, shares_of(scores, case))
        for count in map(int, options.measured.split(",")) if method == "blend" else ():
            for seed in range(options.seeds):
                order = np.random.default_rng(seed).permutation(len(values))
                here, rest = order[:count], order[count:]
                choice = fitted.on(case.target, case.lacking, case.held.rows(here))
                keep(method, count, shares_of(choice.scores(values[rest]), case, rest))
                told = telling_inputs(values, count, (), seed)
                others = np.setdiff1d(order, told)
                choice = fitted.on(case.target, case.lacking, case.held.rows(np.array(told)))
                scores = choice.scores(values[others])
                keep("blend, telling inputs", count, shares_of(scores, case, others))
                keep("stacking", count, shares_of(stacked(gains, case, here, rest), case, rest))
    return found, seconds


def main() -> None:
    """Judge, print, append the rows of the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--measured", default="10,25,100")
    parser.add_argument("--methods", default="blend,majority,concatenate,p-dfs,cv-dfs,auto")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    data, _ = measured(
        read_table(options.data / "measured.csv.xz"), "device", ["group", "name"], FEATURES, FORMATS
    )
    machines = read_machines(options.data / "devices.csv", "device", data.machines)
    names, all_cases = zip(*cases(data, machines), strict=True)
    found: dict[tuple[str, str, int], list[list[Floats]]] = {}
    seconds: dict[str, list[float]] = {}
    with ProcessPoolExecutor(options.jobs) as pool:
        done = pool.map(judged, all_cases, [options] * len(all_cases))
        for name, (shares, taken) in zip(names, done, strict=True):
            for (way, count), parts in shares.items():
                found.setdefault((name, way, count), []).extend(parts)
            for way, one in taken.items():
                seconds.setdefault(way, []).append(one)
            print(f"{name} done", file=sys.stderr, flush=True)
    rows = []
    for (name, way, count), parts in found.items():
        masked = np.concatenate([one[0] for one in parts])
        unmasked = np.concatenate([one[1] for one in parts])
        rows.append(
            {
                "device": name,
                "method": way,
                "measured": count,
                "mean": float(masked.mean()),
                "p5": float(np.percentile(masked, 5)),
                "worst": float(masked.min()),
                "unmasked_mean": float(unmasked.mean()),
            }
        )
    rows += [{"method": way, "seconds": float(np.mean(taken))} for way, taken in seconds.items()]
    append_rows(rows)
    for row in rows:
        print(row)


if __name__ == "__main__":
    main()
