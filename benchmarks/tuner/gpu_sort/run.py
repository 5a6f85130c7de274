"""Variant and clock of sorting on a GPU, chosen for six objectives of simulated power.

    gpu_sort_times > times.csv
    python benchmarks/common/record.py gpu_sort -- python benchmarks/tuner/gpu_sort/run.py \\
        --data FOLDER --times times.csv --device "NVIDIA H100"

Dissertation 4.2 and 4.3: merge and radix sort (CUB's), 54 sequences to train on and 66 others to
judge by, 25 clocks. The times at the highest clock are measured on a GPU (sort.cu); power and the
effect of the clock on time are simulated (simulated_power.py), and each run's power has 1 % of
noise in training. All six objectives learn from that one set of measurements, with one model of
variant and clock and with one of each. Beside them: the pair that is fastest by a model of time
alone, and the fixed variants at the highest clock. FOLDER is spmv_energy of $FETTLE_DATA. Without
--times the times of the record are judged again.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from simulated_power import CLOCKS, PEAKS, TOP_MHZ, Floats, fitted_draws, seconds_at, watts_at

from fettle.classifiers.clocked import ClockedTreesClassifier, FrequencyModels
from fettle.data.score import share_of_best
from fettle.objectives import MetricTable, Objective, costs_by, declare_metrics, maximize, minimize
from fettle.objectives.clocked import clocked_name
from fettle.objectives.learning import training_set_by
from fettle.objectives.measured_table import MeasuredTable

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "benchmarks/common"))
from record import append_rows  # noqa: E402

VARIANTS = ("merge", "radix")
FEATURES = ("keys", "bits", "ascending_runs")
METRICS = declare_metrics(["seconds", "max_watts", "joules"], {"throughput": "1 / seconds"})
OBJECTIVES = {
    "T/E": "throughput / joules",
    "T/E^2": "throughput / joules**2",
    "T^2/E": "throughput**2 / joules",
    "T/P": "throughput / max_watts",
    "T/P^2": "throughput / max_watts**2",
    "T^2/P": "throughput**2 / max_watts",
}
TIME = minimize("seconds", name="time")
NOISE = 0.01
MODELS: tuple[FrequencyModels, ...] = ("joint", "two")


def wanted() -> list[Objective]:
    """Time alone, then the six objectives."""
    return [TIME, *(maximize(text, name=name) for name, text in OBJECTIVES.items())]


def inputs_of(rows: Sequence[Mapping[str, Any]], which: str) -> dict[str, dict[str, Any]]:
    """The inputs of a set, by name, each with the seconds of both variants."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row["set"] == which:
            one = found.setdefault(str(row["input"]), dict(row))
            one[str(row["variant"])] = float(row["seconds"])
    return found


def measured(
    rows: Sequence[Mapping[str, Any]], which: str, data: Path, noise: float
) -> MeasuredTable:
    """A table with a column each for both variants at all clocks."""
    inputs = inputs_of(rows, which)
    values = np.array([[float(one[name]) for name in FEATURES] for one in inputs.values()])
    keys, bits = values[:, 0], values[:, 1]
    clocks = np.array(CLOCKS, dtype=float)[None, :]
    seconds, watts, peaks, names = [], [], [], []
    for variant, draw in ((name, fitted_draws(data)[name]) for name in VARIANTS):
        top = np.array([one[variant] for one in inputs.values()])
        seconds.append(seconds_at(variant, keys, bits, top, clocks))
        watts.append(watts_at(draw, keys * bits / 32, clocks))
        peaks.append(PEAKS[variant] * watts[-1])
        names += [clocked_name(variant, mhz) for mhz in CLOCKS]
    time_of, random = np.hstack(seconds), np.random.default_rng(26)
    power, peak = (
        np.hstack(part) * random.normal(1.0, noise, time_of.shape) for part in (watts, peaks)
    )
    runs = {"seconds": time_of, "max_watts": peak, "joules": time_of * power}
    return MeasuredTable(
        FEATURES,
        values,
        MetricTable(tuple(inputs), tuple(names), METRICS, runs),
        np.zeros(time_of.shape, dtype=bool),
        tuple(range(len(inputs))),
    )


def fixed_place(variant: str) -> int:
    """The column of a variant at the highest clock."""
    return VARIANTS.index(variant) * len(CLOCKS) + CLOCKS.index(TOP_MHZ)


def ratios(table: MeasuredTable, chosen: Sequence[int], variant: str) -> dict[str, float]:
    """Table 4.1: T, E (work a joule) and P of choices over a variant at the highest clock."""
    rows, column = np.arange(len(chosen)), fixed_place(variant)
    ran = table.runs.measured

    def over(name: str) -> Floats:
        found: Floats = ran[name][rows, chosen] / ran[name][:, column]
        return found

    return {
        "T": float((1 / over("seconds")).mean()),
        "E": float((1 / over("joules")).mean()),
        "P": float(over("max_watts").mean()),
    }


def judged(train: MeasuredTable, test: MeasuredTable) -> Iterator[dict[str, Any]]:
    """The figures, a row an objective and a kind of models, and table 4.1."""
    row = np.arange(len(test.values))
    by_time = None
    winner = {}
    for objective in wanted():
        costs = costs_by(objective, test.runs).costs
        best = costs.argmin(axis=1)
        winner[objective.name] = costs[:, [fixed_place(name) for name in VARIANTS]].argmin(axis=1)
        for models in MODELS:
            begin = time.process_time()
            data, _ = training_set_by(objective, train, "sort")
            fit = ClockedTreesClassifier(models).fit_and_judge(data)
            seconds = time.process_time() - begin
            chosen = fit.chosen.fitted.choose(test.values)
            if by_time is None:
                by_time = chosen
            shares = share_of_best(costs)
            yield {
                "objective": objective.name,
                "models": models,
                "inputs": len(row),
                "share": float(shares[row, chosen].mean()),
                "p5": float(np.percentile(shares[row, chosen], 5)),
                "by_time": float(shares[row, by_time].mean()),
                "fastest": float(shares[row, test.runs.measured["seconds"].argmin(axis=1)].mean()),
                "fixed": {name: float(shares[:, fixed_place(name)].mean()) for name in VARIANTS},
                "fit_seconds": seconds,
                "chosen": [int(k) for k in chosen],
                "best": [int(k) for k in best],
                **{f"over_{name}": ratios(test, chosen, name) for name in VARIANTS},
            }
    changed = float((winner["time"] != winner["T/P^2"]).mean())
    yield {"winner_differs_at_top_clock": changed, "inputs": len(row)}


def main() -> None:
    """Judge, print, append the rows of the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--times", type=Path)
    parser.add_argument("--device", default="")
    options = parser.parse_args()
    if options.times is None:
        path = ROOT / "benchmarks/results/gpu_sort.json"
        rows = [one for one in json.loads(path.read_text())["rows"] if "set" in one]
    else:
        with options.times.open(encoding="utf-8") as file:
            rows = [{**one, "device": options.device} for one in csv.DictReader(file)]
    found = list(
        judged(
            measured(rows, "train", options.data, NOISE), measured(rows, "test", options.data, 0.0)
        )
    )
    append_rows([*rows, *found])
    for one in found:
        print({name: of for name, of in one.items() if name not in ("chosen", "best")})


if __name__ == "__main__":
    main()
