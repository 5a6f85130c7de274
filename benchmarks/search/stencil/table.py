"""What was measured of the stencils, as a table on the disk that a later run goes on from.

One row a configuration, written as soon as it is measured: the kernel, the parameters, the median
launch in seconds (empty where there is none) and why, what compiling and measuring took, and what
the compiler made. `fettle search simulate` reads the rows of one kernel.
"""

import csv
import lzma
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from space import PARAMETERS

from fettle.search.space import Point

FIGURES = ("seconds", "compile_seconds", "measure_seconds", "launches", "registers", "local_bytes")
HEADER = ("kernel", *PARAMETERS, *FIGURES, "reason")
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Measured:
    """One configuration's median launch; infinite where there is none, and then `reason` says why.

    `compile_seconds` and `measure_seconds` are what it took to find out, whenever that was.
    """

    point: Point
    seconds: float
    compile_seconds: float = 0.0
    measure_seconds: float = 0.0
    launches: int = 0
    registers: int = 0
    local_bytes: int = 0
    reason: str = ""

    @property
    def cost(self) -> float:
        """The seconds of tuning that it took."""
        return self.compile_seconds + self.measure_seconds


def key_of_point(point: Mapping[str, Any]) -> Row:
    """The values of a point, in the order of PARAMETERS."""
    return tuple(point[name] for name in PARAMETERS)


def _written(kernel: str, measured: Measured) -> Row:
    figures = [getattr(measured, name) for name in FIGURES]
    if math.isinf(measured.seconds):
        figures[0] = ""
    shown = [f"{x:.9g}" if isinstance(x, float) else x for x in figures]
    return (kernel, *key_of_point(measured.point), *shown, measured.reason)


def _read(row: Mapping[str, str]) -> tuple[str, Measured]:
    point: Point = {name: row[name] if name == "loading" else int(row[name]) for name in PARAMETERS}
    measured = Measured(
        point,
        float(row["seconds"] or "inf"),
        float(row["compile_seconds"]),
        float(row["measure_seconds"]),
        int(row["launches"]),
        int(row["registers"]),
        int(row["local_bytes"]),
        row["reason"],
    )
    return row["kernel"], measured


def open_text(path: Path, mode: str) -> TextIO:
    """A text file, compressed where its name ends in .xz."""
    if path.suffix == ".xz":
        return lzma.open(path, f"{mode}t", encoding="utf-8", newline="")  # type: ignore[return-value]
    return path.open(mode, encoding="utf-8", newline="")


def read_table(path: Path) -> dict[str, dict[Row, Measured]]:
    """The rows by kernel and by the point's values; a line that was left off is dropped."""
    found: dict[str, dict[Row, Measured]] = {}
    with open_text(path, "r") as file:
        for row in csv.DictReader(file):
            if None in row.values() or None in row:
                continue
            kernel, measured = _read(row)
            found.setdefault(kernel, {})[key_of_point(measured.point)] = measured
    return found


class Table:
    """The file: read when it is opened, appended to row by row."""

    def __init__(self, path: Path | None) -> None:
        self.rows: dict[str, dict[Row, Measured]] = {}
        self._file: TextIO | None = None
        if path is None:
            return
        if path.suffix == ".xz":
            raise SystemExit(f"{path} is compressed, and rows cannot be appended to it; unpack it")
        is_new = not path.exists()
        if not is_new:
            self.rows = read_table(path)
            text = path.read_text(encoding="utf-8")
            if not text.endswith("\n"):
                path.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open_text(path, "a")
        if is_new:
            csv.writer(self._file).writerow(HEADER)

    def find(self, kernel: str, point: Mapping[str, Any]) -> Measured | None:
        """What is known of a point."""
        return self.rows.get(kernel, {}).get(key_of_point(point))

    def add(self, kernel: str, measured: Measured) -> None:
        """One more row."""
        self.rows.setdefault(kernel, {})[key_of_point(measured.point)] = measured
        if self._file is not None:
            csv.writer(self._file).writerow(_written(kernel, measured))

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
