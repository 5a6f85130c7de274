"""How near strategies come to the optimum of measured kernel spaces within a budget.

    python benchmarks/search/spaces/run.py --data FOLDER --pieces FILE measure --repeat 10 \\
        --budgets 25,50,100,200 --strategies random,genetic,auto,kernel_tuner:pso
    python benchmarks/search/spaces/run.py --data FOLDER --pieces FILE record

FOLDER holds `<space>__<GPU>.csv.xz` (columns time_ms and valid). A search's share is the space's
optimum over the best point found; its strategy's figure is the mean over spaces of the mean over
searches, with the seeds 0 to repeat - 1. Strategies of Kernel Tuner (package `kernel_tuner`) are
named `kernel_tuner:NAME`. `measure` appends a line a space, strategy and budget to FILE and leaves
out what is there; `record` writes them all to results/search_spaces.json.

The settings of `auto` were chosen on the spaces of CHOSEN_ON alone, with other seeds; `held_out` is
the mean over the others.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "common"))
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "python"))

import record

from fettle.search.base import Strategy
from fettle.search.registry import make_strategy
from fettle.search.simulate import simulate
from fettle.search.table import MeasuredTable, measured_table

CHOSEN_ON = {
    "convolution_a__A100",
    "convolution_a__GTX_1080Ti",
    "convolution_a__K20",
    "convolution_b__RTX_3060_laptop",
    "convolution_c__A100",
    "convolution_c__MI250X",
    "convolution_c_small__MI50",
    "gemm__A100",
    "gemm__GTX_1080Ti",
    "gemm__K20",
    "gemm__MI50",
    "gemm__RTX_3060_laptop",
}
KERNEL_TUNER = "kernel_tuner:"


def strategy_of(name: str, budget: int, table: MeasuredTable, seed: int) -> Strategy:
    """A strategy of Fettle, for simulate()."""
    return make_strategy(name, table.space, seed, budget)


class Searches:
    """The searches of all strategies on one table."""

    def __init__(self, path: Path) -> None:
        self.table = measured_table(path)
        self._kernel_tuner: Any = None

    def curves(self, name: str, budget: int, repeat: int) -> list[tuple[float, ...]]:
        """Best slowdown after each measurement, a search each."""
        if not name.startswith(KERNEL_TUNER):
            factory = partial(strategy_of, name, budget)
            found = simulate(self.table, name, factory, budget=budget, repeat=repeat)
            return [one.curve for one in found.repetitions]
        if self._kernel_tuner is None:
            from kernel_tuner_strategies import KernelTunerTable

            self._kernel_tuner = KernelTunerTable(self.table)
        name = name.removeprefix(KERNEL_TUNER)
        return [self._kernel_tuner.curve(name, seed, budget) for seed in range(repeat)]


def tables(folder: Path) -> list[Path]:
    """The tables in a folder; single runs are none."""
    found = sorted(p for p in folder.glob("*__*.csv.xz") if not p.name.endswith("__runs.csv.xz"))
    if not found:
        raise SystemExit(f"{folder} has no <space>__<GPU>.csv.xz")
    return found


def read_pieces(path: Path) -> list[dict[str, Any]]:
    """What was measured so far."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def measure(options: argparse.Namespace) -> None:
    """Appends what is missing."""
    keys = ("space", "strategy", "budget")
    done = {tuple(piece[key] for key in keys) for piece in read_pieces(options.pieces)}
    budgets = [int(budget) for budget in options.budgets.split(",")]
    for path in tables(options.data):
        space = path.name.removesuffix(".csv.xz")
        wanted = [
            (space, name, budget)
            for name in options.strategies.split(",")
            for budget in budgets
            if (space, name, budget) not in done
        ]
        searches = Searches(path) if wanted else None
        for _, name, budget in wanted:
            assert searches is not None
            start = time.process_time()
            curves = searches.curves(name, budget, options.repeat)
            seconds = time.process_time() - start
            slowdowns = np.array([curve[-1] if curve else np.inf for curve in curves])
            piece = {
                "space": space,
                "strategy": name,
                "budget": budget,
                "repeat": options.repeat,
                "mean_share": round(float(np.mean(1 / slowdowns)), 5),
                "mean_measured": round(float(np.mean([len(curve) for curve in curves])), 2),
                "seconds_a_search": round(seconds / options.repeat, 4),
            }
            with options.pieces.open("a", encoding="utf-8") as file:
                file.write(json.dumps(piece) + "\n")


def rows_of(pieces: Sequence[dict[str, Any]]) -> list[dict[str, object]]:
    """A row a strategy and budget, best first; those that lack a space are left out."""
    spaces = {piece["space"] for piece in pieces}
    groups: dict[tuple[str, int], dict[str, dict[str, Any]]] = {}
    for piece in pieces:
        groups.setdefault((piece["strategy"], piece["budget"]), {})[piece["space"]] = piece
    rows: list[dict[str, object]] = []
    for (name, budget), found in groups.items():
        if set(found) != spaces:
            continue
        shares = {space: piece["mean_share"] for space, piece in found.items()}
        rows.append(
            {
                "strategy": name,
                "budget": budget,
                "spaces": len(spaces),
                "repeat": min(piece["repeat"] for piece in found.values()),
                "mean_share": round(float(np.mean(list(shares.values()))), 4),
                "chosen_on": _mean(shares, spaces & CHOSEN_ON),
                "held_out": _mean(shares, spaces - CHOSEN_ON),
                "least_share": min(shares.values()),
                "mean_measured": _mean({s: p["mean_measured"] for s, p in found.items()}, spaces),
                "seconds_a_search": _mean(
                    {s: p["seconds_a_search"] for s, p in found.items()}, spaces
                ),
                "shares": dict(sorted(shares.items())),
            }
        )
    return sorted(rows, key=lambda row: (row["budget"], -float(str(row["mean_share"]))))


def _mean(numbers: dict[str, float], spaces: set[str]) -> float:
    return round(float(np.mean([numbers[space] for space in sorted(spaces)])), 4)


def main() -> int:
    """See the file's first lines."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pieces", type=Path, required=True)
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("measure")
    measuring.add_argument("--strategies", required=True)
    measuring.add_argument("--budgets", default="50,200")
    measuring.add_argument("--repeat", type=int, default=20)
    commands.add_parser("record")
    options = parser.parse_args()
    if options.command == "measure":
        measure(options)
        return 0
    rows = rows_of(read_pieces(options.pieces))
    packages = {}
    for package in ("kernel_tuner", "optuna", "cma", "scikit-optimize"):
        try:
            packages[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    command = "python benchmarks/search/spaces/run.py --data FOLDER --pieces FILE record"
    path = record.write("search_spaces", [{"case": "packages", **packages}, *rows], command.split())
    for row in rows:
        print(f"{row['budget']:>4} {row['strategy']:<36} {row['mean_share']} {row['held_out']}")
    print(f"recorded: {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
