"""The values that a search has found, in a file that survives the search: one JSON object a line.

The first line names the space; a line that was cut off by the end of the process is dropped.
"""

from __future__ import annotations

import json
import math
from collections.abc import Hashable
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.search.base import as_cost
from fettle.search.space import Point, Space

FORMAT = 1


class SearchFile:
    """The file of a search in one space."""

    def __init__(self, path: Path, space: Space) -> None:
        self._path = path
        self._names = [parameter.name for parameter in space.parameters]
        self._values: list[dict[str, Hashable]] = []
        for parameter in space.parameters:
            for value in parameter.values:
                if not isinstance(value, str | int | float | bool | None):
                    raise FettleError(
                        f"a search with `resume` needs texts, numbers, booleans or None as values; "
                        f"{parameter.name!r} has {value!r}"
                    )
            self._values.append({json.dumps(value): value for value in parameter.values})
        parameters = {name: list(of) for name, of in zip(self._names, self._values, strict=True)}
        reasons = [constraint.reason for constraint in space.constraints]
        self._head = {"fettle_search": FORMAT, "parameters": parameters, "constraints": reasons}

    def read(self) -> dict[tuple[Hashable, ...], float]:
        """What is known, by the values of the parameters in their order; begins a missing file.

        Raises FettleError for a file of another space, or of something else.
        """
        try:
            text = self._path.read_text(encoding="utf-8")
        except FileNotFoundError:
            text = ""
        except (OSError, UnicodeDecodeError) as error:
            raise FettleError(f"cannot resume the search in {self._path}: {error}") from None
        whole = text[: text.rfind("\n") + 1]
        begin = json.dumps(self._head) + "\n"
        if not whole and begin.startswith(text):  # nothing, or a first line that was cut off
            self._write(begin, "w")
            return {}
        if not whole:
            raise FettleError(
                f"{self._path} is not a file of a search; remove it or name another one"
            )
        if whole != text:
            self._write(whole, "w")
        head, *lines = whole.splitlines()
        try:
            if json.loads(head) != self._head:
                raise FettleError(
                    f"{self._path} holds a search in another space, or something else; "
                    "remove it or name another one"
                )
            return dict(self._entry(json.loads(line)) for line in lines)
        except (ValueError, KeyError, TypeError) as error:
            raise FettleError(
                f"{self._path} is not a file of a search ({error}); remove it or name another one"
            ) from None

    def add(self, point: Point, value: float) -> None:
        """Keeps a value; it is in the file on return."""
        row = [point[name] for name in self._names]
        kept = value if math.isfinite(value) else None
        self._write(json.dumps({"point": row, "value": kept}) + "\n", "a")

    def _entry(self, record: dict[str, object]) -> tuple[tuple[Hashable, ...], float]:
        row, value = record["point"], record["value"]
        if not isinstance(row, list) or len(row) != len(self._names):
            raise ValueError(f"the point {row!r}")
        known = zip(self._values, row, strict=True)
        point = []
        for name, (values, one) in zip(self._names, known, strict=True):
            if json.dumps(one) not in values:
                raise ValueError(f"{name} = {one!r} is none of its values")
            point.append(values[json.dumps(one)])
        return tuple(point), math.inf if value is None else as_cost(float(str(value)))

    def _write(self, text: str, mode: str) -> None:
        try:
            with self._path.open(mode, encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise FettleError(f"cannot write {self._path}: {error.strerror}") from None
