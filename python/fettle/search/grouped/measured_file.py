"""Measured points on disk, a JSON line each: what a search that was interrupted continues with.

    {"subject": "star_2d_xz_r3", "point": {"WX": 32, "WY": 4}, "value": 0.0123, "seconds": 0.41}

`value` is null where the point failed, `seconds` what it cost to compile and to measure. Lines are
only ever added, so a file stays readable whenever a program ends; a torn last line is left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from fettle.core.errors import MALFORMED, FettleError
from fettle.core.written_file import write_whole
from fettle.search.space import Point


@dataclass(frozen=True)
class Measured:
    """What a point gave, infinite where it failed, and the seconds that finding out took."""

    value: float
    seconds: float


class MeasuredPoints:
    """The measured points of several subjects, kept in a file where one is given.

    Reading costs some microseconds a line. FettleError, naming the line, for lines of another form,
    and for a point that has two values.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._file: IO[str] | None = None
        self._known: dict[str, dict[str, Measured]] = {}
        if path is not None and path.exists():
            self._read(path)

    @staticmethod
    def key(point: Mapping[str, object]) -> str:
        """A point as text, whatever the order of its parameters."""
        return json.dumps(point, sort_keys=True)

    def get(self, subject: str, point: Point) -> Measured | None:
        """What is known of a point."""
        return self._known.get(subject, {}).get(self.key(point))

    def add(self, subject: str, point: Point, measured: Measured) -> None:
        """Remember a point, in the file too. FettleError where it is known already."""
        self._keep(subject, point, measured)
        if self._path is None:
            return
        if self._file is None:
            self._file = self._path.open("a", encoding="utf-8")
        value = measured.value if math.isfinite(measured.value) else None
        line = {"subject": subject, "point": point, "value": value, "seconds": measured.seconds}
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()

    def subjects(self) -> tuple[str, ...]:
        """The subjects of which points are known."""
        return tuple(self._known)

    def points(self, subject: str) -> Iterator[tuple[Point, Measured]]:
        """All that is known of a subject, in the order in which it was added."""
        for text, measured in self._known.get(subject, {}).items():
            yield json.loads(text), measured

    def __len__(self) -> int:
        return sum(map(len, self._known.values()))

    def close(self) -> None:
        """Close the file; the next `add` opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _keep(self, subject: str, point: Mapping[str, object], measured: Measured) -> None:
        key = self.key(point)
        its = self._known.setdefault(subject, {})
        if key in its:
            raise FettleError(f"{subject} at {key} is measured twice")
        its[key] = measured

    def _read(self, path: Path) -> None:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise FettleError(f"{path}: no measured points can be read: {error}") from error
        lines = text.splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):
            lines.pop()  # the program ended while it was written
            write_whole(path, "".join(lines).encode())
        for number, line in enumerate(lines, start=1):
            try:
                record = json.loads(line)
                value = math.inf if record["value"] is None else float(record["value"])
                measured = Measured(value, float(record["seconds"]))
                self._keep(str(record["subject"]), dict(record["point"]), measured)
            except (*MALFORMED, FettleError) as error:
                raise FettleError(f"{path}, line {number}: {error}") from error
