"""The subjects and inputs that a store's SQLite file has measurements of."""

from __future__ import annotations

from fettle.store.sqlite_file import SqliteFile, storable
from fettle.store.subject import InputKey, Subject


def subjects_in(file: SqliteFile) -> list[Subject]:
    """All subjects, in the order in which they were first seen."""
    rows = file.execute("SELECT program, function, machine, conditions FROM subject ORDER BY id")
    return [Subject(*map(text_of, row)) for row in rows]


def inputs_of(file: SqliteFile, subject: Subject) -> list[InputKey]:
    """All inputs of a subject, in the order in which they were first seen."""
    rows = file.execute(
        "SELECT arguments, content FROM input JOIN subject ON subject.id = subject "
        "WHERE program = ? AND function = ? AND machine = ? AND conditions = ? ORDER BY input.id",
        storable((subject.program, subject.function, subject.machine, subject.conditions)),
    )
    return [InputKey(*map(text_of, row)) for row in rows]


def text_of(value: object) -> str:
    """A text as `storable` has stored it."""
    return value.decode(errors="surrogatepass") if isinstance(value, bytes) else str(value)
