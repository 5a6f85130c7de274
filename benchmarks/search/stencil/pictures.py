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
    for row in samples:
        sizes = [int(size) for size in row["best_by_size"]]
        left.plot(sizes, list(row["best_by_size"].values()), lw=1, label=row["sampled"])
    left.set_title("best of a sample over the best of 1000, by sample size", fontsize=8)
    left.legend(fontsize=5, frameon=False)
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
