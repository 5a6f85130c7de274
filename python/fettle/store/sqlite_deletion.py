"""Deletes measurements from a store's SQLite file: of a subject, of variants, or of features.

Each function is to be called within a transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

from fettle.store.sqlite_file import SqliteFile, storable
from fettle.store.sqlite_keys import subject_key
from fettle.store.subject import Subject

_INPUTS = "SELECT id FROM input WHERE subject = ?"
# The verdicts come last, because delete_failures finds the rows of the other tables by them.
_OF_VARIANTS = ("lost", "output", "verdict")
_SAMPLES = f"DELETE FROM sample WHERE run IN (SELECT id FROM run WHERE input IN ({_INPUTS}))"


def delete_failures(file: SqliteFile, subject: Subject) -> None:
    """Deletes failed variants with their samples, and the verdict that a call has no features."""
    failed = (
        "SELECT example, variant FROM verdict JOIN example ON example.id = example "
        "JOIN input ON input.id = example.input "
        "WHERE verdict IN ('failed', 'featureless') AND subject = ?"
    )
    key = subject_key(file, subject)
    file.execute(f"{_SAMPLES} AND (example, variant) IN ({failed})", (key, key))
    for table in _OF_VARIANTS:
        file.execute(f"DELETE FROM {table} WHERE (example, variant) IN ({failed})", (key,))


def delete_variants(
    file: SqliteFile, subject: Subject, variants: Sequence[str], with_points: Sequence[str]
) -> None:
    """Deletes what is known of variants, and of all points of those `with_points`."""
    _delete_notes_of_inputs(file, subject)
    key = subject_key(file, subject)
    examples = f"SELECT id FROM example WHERE input IN ({_INPUTS})"
    named = [("variant = ?", name) for name in variants]
    named += [("instr(variant, ?) = 1", f"{name} ") for name in with_points]
    for condition, name in named:
        file.execute(f"{_SAMPLES} AND {condition}", (key, name))
        for table in _OF_VARIANTS:
            file.execute(
                f"DELETE FROM {table} WHERE example IN ({examples}) AND {condition}", (key, name)
            )


def delete_features(file: SqliteFile, subject: Subject) -> None:
    """Deletes all features, and everything about inputs that make several calls."""
    _delete_notes_of_inputs(file, subject)
    key = subject_key(file, subject)
    _delete_inputs(file, f"{_INPUTS} AND calls IS NOT 1", key)
    file.execute(
        "UPDATE example SET features = '{}', feature_seconds = '{}' "
        f"WHERE input IN ({_INPUTS})",
        (key,),
    )


def delete_subject(file: SqliteFile, subject: Subject) -> None:
    """Deletes everything about a subject, with the notes whose key contains it."""
    file.execute("DELETE FROM note WHERE instr(key, ?)", storable((str(subject),)))
    key = subject_key(file, subject)
    _delete_inputs(file, _INPUTS, key)
    file.execute("DELETE FROM subject WHERE id = ?", (key,))


def _delete_notes_of_inputs(file: SqliteFile, subject: Subject) -> None:
    """Deletes the notes whose key contains the subject, unless it ends there."""
    file.execute(
        "DELETE FROM note WHERE instr(key, ?1) AND substr(key, -length(?1)) <> ?1",
        (str(subject),),
    )


def _delete_inputs(file: SqliteFile, inputs: str, subject: int) -> None:
    """Deletes the inputs that a query finds with the key of a subject; calls and runs, too."""
    key = (subject,)
    runs = f"FROM run WHERE input IN ({inputs})"
    file.execute(f"INSERT OR IGNORE INTO forgotten_run SELECT guid {runs}", key)
    file.execute(f"DELETE FROM sample WHERE run IN (SELECT id {runs})", key)
    file.execute(f"DELETE {runs}", key)
    examples = f"SELECT id FROM example WHERE input IN ({inputs})"
    for table in _OF_VARIANTS:
        file.execute(f"DELETE FROM {table} WHERE example IN ({examples})", key)
    file.execute(f"DELETE FROM example WHERE input IN ({inputs})", key)
    file.execute(f"DELETE FROM input WHERE id IN ({inputs})", key)
