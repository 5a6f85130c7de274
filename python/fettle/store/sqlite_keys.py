"""The primary keys of subjects, inputs and calls in a store's SQLite file."""

from __future__ import annotations

from fettle.store.contents import Run
from fettle.store.sqlite_file import SqliteFile, storable
from fettle.store.subject import InputKey, Subject
from fettle.store.this_run import new_run


def subject_key(file: SqliteFile, subject: Subject) -> int:
    """The key of a subject's row, which is inserted where there is none."""
    values = storable((subject.program, subject.function, subject.machine, subject.conditions))
    query = (
        "SELECT id FROM subject WHERE program = ? AND function = ? AND machine = ? "
        "AND conditions = ?"
    )
    key: int | None = file.one(query, *values)
    if key is not None:
        return key
    file.execute(
        "INSERT OR IGNORE INTO subject(program, function, machine, conditions) VALUES(?, ?, ?, ?)",
        values,
    )
    return int(file.one(query, *values))


def input_key(
    file: SqliteFile, subject: Subject, given: InputKey, *, create: bool = True
) -> int | None:
    """The key of an input's row. A missing row is inserted if `create`; else None."""
    values = storable((subject_key(file, subject), given.arguments, given.content))
    query = "SELECT id FROM input WHERE subject = ? AND arguments = ? AND content = ?"
    key: int | None = file.one(query, *values)
    if create and key is None:
        file.execute(
            "INSERT OR IGNORE INTO input(subject, arguments, content) VALUES(?, ?, ?)", values
        )
        key = file.one(query, *values)
    return key


def example_key(file: SqliteFile, given: int, call: int) -> int:
    """The key of a call's row, which must be there, of the input with key `given`."""
    return int(file.one("SELECT id FROM example WHERE input = ? AND call = ?", given, call))


def run_key(file: SqliteFile, given: int, run: Run) -> int:
    """The key of a run of the input with key `given`; its row is inserted where there is none."""
    key: int | None = file.one("SELECT id FROM run WHERE guid = ?", run.guid)
    if key is not None:
        return key
    origin = storable((run.host, run.device, run.fettle))
    file.execute("INSERT OR IGNORE INTO origin(host, device, fettle) VALUES(?, ?, ?)", origin)
    row = file.one("SELECT id FROM origin WHERE host = ? AND device = ? AND fettle = ?", *origin)
    return int(
        file.execute(
            "INSERT INTO run(guid, input, origin, began) VALUES(?, ?, ?, ?)",
            (run.guid, given, row, run.began),
        ).lastrowid
        or 0
    )


def last_run_key(file: SqliteFile, given: int) -> int:
    """The key of the run of an input that arrived last; one is begun where there is none."""
    last: int | None = file.one("SELECT max(id) FROM run WHERE input = ?", given)
    return run_key(file, given, new_run()) if last is None else last
