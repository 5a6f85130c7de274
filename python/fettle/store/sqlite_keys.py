"""The primary keys of subjects, inputs and calls in a store's SQLite file."""

from __future__ import annotations

from fettle.store.base import InputKey, Subject
from fettle.store.sqlite_file import SqliteFile, storable


def subject_key(file: SqliteFile, subject: Subject) -> int:
    """The key of a subject's row, which is inserted where there is none."""
    values = storable((subject.program, subject.function, subject.machine, subject.conditions))
    query = (
        "SELECT id FROM subject WHERE program = ? AND function = ? AND machine = ? "
        "AND conditions = ?"
    )
    if file.one(query, *values) is None:
        file.execute(
            "INSERT OR IGNORE INTO subject(program, function, machine, conditions) "
            "VALUES(?, ?, ?, ?)",
            values,
        )
    return int(file.one(query, *values))


def input_key(
    file: SqliteFile, subject: Subject, given: InputKey, *, create: bool = True
) -> int | None:
    """The key of an input's row. A missing row is inserted if `create`; else None."""
    values = storable((subject_key(file, subject), given.arguments, given.content))
    query = "SELECT id FROM input WHERE subject = ? AND arguments = ? AND content = ?"
    if create and file.one(query, *values) is None:
        file.execute(
            "INSERT OR IGNORE INTO input(subject, arguments, content) VALUES(?, ?, ?)", values
        )
    key: int | None = file.one(query, *values)
    return key


def example_key(file: SqliteFile, subject: Subject, given: InputKey, call: int) -> int:
    """The key of a call's row, which must be there."""
    key = input_key(file, subject, given)
    return int(file.one("SELECT id FROM example WHERE input = ? AND call = ?", key, call))
