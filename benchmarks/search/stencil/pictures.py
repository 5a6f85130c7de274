"""Figures 2, 3 and 8 of Garvey and Abdelrahman as PNG, from the record stencil_all.

python benchmarks/search/stencil/pictures.py [--results FOLDER] [--folder FOLDER]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

RESULTS = Path(__file__).resolve().parents[2] / "results"


def main() -> None:
    """Draw the three, side by side."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--folder", type=Path, default=RESULTS / "figures")
    options = parser.parse_args()
    mpl.use("Agg")
    path = options.results / "stencil_all.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    samples = [row for row in record["rows"] if "sampled" in row]
    kernels = [row["microseconds"] for row in record["rows"] if "kernel" in row]
    picture, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
    sizes = [int(size) for size in samples[0]["best_by_size"]]
    curves = np.array([list(row["best_by_size"].values()) for row in samples])
    left.plot(sizes, curves.T, lw=0.6, color="#bbbbbb")
    left.plot(sizes, curves.mean(axis=0), lw=1.5, label="mean")
    left.set_title("best of a sample over the best of 1000, each kernel", fontsize=8)
    left.legend(fontsize=7, frameon=False)
    counts = np.sum([row["speeds"] for row in samples], axis=0)
    middle.bar((np.arange(len(counts)) + 0.5) / len(counts), counts, 0.9 / len(counts))
    middle.set_yscale("log")
    middle.set_title("points of the samples by speed, the best's being 1", fontsize=8)
    gains = [
        times["random_paper"] / min(us for name, us in times.items() if name.startswith("hybrid "))
        for times in kernels
    ]
    right.hist(gains, bins=12)
    right.axvline(1, color="#888888", lw=0.8)
    right.set_title("kernels by hybrid over random search", fontsize=8)
    picture.suptitle(f"{len(kernels)} of 104 kernels, {record['machine']['gpus'][0]}", fontsize=9)
    where = options.folder / "stencil_figures.png"
    picture.savefig(where, dpi=150)
    print(where)


if __name__ == "__main__":
    main()
