"""Figures 5.5 to 5.7 of the dissertation as PNG, from the recorded results.

    python benchmarks/tuned/common/figures.py [--folder FOLDER]

Bars: the reference and the tuned program; marks: exhaustive search and the default rule.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from suite import BENCHMARKS
from tables import KINDS, NAMES, records, rows_of, summary_of

FIGURES = {
    "figure_5_5": ("reduction", "scan", "ndp_spmv"),
    "figure_5_6": ("kmeans",),
    "figure_5_7": ("comd",),
}
MARKS = {"exhaustive": ("_", "#222222"), "default": ("x", "#888888")}


def draw(axes: Any, record: Mapping[str, Any]) -> None:
    """One graph: throughput by test input."""
    summary = summary_of(record)
    rows = rows_of(record, "input")
    positions = np.arange(len(rows))
    bars = [(summary["reference"], "#b0b7c3"), (summary["ours"], "#2a6fbb")]
    for turn, (name, colour) in enumerate(bars):
        values = [row["throughput"].get(name, np.nan) for row in rows]
        axes.bar(positions + 0.4 * turn - 0.2, values, 0.4, label=name, color=colour)
    for name, (mark, colour) in MARKS.items():
        values = [row["throughput"].get(name, np.nan) for row in rows]
        if not np.isnan(values).all():
            axes.plot(positions + 0.2, values, mark, color=colour, label=name, markersize=7)
    many = len(rows) > 10
    axes.set_xticks(
        positions,
        [row["label"] for row in rows],
        rotation=90 if many else 0,
        fontsize=6 if many else 8,
    )
    machine = record["machine"]
    on_gpu = summary["platform"] == "cuda" and machine["gpus"]
    where = machine["gpus"][0] if on_gpu else f"{machine['cores']} cores"
    axes.set_title(f"{summary['title']}, {NAMES[summary['platform']]} ({where})", fontsize=9)
    axes.set_ylabel(summary["unit"], fontsize=8)
    axes.legend(fontsize=7, frameon=False)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw what there are results of."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--results", type=Path, default=BENCHMARKS / "results")
    parser.add_argument("--folder", type=Path, default=BENCHMARKS / "results" / "figures")
    options = parser.parse_args(arguments)
    mpl.use("Agg")
    found = records(options.results)
    options.folder.mkdir(parents=True, exist_ok=True)
    for figure, names in FIGURES.items():
        graphs = [(name, kind) for name in names for kind in KINDS if (name, kind) in found]
        if not graphs:
            continue
        width = 2 if len(graphs) > 1 else 1
        height = -(-len(graphs) // width)
        picture, axes = plt.subplots(
            height, width, figsize=(6.5 * width, 3.2 * height), squeeze=False, layout="constrained"
        )
        for index, graph in enumerate(graphs):
            draw(axes.flat[index], found[graph])
        for empty in axes.flat[len(graphs) :]:
            empty.set_axis_off()
        path = options.folder / f"{figure}.png"
        picture.savefig(path, dpi=150)
        print(path)


if __name__ == "__main__":
    main()
