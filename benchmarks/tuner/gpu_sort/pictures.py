"""Figures 4.1 to 4.4 of the dissertation, from the record of gpu_sort: simulated power.

    python benchmarks/tuner/gpu_sort/pictures.py --data FOLDER

writes results/figures/figure_4_1.png to figure_4_4.png. Times are measured at the highest clock;
power, and times at other clocks, are simulated (simulated_power.py), and each picture says so.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from run import OBJECTIVES, ROOT, VARIANTS, fixed_place, measured
from simulated_power import CLOCKS

from fettle.objectives.measured_table import MeasuredTable

FOLDER = ROOT / "benchmarks/results/figures"
NOTE = "times measured on {device}; power and the effect of the clock are simulated"


def by_clock(table: MeasuredTable, keys: np.ndarray, note: str) -> plt.Figure:
    """Figure 4.1: both variants at each clock, on 10M uniform 64-bit keys."""
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.6))
    k = table.runs.inputs.index("uniform-64-10000000")
    ran = table.runs.measured
    titles = ("Throughput (MKeys/s)", "Energy efficiency (MKeys/J)", "Max power (W)")
    for axis, title, name in zip(axes, titles, ("seconds", "joules", "max_watts"), strict=True):
        for v, variant in enumerate(VARIANTS):
            own = ran[name][k, v * len(CLOCKS) : (v + 1) * len(CLOCKS)]
            axis.plot(CLOCKS, own if name == "max_watts" else keys[k] / 1e6 / own, label=variant)
        axis.set(title=title, xlabel="clock (MHz)", ylim=(0, None))
    axes[0].legend()
    figure.suptitle(f"10M 64-bit keys, uniform: {note}", fontsize=9)
    return figure


def clocks_chosen(rows: list[dict[str, Any]], note: str) -> plt.Figure:
    """Figure 4.2: the clocks that exhaustive search selects, by objective."""
    figure, axis = plt.subplots(figsize=(12, 4))
    width = 0.8 / len(OBJECTIVES)
    for k, name in enumerate(OBJECTIVES):
        best = np.array(next(row["best"] for row in rows if row.get("objective") == name))
        share = np.bincount(best % len(CLOCKS), minlength=len(CLOCKS)) / len(best)
        axis.bar(np.arange(len(CLOCKS)) + k * width, 100 * share, width, label=name)
    axis.set_xticks(np.arange(len(CLOCKS)) + 0.4, [str(mhz) for mhz in CLOCKS], rotation=90)
    axis.set(xlabel="clock (MHz)", ylabel="% of test inputs")
    axis.legend(ncols=2)
    figure.suptitle(f"Clocks selected exhaustively: {note}", fontsize=9)
    return figure


def by_size(
    table: MeasuredTable, keys: np.ndarray, rows: list[dict[str, Any]], bits: int, note: str
) -> plt.Figure:
    """Figures 4.3 and 4.4: what the models choose on uniform keys, over radix at the top clock."""
    figure, axes = plt.subplots(3, 1, figsize=(9, 9), sharex=True)
    at = [k for k, name in enumerate(table.runs.inputs) if name.startswith(f"uniform-{bits}-")]
    at.sort(key=lambda k: keys[k])
    ran = table.runs.measured
    radix = np.full(len(at), fixed_place("radix"))
    merge = np.full(len(at), fixed_place("merge"))
    ways = {"radix": radix, "merge": merge}
    for name in OBJECTIVES:
        its = next(r for r in rows if r.get("objective") == name and r["models"] == "joint")
        ways[name] = np.array(its["chosen"])[at]
    titles = ("norm. throughput", "norm. energy efficiency", "norm. max power")
    for axis, title, name in zip(axes, titles, ("seconds", "joules", "max_watts"), strict=True):
        base = ran[name][at, radix]
        for k, (way, chosen) in enumerate(ways.items()):
            ratio = ran[name][at, chosen] / base
            heights = ratio if name == "max_watts" else 1 / ratio
            axis.bar(np.arange(len(at)) + 0.1 * k, heights, 0.1, label=way)
        axis.set(ylabel=title)
    axes[0].legend(ncols=4, fontsize=8)
    axes[-1].set_xticks(np.arange(len(at)) + 0.35, [f"{int(keys[k]):,}" for k in at], rotation=45)
    figure.suptitle(f"{bits}-bit keys, uniform: {note}", fontsize=9)
    return figure


def main() -> None:
    """Draw all four."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    rows = json.loads((ROOT / "benchmarks/results/gpu_sort.json").read_text())["rows"]
    times = [row for row in rows if "set" in row]
    table = measured(times, "test", options.data, 0.0)
    keys = table.values[:, 0]
    note = NOTE.format(device=times[0]["device"])
    FOLDER.mkdir(parents=True, exist_ok=True)
    figures = {
        "figure_4_1": by_clock(table, keys, note),
        "figure_4_2": clocks_chosen(rows, note),
        "figure_4_3": by_size(table, keys, rows, 32, note),
        "figure_4_4": by_size(table, keys, rows, 64, note),
    }
    for name, figure in figures.items():
        figure.tight_layout()
        figure.savefig(FOLDER / f"{name}.png", dpi=100)


if __name__ == "__main__":
    main()
