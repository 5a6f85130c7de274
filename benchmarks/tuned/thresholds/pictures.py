"""Figures 4.2 and 4.4 to 4.6 of Breddam's thesis as PNG, from the records thresholds_PLATFORM.

python benchmarks/tuned/thresholds/pictures.py [--folder FOLDER]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

RESULTS = Path(__file__).resolve().parents[2] / "results"
PLATFORMS = ("openmp", "cuda")
Record = Mapping[str, Any]


def where(record: Record) -> str:
    """The device of a record."""
    machine = record["machine"]
    return machine["gpus"][0] if machine["gpus"] else f"{machine['cores']} cores"


def draw_simple(records: Sequence[Record], path: Path) -> None:
    """Figure 4.2: speed over moderate flattening on data sets that were left out."""
    picture, axes = plt.subplots(
        len(records), 1, figsize=(10, 3.2 * len(records)), squeeze=False, layout="constrained"
    )
    for panel, record in zip(axes.flat, records, strict=True):
        kinds = {row["programs"]: row["kind"] for row in record["rows"] if "tuner" in row}
        rows = [
            row
            for row in record["rows"]
            if row.get("tunes") is False
            and "tuned_ms" in row
            and kinds.get(row["program"]) == "simple"
        ]
        at = np.arange(len(rows))
        for turn, (way, colour) in enumerate((("untuned", "#b0b7c3"), ("tuned", "#d55e00"))):
            over = [row["moderate_ms"] / row[f"{way}_ms"] for row in rows]
            panel.bar(at + 0.4 * turn - 0.2, over, 0.4, label=way, color=colour)
        panel.axhline(1, color="#888888", lw=0.8)
        panel.set_yscale("log")
        labels = [f"{row['program']} {row['data']}" for row in rows]
        panel.set_xticks(at, labels, rotation=60, ha="right", fontsize=7)
        panel.set_title(f"Speed over moderate flattening, {where(record)}", fontsize=9)
        panel.legend(fontsize=7, frameon=False)
    picture.savefig(path, dpi=150)
    print(path)


def draw_loop(records: Sequence[Record], path: Path) -> None:
    """Figures 4.4 to 4.6: of each tuner on LUD the speed over moderate flattening, its seconds
    and its runs."""
    shown = (
        ("speedup_moderate", "speed over moderate flattening"),
        ("tuning_s", "seconds of its runs"),
        ("runs", "runs"),
    )
    picture, axes = plt.subplots(
        len(records), 3, figsize=(11, 3.2 * len(records)), squeeze=False, layout="constrained"
    )
    for panels, record in zip(axes, records, strict=True):
        rows = [row for row in record["rows"] if row.get("kind") == "loop" and "tuner" in row]
        at = np.arange(len(rows))[::-1]
        for panel, (key, title) in zip(panels, shown, strict=True):
            panel.barh(at, [row[key] for row in rows], 0.7, color="#2a6fbb")
            panel.set_yticks(at, [row["tuner"] for row in rows], fontsize=7)
            panel.set_title(f"{title}, {where(record)}", fontsize=8)
            if key != "speedup_moderate":
                panel.set_xscale("log")
        panels[0].axvline(1, color="#888888", lw=0.8)
    picture.savefig(path, dpi=150)
    print(path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw what there are records of."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--folder", type=Path, default=RESULTS / "figures")
    options = parser.parse_args(arguments)
    mpl.use("Agg")
    paths = [options.results / f"thresholds_{platform}.json" for platform in PLATFORMS]
    records = [json.loads(path.read_text(encoding="utf-8")) for path in paths if path.exists()]
    if not records:
        raise SystemExit(f"no record thresholds_* in {options.results}: run run.py first")
    options.folder.mkdir(parents=True, exist_ok=True)
    draw_simple(records, options.folder / "thresholds_4_2.png")
    draw_loop(records, options.folder / "thresholds_4_4.png")


if __name__ == "__main__":
    main()
