"""Figures 1 and 5 of Bruel et al. (CCGRID 2019) as PNG.

    python benchmarks/search/laplacian/pictures.py [--folder FOLDER]

doe_figure_1: what six samplings measure of z = x^2 + y^2 and a local perturbation, 50 points each;
drawn anew, since it needs no measurement. doe_figure_5: how far from the optimum the searches of
the Laplacian kernel ended, from the record search_laplacian_histogram.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

sys.path.append(str(Path(__file__).resolve().parents[3] / "python"))

from fettle.search.parameter import Parameter
from fettle.search.registry import make_strategy
from fettle.search.run import search
from fettle.search.space import Space

RESULTS = Path(__file__).resolve().parents[2] / "results"
POINTS = 50
SIDE = 41
LINEAR = "z ~ x + y"
QUADRATIC = "z ~ x + y + I(x^2) + I(y^2)"
SAMPLINGS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("Random sampling", "random", {}),
    ("Latin hypercube", "latin_hypercube", {"as_published": False}),
    ("Greedy descent with restart", "greedy_restart", {}),
    ("Simulated annealing", "annealing", {}),
    ("D-optimal, linear model", "dlmt", {"formula": LINEAR}),
    ("D-optimal, quadratic model", "dlmt", {"formula": QUADRATIC}),
)
SHOWN = (
    "random",
    "Latin hypercube, as published",
    "greedy, as published",
    "greedy with restart",
    "genetic, as published",
    "linear model, the paper's formula",
    "DLMT",
    "auto",
)


def surface() -> np.ndarray:
    """z on a grid: the bowl, with a perturbation that has local minima."""
    rng = np.random.default_rng(1)
    axis = np.linspace(-2, 2, SIDE)
    noise = rng.normal(0, 0.35, (SIDE, SIDE))
    found: np.ndarray = axis[:, None] ** 2 + axis[None, :] ** 2 + noise - noise.min()
    return found


def draw_samplings(path: Path) -> None:
    """Figure 1: six panels; a cross a point, the best one in red."""
    z = surface()
    space = Space([Parameter("x", tuple(range(SIDE))), Parameter("y", tuple(range(SIDE)))])
    picture, axes = plt.subplots(2, 3, figsize=(9.5, 6.4), sharex=True, sharey=True)
    for panel, (title, name, options) in zip(axes.flat, SAMPLINGS, strict=True):
        strategy = make_strategy(name, space, 3, POINTS, **options)
        found = search(
            space,
            lambda point: float(z[int(point["x"]), int(point["y"])]),
            strategy,
            measurements=POINTS,
            seconds=None,
        )
        points = [point for point, _ in found.history]
        panel.contour(z.T, levels=8, colors="#b0b7c3", linewidths=0.6)
        panel.plot([p["x"] for p in points], [p["y"] for p in points], "x", color="#2a6fbb", ms=4)
        best = found.best_point
        panel.plot(best["x"], best["y"], "+", color="#c22", ms=12, mew=2)
        panel.set_title(f"{title}: {found.best_value - z.min():.2f} above the least", fontsize=8)
        panel.set_aspect("equal")
    picture.tight_layout()
    picture.savefig(path, dpi=150)
    print(path)


def draw_histograms(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Figure 5: a histogram of slowdowns for each method."""
    shown = [row for name in SHOWN for row in rows if row["case"] == name]
    picture, axes = plt.subplots(
        len(shown), 1, figsize=(6.5, 1.1 * len(shown)), sharex=True, layout="constrained"
    )
    for panel, row in zip(np.atleast_1d(axes), shown, strict=True):
        slowdowns = [float(step) for step in row["histogram"]]
        panel.bar(slowdowns, row["histogram"].values(), 0.05, align="edge", color="#2a6fbb")
        panel.set_xlim(1, 4.05)
        panel.set_title(
            f"{row['case']}: mean {row['mean_slowdown']:.2f}, most {row['max_slowdown']:.2f}",
            fontsize=8,
        )
    picture.supxlabel("slowdown against the optimum (the last bin holds all above 4)", fontsize=8)
    picture.supylabel(f"searches of {shown[0]['repeat']}", fontsize=8)
    picture.savefig(path, dpi=150)
    print(path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw what there is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--folder", type=Path, default=RESULTS / "figures")
    parser.add_argument("--record", type=Path, default=RESULTS / "search_laplacian_histogram.json")
    options = parser.parse_args(arguments)
    mpl.use("Agg")
    options.folder.mkdir(parents=True, exist_ok=True)
    draw_samplings(options.folder / "doe_figure_1.png")
    if options.record.exists():
        rows = json.loads(options.record.read_text(encoding="utf-8"))["rows"]
        draw_histograms(rows, options.folder / "doe_figure_5.png")


if __name__ == "__main__":
    main()
