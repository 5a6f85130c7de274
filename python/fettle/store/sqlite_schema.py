"""The tables of a store's SQLite file, and the conversion of files of earlier releases."""

from __future__ import annotations

from fettle.store.base import StoreError
from fettle.store.sqlite_file import SqliteFile

FORMAT = "2"
WITHOUT_STARTS = "1"  # samples did not say which start of the program they are of

_SCHEMA = """
CREATE TABLE note(key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE subject(id INTEGER PRIMARY KEY, program TEXT, function TEXT, machine TEXT,
  conditions TEXT, offer TEXT, UNIQUE(program, function, machine, conditions));
CREATE TABLE input(id INTEGER PRIMARY KEY, subject INTEGER NOT NULL, arguments TEXT, content TEXT,
  calls INTEGER, UNIQUE(subject, arguments, content));
CREATE TABLE example(id INTEGER PRIMARY KEY, input INTEGER NOT NULL, call INTEGER,
  features TEXT, feature_seconds TEXT, recorded REAL, UNIQUE(input, call));
CREATE TABLE sample(example INTEGER NOT NULL, variant TEXT, metric TEXT, recorded REAL,
  start INTEGER NOT NULL DEFAULT 0);
CREATE INDEX sample_of_example ON sample(example);
CREATE TABLE verdict(example INTEGER NOT NULL, variant TEXT, verdict TEXT, reason TEXT,
  recorded REAL, PRIMARY KEY(example, variant));
CREATE TABLE file(path TEXT PRIMARY KEY, size INTEGER, changed INTEGER, digest TEXT);
CREATE TABLE tuner(host TEXT, pid INTEGER, since TEXT, PRIMARY KEY(host, pid));
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

    True if the file had no tables. Raises StoreError for a format that this release cannot read.
    To be called within a transaction.
    """
    is_new: bool = file.one("SELECT count(*) FROM sqlite_master") == 0
    if is_new:
        for statement in _SCHEMA.split(";"):
            file.execute(statement)
        file.execute("INSERT INTO note VALUES('fettle_store', ?)", (FORMAT,))
    known = file.one("SELECT value FROM note WHERE key = 'fettle_store'")
    if known == WITHOUT_STARTS:
        file.execute("ALTER TABLE sample ADD COLUMN start INTEGER NOT NULL DEFAULT 0")
        file.execute("UPDATE note SET value = ? WHERE key = 'fettle_store'", (FORMAT,))
        known = FORMAT
    if known != FORMAT:
        raise StoreError(
            f"{file.path} holds measurements in format {known}, this Fettle reads format "
            f"{FORMAT}; give the tuner another database file"
        )
    for table in (_LOST, _OUTPUT):
        file.execute(table)
    return is_new
