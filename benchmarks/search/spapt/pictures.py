"""Figure 7 of Bruel et al. (CCGRID 2019) as PNG: what was measured of each SPAPT kernel.

    python benchmarks/search/spapt/pictures.py [--folder FOLDER]

A panel a kernel, from the record search_spapt: how many of a run's 100 points had which speed-up
over the code that the compiler leaves untransformed, in the authors' runs of random sampling and of
DLMT, and in ours.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from published.figure import row_of

RESULTS = Path(__file__).resolve().parents[2] / "results"
SHOWN = (
    ({"authors": "RS"}, "random sampling, authors", "#9aa3ae"),
    ({"authors": "DLMT"}, "DLMT, authors", "#2a6fbb"),
    ({"strategy": "auto"}, "auto, ours", "#c22"),
)


def draw_steps(panel: Axes, counts: Mapping[str, float], label: str, color: str) -> None:
    """A histogram as a line, over bins of a quarter of a doubling; those without points are 0."""
    found = {round(4 * math.log2(float(step))): count for step, count in counts.items()}
    steps = range(min(found), max(found) + 1)
    edges = [2 ** (step / 4) for step in (*steps, steps.stop)]
    panel.stairs([found.get(step, 0) for step in steps], edges, color=color, label=label, lw=1.4)


def draw(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """All kernels."""
    picture, axes = plt.subplots(4, 3, figsize=(9.5, 8.5), layout="constrained")
    kernels = dict.fromkeys(row["kernel"] for row in rows)
    for panel, kernel in zip(axes.flat, kernels, strict=True):
        for who, label, color in SHOWN:
            row = row_of(rows, kernel=kernel, **who)
            draw_steps(panel, row["speed_ups"], label, color)
        panel.axvline(1, color="#444", linewidth=0.6, linestyle=":")
        panel.set_xscale("log", base=2)
        panel.set_title(kernel, fontsize=9)
    axes.flat[0].legend(fontsize=7)
    picture.supxlabel("speed-up over untransformed code", fontsize=9)
    picture.supylabel("points of a run of 100", fontsize=9)
    picture.savefig(path, dpi=130)
    print(path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--folder", type=Path, default=RESULTS / "figures")
    parser.add_argument("--record", type=Path, default=RESULTS / "search_spapt.json")
    options = parser.parse_args(arguments)
    mpl.use("Agg")
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = json.loads(options.record.read_text(encoding="utf-8"))["rows"]
    draw(rows, options.folder / "doe_figure_7.png")


if __name__ == "__main__":
    main()
