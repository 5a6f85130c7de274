"""The calls of an input, read from a store's SQLite file."""

from __future__ import annotations

import sqlite3

from fettle.store.base import Example
from fettle.store.rows import (
    count_of,
    flag_of,
    metrics_of,
    name_of,
    numbers_of,
    seconds_of,
    verdict_of,
)
from fettle.store.sqlite_file import SqliteFile
from fettle.store.starts import Sample, comparable


def read_examples(file: SqliteFile, key: int | None) -> list[Example]:
    """All calls of the input with a key, by number. Raises StoreError for a damaged row."""
    found = _features(file, key)
    _add_samples(file, key, found)
    _add_verdicts(file, key, found)
    for row, variant, same in _of_variants(file, key, "output", "same_bits"):
        with file.reading(f"the output of {variant!r}"):
            found[row].bitwise[name_of(variant)] = flag_of(same)
    for row, variant, taken in _of_variants(file, key, "lost", "seconds"):
        with file.reading(f"what a run of {variant!r} took"):
            found[row].lost_seconds[name_of(variant)] = seconds_of(taken)
    return list(found.values())


def _features(file: SqliteFile, key: int | None) -> dict[int, Example]:
    """The calls with their features, by the keys of their rows."""
    found: dict[int, Example] = {}
    for row, call, features, seconds in file.execute(
        "SELECT id, call, features, feature_seconds FROM example WHERE input = ? ORDER BY call",
        (key,),
    ):
        with file.reading("the features of a call"):
            found[row] = Example(count_of(call), numbers_of(features), numbers_of(seconds))
    return found


def _add_samples(file: SqliteFile, key: int | None, found: dict[int, Example]) -> None:
    samples: dict[int, dict[str, list[Sample]]] = {}
    order = "ORDER BY sample.rowid"
    for row, variant, metric, start in _of_variants(file, key, "sample", "metric, start", order):
        with file.reading(f"what {variant!r} was measured at"):
            some = samples.setdefault(row, {}).setdefault(name_of(variant), [])
            some += [Sample(count_of(start), one) for one in metrics_of(metric)]
    for row, its in samples.items():
        found[row].samples = comparable(its)


def _add_verdicts(file: SqliteFile, key: int | None, found: dict[int, Example]) -> None:
    for row, variant, verdict, reason in _of_variants(file, key, "verdict", "verdict, reason"):
        with file.reading(f"what came of {variant!r}"):
            found[row].verdicts[name_of(variant)] = (verdict_of(verdict), name_of(reason))
            if verdict == "measured" and not found[row].samples.get(variant):
                raise ValueError("it counts as measured, but has no samples")


def _of_variants(
    file: SqliteFile, key: int | None, table: str, columns: str, order: str = ""
) -> sqlite3.Cursor:
    """The rows of an input in a table about variants: the call's key, the variant, the columns."""
    return file.execute(
        f"SELECT example, variant, {columns} FROM {table} "
        f"JOIN example ON example.id = example WHERE input = ? {order}",
        (key,),
    )
