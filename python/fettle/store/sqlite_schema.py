"""The tables of a store's SQLite file (docs/formats.md), and those of earlier releases' files."""

from __future__ import annotations

import uuid

from fettle.store.base import StoreError
from fettle.store.sqlite_file import SqliteFile
from fettle.store.sqlite_upgrade import WITHOUT_RUNS, WITHOUT_STARTS, add_runs, add_starts

FORMAT = "3"
FORMAT_NOTE, GUID_NOTE = "fettle_store", "fettle_store guid"

_SCHEMA = """
CREATE TABLE note(key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE subject(id INTEGER PRIMARY KEY, program TEXT, function TEXT, machine TEXT,
  conditions TEXT, offer TEXT, UNIQUE(program, function, machine, conditions));
CREATE TABLE input(id INTEGER PRIMARY KEY, subject INTEGER NOT NULL, arguments TEXT, content TEXT,
  calls INTEGER, UNIQUE(subject, arguments, content));
CREATE TABLE example(id INTEGER PRIMARY KEY, input INTEGER NOT NULL, call INTEGER,
  features TEXT, feature_seconds TEXT, recorded REAL, UNIQUE(input, call));
CREATE TABLE verdict(example INTEGER NOT NULL, variant TEXT, verdict TEXT, reason TEXT,
  recorded REAL, PRIMARY KEY(example, variant));
CREATE TABLE file(path TEXT PRIMARY KEY, size INTEGER, changed INTEGER, digest TEXT);
CREATE TABLE tuner(host TEXT, pid INTEGER, since TEXT, PRIMARY KEY(host, pid));
"""
# Where and by what runs were made; the runs; their samples; runs that were deleted.
RUN_TABLES = """
CREATE TABLE origin(id INTEGER PRIMARY KEY, host TEXT NOT NULL, device TEXT NOT NULL,
  fettle TEXT NOT NULL, UNIQUE(host, device, fettle));
CREATE TABLE run(id INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, input INTEGER NOT NULL,
  origin INTEGER NOT NULL, began TEXT NOT NULL, rows INTEGER NOT NULL DEFAULT 0);
CREATE INDEX run_of_input ON run(input);
CREATE TABLE sample(run INTEGER NOT NULL, number INTEGER NOT NULL, example INTEGER NOT NULL,
  variant TEXT, metric TEXT NOT NULL, value TEXT, PRIMARY KEY(run, number)) WITHOUT ROWID;
CREATE TABLE forgotten_run(guid TEXT PRIMARY KEY)
"""
# Files of earlier releases in the same format lack these tables.
_OUTPUT = (
    "CREATE TABLE IF NOT EXISTS output(example INTEGER NOT NULL, variant TEXT, "
    "same_bits INTEGER, PRIMARY KEY(example, variant))"
)
_LOST = """
CREATE TABLE IF NOT EXISTS lost(example INTEGER NOT NULL, variant TEXT, seconds REAL,
  PRIMARY KEY(example, variant))
"""


def set_up_tables(file: SqliteFile) -> bool:
    """Creates the tables that the file lacks and converts an older format.

    True if the file had no tables. Raises StoreError for a format that this release cannot read,
    or where the file is another program's. To be called within a transaction.
    """
    is_new: bool = file.one("SELECT count(*) FROM sqlite_master") == 0
    if is_new:
        for statement in _SCHEMA.split(";"):
            file.execute(statement)
        _create_run_tables(file)
        _set_note(file, FORMAT_NOTE, FORMAT)
    known = file.one("SELECT value FROM note WHERE key = ?", FORMAT_NOTE)
    if known == WITHOUT_STARTS:
        add_starts(file)
    if known in (WITHOUT_STARTS, WITHOUT_RUNS):
        file.execute("ALTER TABLE sample RENAME TO sample_without_runs")
        _create_run_tables(file)
        add_runs(file, "sample_without_runs")
        _set_note(file, FORMAT_NOTE, FORMAT)
    elif known != FORMAT:
        raise StoreError(
            f"{file.path} holds measurements in format {known}, this Fettle reads format "
            f"{FORMAT} and earlier ones; use a newer Fettle for it, or give the tuner another "
            "database file"
        )
    for table in (_LOST, _OUTPUT):
        file.execute(table)
    if file.one("SELECT count(*) FROM note WHERE key = ?", GUID_NOTE) == 0:
        _set_note(file, GUID_NOTE, uuid.uuid4().hex)
    return is_new


def _create_run_tables(file: SqliteFile) -> None:
    for statement in RUN_TABLES.split(";"):
        file.execute(statement)


def _set_note(file: SqliteFile, key: str, value: str) -> None:
    file.execute("INSERT OR REPLACE INTO note VALUES(?, ?)", (key, value))
