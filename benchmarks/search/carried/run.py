"""Parameters carried to GPUs that were never measured: the best of ten tried points.

    python benchmarks/common/record.py search_carried -- \\
        python benchmarks/search/carried/run.py --data FOLDER

Each GPU of each space is the target in turn, the others are the sources; the two measurements of
the Titan RTX are one GPU, of which one is a source, and the incomplete one of the RTX 3060 is a
source only. A row a space and GPU: optimum / best of ten points, by the strategy `carried` with and
without device features, by the sources' mean share, by the ten best of the GPU with the most
similar device features, and at random (the mean of 200). FOLDER is search_spaces of $FETTLE_DATA;
devices.csv is from data sheets.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1] / "common"))
sys.path.insert(0, str(FOLDER.parents[2] / "python"))

from record import append_rows  # noqa: E402

from fettle.data.table import read_table  # noqa: E402
from fettle.search.base import Strategy  # noqa: E402
from fettle.search.carried import Carried  # noqa: E402
from fettle.search.carried_model import likeness  # noqa: E402
from fettle.search.random_search import RandomSearch  # noqa: E402
from fettle.search.run import search  # noqa: E402
from fettle.search.table import MeasuredTable, measured_table  # noqa: E402

TRIED = 10
RANDOM_RUNS = 200
SPACES = ("gemm", "convolution_a", "convolution_c")
WAYS = ("carried", "carried_without_device_features", "mean_of_sources", "nearest", "random")
INCOMPLETE = ("gemm", "RTX_3060_laptop")
AGAIN = "_2023"  # the second measurement of one GPU
Devices = Mapping[str, Mapping[str, float]]


def devices() -> Devices:
    """The numbers of devices.csv by the GPUs' names."""
    table = read_table(FOLDER / "devices.csv")
    columns = {name: table.numbers(name) for name in table.columns[2:]}
    return {
        gpu: {name: float(column[i]) for name, column in columns.items()}
        for i, gpu in enumerate(table.cells("machine"))
    }


def is_same(gpu: str, other: str) -> bool:
    """Whether two names are of one GPU."""
    return gpu.removesuffix(AGAIN) == other.removesuffix(AGAIN)


def reached(table: MeasuredTable, strategy: Strategy) -> float:
    """Optimum / best found of one search."""
    found = search(table.space, table.measure, strategy, measurements=TRIED)
    return table.best / found.best_value


def best_of_list(table: MeasuredTable, shares: Sequence[float], strategy: Carried) -> float:
    """Optimum / best of the points with the largest of some shares."""
    order = np.argsort(-np.array(shares), kind="stable")[:TRIED]
    points = [strategy.points.point(strategy.listed[i]) for i in order]
    return table.best / min(table.measure(point) for point in points)


def row_of(
    space: str, gpu: str, tables: Mapping[str, MeasuredTable], known: Devices
) -> dict[str, object]:
    """What each way reaches on one GPU."""
    table = tables[gpu]
    others = [name for name in tables if not is_same(name, gpu) and not name.endswith(AGAIN)]
    sources = [tables[name] for name in others]
    features = [known[name] for name in others]
    without = Carried(table.space, 0, TRIED, sources=sources)
    begun = time.process_time()
    informed = Carried(table.space, 0, TRIED, sources=sources, devices=features, device=known[gpu])
    with_features = reached(table, informed)
    seconds = time.process_time() - begun
    shares = [one.shares for one in informed.sources]
    nearest = int(likeness(informed.sources, known[gpu], 1.0).argmax())
    random = [reached(table, RandomSearch(table.space, seed)) for seed in range(RANDOM_RUNS)]
    return {
        "space": space,
        "gpu": gpu,
        "sources": others,
        "carried": with_features,
        "carried_without_device_features": reached(table, without),
        "mean_of_sources": best_of_list(table, list(np.mean(shares, axis=0)), informed),
        "nearest": best_of_list(table, list(shares[nearest]), informed),
        "nearest_is": others[nearest],
        "random": float(np.mean(random)),
        "seconds": seconds,
    }


def main() -> None:
    """Judge, print, append the rows of the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--spaces", nargs="+", default=SPACES)
    options = parser.parse_args()
    known, rows = devices(), []
    for space in options.spaces:
        files = sorted(options.data.glob(f"{space}__*.csv.xz"))
        tables = {
            path.name.removeprefix(f"{space}__").removesuffix(".csv.xz"): measured_table(path)
            for path in files
            if not path.name.endswith("__runs.csv.xz")
        }
        for gpu in tables:
            if (space, gpu) != INCOMPLETE:
                rows.append(row_of(space, gpu, tables, known))
                print(rows[-1], flush=True)
    for way in (
        "carried",
        "carried_without_device_features",
        "mean_of_sources",
        "nearest",
        "random",
    ):
        print(f"{way}: {np.mean([row[way] for row in rows]):.4f}")
    append_rows(rows)


if __name__ == "__main__":
    main()
