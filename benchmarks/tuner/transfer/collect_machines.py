"""Makes the tables that machines.py judges of what measure_machine.py has measured.

    python benchmarks/tuner/transfer/collect_machines.py "Xeon, 2 cores"=FOLDER/2 ... --out measured

Each argument is a machine's name and the folder that was measured there. A table a function has a
row an input and machine: its set, features and the seconds of each variant, empty where a variant
has no result. machines.csv has the machines' features; those that some machine lacks are left out,
and the column `size` has the word "few" for at most FEW cores.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import lzma
import math
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[3] / "examples" / "support"))
from figures import FEATURE, SECONDS
from measured import seconds_of

FEW = 2


def text_of(rows: list[list[str]]) -> str:
    """Comma-separated lines."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def number(value: float) -> str:
    """Five digits; empty where there is none."""
    return f"{value:.5g}" if math.isfinite(value) else ""


def table_of(measured: dict[str, Path]) -> str:
    """The table of one function, of the files of each machine."""
    lines: list[list[str]] = []
    for machine, path in measured.items():
        for text in path.read_text(encoding="utf-8").splitlines():
            row: dict[str, Any] = json.loads(text)
            seconds = seconds_of(row)
            if not lines:
                heads = [FEATURE + one for one in row["features"]]
                heads += [SECONDS + one for one in seconds]
                lines.append(["machine", "set", "input", *heads])
            cells = [number(float(one)) for one in row["features"].values()]
            cells += [number(one) for one in seconds.values()]
            lines.append([machine, row["set"], row["input"], *cells])
    return text_of(lines)


def machines_of(folders: dict[str, Path]) -> str:
    """The machines file."""
    known = {
        name: json.loads((folder / "machine.json").read_text(encoding="utf-8"))["features"]
        for name, folder in folders.items()
    }
    common = [
        one for one in next(iter(known.values())) if all(one in its for its in known.values())
    ]
    lines = [["machine", "size", *common]]
    for name, its in known.items():
        size = "few" if its.get("cores", 0) <= FEW else "many"
        lines.append([name, size, *(number(its[one]) for one in common)])
    return text_of(lines)


def main() -> None:
    """collect_machines.py NAME=FOLDER ... --out FOLDER"""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("machines", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    folders = {}
    for argument in options.machines:
        name, _, folder = argument.partition("=")
        folders[name] = Path(folder)
    options.out.mkdir(exist_ok=True)
    (options.out / "machines.csv").write_text(machines_of(folders), encoding="utf-8")
    for function in sorted({file.stem for one in folders.values() for file in one.glob("*.jsonl")}):
        files = {name: folder / f"{function}.jsonl" for name, folder in folders.items()}
        table = table_of({name: file for name, file in files.items() if file.exists()})
        packed = lzma.compress(table.encode(), preset=9)
        (options.out / f"{function}.csv.xz").write_bytes(packed)


if __name__ == "__main__":
    main()
