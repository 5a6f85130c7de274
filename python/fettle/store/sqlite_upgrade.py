"""Brings the tables of earlier releases' files up to date; nothing that was measured is lost."""

from __future__ import annotations

import hashlib
from datetime import datetime, timezone

from fettle.store.sqlite_file import SqliteFile

WITHOUT_STARTS = "1"  # samples did not say which start of the program they are of
WITHOUT_RUNS = "2"  # starts of the program were numbers, the same in all files


def add_starts(file: SqliteFile) -> None:
    """From format 1 to 2."""
    file.execute("ALTER TABLE sample ADD COLUMN start INTEGER NOT NULL DEFAULT 0")


def add_runs(file: SqliteFile, samples: str) -> None:
    """From format 2 to 3: the samples of the old table `samples`, which is dropped, get runs.

    A run's guid is made from what it is of and when it began, so that two copies of a file that are
    both converted have the same runs.
    """
    file.execute("INSERT OR IGNORE INTO origin(host, device, fettle) VALUES('', '', '')")
    origin = file.one("SELECT id FROM origin WHERE host = '' AND device = '' AND fettle = ''")
    starts = file.execute(
        "SELECT input, start, min(s.recorded), count(*), program, function, machine, conditions, "
        f"arguments, content FROM {samples} s JOIN example ON example.id = s.example "
        "JOIN input ON input.id = example.input JOIN subject ON subject.id = input.subject "
        "GROUP BY input, start ORDER BY input, start"
    ).fetchall()
    for given, start, recorded, rows, *identity in starts:
        guid = hashlib.blake2b(repr((start, recorded, identity)).encode(), digest_size=16)
        row = (guid.hexdigest(), given, origin, _time(recorded), rows)
        file.execute("INSERT INTO run(guid, input, origin, began, rows) VALUES(?, ?, ?, ?, ?)", row)
        run = file.one("SELECT id FROM run WHERE guid = ?", guid.hexdigest())
        file.execute(
            "INSERT INTO sample SELECT ?, row_number() OVER (ORDER BY s.rowid) - 1, s.example, "
            f"s.variant, '', s.metric FROM {samples} s JOIN example ON example.id = s.example "
            "WHERE input = ? AND start = ?",
            (run, given, start),
        )
    file.execute(f"DROP TABLE {samples}")


def _time(recorded: object) -> str:
    if not isinstance(recorded, float | int):
        return ""
    try:
        return datetime.fromtimestamp(recorded, timezone.utc).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return ""
