"""All that is held of an input, read from a store's SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from fettle.store.contents import Contents, Row, Run, StoredRun
from fettle.store.rows import (
    count_of,
    flag_of,
    metrics_of,
    metrics_of_all,
    name_of,
    numbers_of,
    seconds_of,
    verdict_of,
)
from fettle.store.sqlite_file import SqliteFile


def read_contents(file: SqliteFile, key: int | None) -> Contents:
    """What there is of the input with a key. Raises StoreError for a damaged row."""
    found = Contents()
    if key is None:
        return found
    with file.reading("how many calls an input makes"):
        calls = file.one("SELECT calls FROM input WHERE id = ?", key)
        found.calls = None if calls is None else count_of(calls)
    numbers = _features(file, key, found)
    _read_runs(file, key, found, numbers)
    for row, variant, verdict, reason in _of_variants(file, key, "verdict", "verdict, reason"):
        with file.reading(f"what came of {variant!r}"):
            found.verdicts[numbers[row], name_of(variant)] = (verdict_of(verdict), name_of(reason))
    for row, variant, same in _of_variants(file, key, "output", "same_bits"):
        with file.reading(f"the output of {variant!r}"):
            found.bitwise[numbers[row], name_of(variant)] = flag_of(same)
    for row, variant, taken in _of_variants(file, key, "lost", "seconds"):
        with file.reading(f"what a run of {variant!r} took"):
            found.lost_seconds[numbers[row], name_of(variant)] = seconds_of(taken)
    return found


def _features(file: SqliteFile, key: int, found: Contents) -> dict[int, int]:
    """Reads the features of calls; returns the calls' numbers by the keys of their rows."""
    numbers: dict[int, int] = {}
    for row, call, features, seconds in file.execute(
        "SELECT id, call, features, feature_seconds FROM example WHERE input = ? ORDER BY call",
        (key,),
    ):
        with file.reading("the features of a call"):
            numbers[row] = count_of(call)
            found.features[numbers[row]] = numbers_of(features), numbers_of(seconds)
    return numbers


def _read_runs(file: SqliteFile, key: int, found: Contents, numbers: dict[int, int]) -> None:
    runs: dict[int, StoredRun] = {}
    for row, guid, count, host, device, fettle, began in file.execute(
        "SELECT run.id, guid, rows, host, device, fettle, began FROM run "
        "LEFT JOIN origin ON origin.id = origin WHERE input = ? ORDER BY run.id",
        (key,),
    ):
        with file.reading("a run"):
            run = Run(
                name_of(guid), name_of(host), name_of(device), name_of(fettle), name_of(began)
            )
            runs[row] = found.runs[run.guid] = StoredRun(run, count_of(count))
    # One query a run: the rows of a run lie together, in order.
    for row, stored in runs.items():
        rows = file.execute(
            "SELECT number, example, variant, metric, value FROM sample WHERE run = ? "
            "ORDER BY number",
            (row,),
        ).fetchall()
        try:
            stored.rows = _rows(rows, metrics_of_all([one[4] for one in rows]), numbers)
        except (ValueError, KeyError):
            _name_damaged(file, rows, numbers)
            raise


_Columns = tuple[int, int, str, str, object]


def _rows(
    rows: Sequence[_Columns], values: Iterable[list[float]], numbers: dict[int, int]
) -> list[Row]:
    return [
        Row(number, numbers[example], name_of(variant), name_of(metric), tuple(its))
        for (number, example, variant, metric, _), its in zip(rows, values, strict=True)
    ]


def _name_damaged(file: SqliteFile, rows: Sequence[_Columns], numbers: dict[int, int]) -> None:
    """Raises StoreError for the row that cannot be read."""
    for row in rows:
        with file.reading(f"what {row[2]!r} was measured at"):
            _rows([row], [metrics_of(row[4])], numbers)


def _of_variants(file: SqliteFile, key: int, table: str, columns: str) -> sqlite3.Cursor:
    """The rows of an input in a table about variants: the call's key, the variant, the columns."""
    return file.execute(
        f"SELECT example, variant, {columns} FROM {table} "
        "JOIN example ON example.id = example WHERE input = ? ORDER BY example, variant",
        (key,),
    )
