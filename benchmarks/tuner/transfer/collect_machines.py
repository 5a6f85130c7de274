"""Makes the tables that machines.py judges of what measure_machine.py has measured.

    python benchmarks/tuner/transfer/collect_machines.py "Xeon, 2 cores"=FOLDER/2 ... --out measured

Each argument is a machine's name and the folder that was measured there. A table a function has a
row an input and machine: its set, features and the seconds of each variant, empty where a variant
has no result. machines.csv has the machines' features; those that some machine lacks are left out,
and the column `size` has the word "few" for at most FEW cores. With --keep other machines that the
tables have already stay there, and columns that either lacks are left out.
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


def lines_of(text: str) -> list[list[str]]:
    """The cells of comma-separated lines."""
    return list(csv.reader(io.StringIO(text)))


def joined(known: list[list[str]], lines: list[list[str]]) -> list[list[str]]:
    """Two tables with the columns that both have; a machine of both is the second one's."""
    if not known:
        return lines
    names = [name for name in known[0] if name in lines[0]]
    found = [names]
    measured = {line[0] for line in lines[1:]}
    for heads, *rows in (known, lines):
        places = [heads.index(name) for name in names]
        found += [
            [row[place] for place in places]
            for row in rows
            if heads is lines[0] or row[0] not in measured
        ]
    return found


def table_of(measured: dict[str, Path]) -> list[list[str]]:
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
    return lines


def machines_of(folders: dict[str, Path]) -> list[list[str]]:
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
    return lines


def main() -> None:
    """collect_machines.py NAME=FOLDER ... --out FOLDER"""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("machines", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--keep", action="store_true", help="the machines that OUT has already")
    options = parser.parse_args()
    folders = {}
    for argument in options.machines:
        name, _, folder = argument.partition("=")
        folders[name] = Path(folder)
    options.out.mkdir(exist_ok=True)
    listed = options.out / "machines.csv"
    keeps = options.keep and listed.exists()
    known = lines_of(listed.read_text(encoding="utf-8")) if keeps else []
    listed.write_text(text_of(joined(known, machines_of(folders))), encoding="utf-8")
    for function in sorted({file.stem for one in folders.values() for file in one.glob("*.jsonl")}):
        files = {name: folder / f"{function}.jsonl" for name, folder in folders.items()}
        lines = table_of({name: file for name, file in files.items() if file.exists()})
        packed = options.out / f"{function}.csv.xz"
        keeps = options.keep and packed.exists()
        known = lines_of(lzma.decompress(packed.read_bytes()).decode()) if keeps else []
        packed.write_bytes(lzma.compress(text_of(joined(known, lines)).encode(), preset=9))


if __name__ == "__main__":
    main()
