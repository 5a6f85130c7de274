"""The default store: one SQLite file beside the tuning script, written a transaction a record.

Write-ahead logging keeps it whole through kill -9; a full disk or a lock held by another process is
reported and leaves what is there. Several tuners may share a file.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fettle.store.base import Example, InputKey, Offer, StoreError, Subject, Verdict
from fettle.store.file_digest import file_digest
from fettle.store.starts import Sample, comparable

FORMAT = "2"
WITHOUT_STARTS = "1"  # samples did not say which start of the program they are of
LOCK_SECONDS = 30.0
SETTLING_NS = 1_000_000_000

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


class SqliteStore:
    """A `Store` in one file. Not for use by several threads at a time. Context manager."""

    def __init__(self, path: Path, *, lock_seconds: float = LOCK_SECONDS) -> None:
        self.path = path
        self._me = (socket.gethostname(), os.getpid())
        self._lock_seconds = lock_seconds
        with self._errors():
            self._db = sqlite3.connect(path, timeout=lock_seconds, isolation_level=None)
        try:
            with self._errors():
                self._open()
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the use of the file."""
        with contextlib.suppress(sqlite3.Error):
            self._db.execute("DELETE FROM tuner WHERE host = ? AND pid = ?", self._me)
        self._db.close()

    def _open(self) -> None:
        with self._transaction():
            tables = self._one("SELECT count(*) FROM sqlite_master")
            if tables == 0:
                for statement in _SCHEMA.split(";"):
                    self._db.execute(statement)
                self._db.execute("INSERT INTO note VALUES('fettle_store', ?)", (FORMAT,))
            known = self._one("SELECT value FROM note WHERE key = 'fettle_store'")
            if known == WITHOUT_STARTS:
                self._db.execute("ALTER TABLE sample ADD COLUMN start INTEGER NOT NULL DEFAULT 0")
                self._db.execute("UPDATE note SET value = ? WHERE key = 'fettle_store'", (FORMAT,))
                known = FORMAT
            if known != FORMAT:
                raise StoreError(
                    f"{self.path} holds measurements in format {known}, this Fettle reads format "
                    f"{FORMAT}; give the tuner another database file"
                )
            since = time.strftime("%Y-%m-%d %H:%M:%S")
            self._db.execute("INSERT OR REPLACE INTO tuner VALUES(?, ?, ?)", (*self._me, since))
        with contextlib.suppress(sqlite3.OperationalError):  # another tuner may be doing the same
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")

    # -- measurements ------------------------------------------------------------------------

    def examples(self, subject: Subject, given: InputKey) -> list[Example]:
        """All calls of an input so far, by number."""
        with self._errors():
            found: dict[int, Example] = {}
            samples: dict[int, dict[str, list[Sample]]] = {}
            key = self._input(subject, given, create=False)
            for row, call, features, seconds in self._db.execute(
                "SELECT id, call, features, feature_seconds FROM example WHERE input = ? "
                "ORDER BY call",
                (key,),
            ):
                found[row] = Example(call, json.loads(features), json.loads(seconds))
            for row, variant, metric, start in self._db.execute(
                "SELECT example, variant, metric, start FROM sample "
                "JOIN example ON example.id = example WHERE input = ? ORDER BY sample.rowid",
                (key,),
            ):
                some = samples.setdefault(row, {}).setdefault(variant, [])
                some += [Sample(start, one) for one in json.loads(metric)]
            for row, its in samples.items():
                found[row].samples = comparable(its)
            for row, variant, verdict, reason in self._db.execute(
                "SELECT example, variant, verdict, reason FROM verdict "
                "JOIN example ON example.id = example WHERE input = ?",
                (key,),
            ):
                found[row].verdicts[variant] = (verdict, reason)
            return list(found.values())

    def finished_calls(self, subject: Subject, given: InputKey) -> int | None:
        """How many calls the input makes; None while the program has not run to its end."""
        with self._errors():
            key = self._input(subject, given, create=False)
            calls: int | None = self._one("SELECT calls FROM input WHERE id = ?", key)
            return calls

    def starts(self, subject: Subject, given: InputKey) -> int:
        """How many starts of the program have brought samples of an input."""
        with self._errors():
            last = self._one(
                "SELECT max(start) FROM sample JOIN example ON example.id = example "
                "WHERE input = ?",
                self._input(subject, given, create=False),
            )
            return 0 if last is None else 1 + int(last)

    def add_call(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        features: Mapping[str, float],
        feature_seconds: Mapping[str, float],
    ) -> None:
        """Keeps the features of a call, in place of what was known of them."""
        with self._errors(), self._transaction():
            self._db.execute(
                "INSERT INTO example(input, call, features, feature_seconds, recorded) "
                "VALUES(?, ?, ?, ?, ?) ON CONFLICT(input, call) DO UPDATE SET "
                "features = excluded.features, feature_seconds = excluded.feature_seconds",
                (
                    self._input(subject, given),
                    call,
                    json.dumps(dict(features)),
                    json.dumps(dict(feature_seconds)),
                    time.time(),
                ),
            )

    def add_samples(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        variant: str,
        metric: Sequence[float],
        start: int = 0,
    ) -> None:
        """Keeps more samples of a variant, of the program's start of that number."""
        with self._errors(), self._transaction():
            example, now = self._example(subject, given, call), time.time()
            row = (example, variant, json.dumps(list(metric)), now, start)
            self._db.execute("INSERT INTO sample VALUES(?, ?, ?, ?, ?)", row)

    def add_verdict(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        variant: str,
        verdict: Verdict,
        reason: str = "",
    ) -> None:
        """Says what came of a variant; the first verdict holds."""
        with self._errors(), self._transaction():
            row = (self._example(subject, given, call), variant, verdict, reason, time.time())
            self._db.execute("INSERT OR IGNORE INTO verdict VALUES(?, ?, ?, ?, ?)", row)

    def forget_verdicts(
        self, subject: Subject, given: InputKey, call: int, variants: Sequence[str]
    ) -> None:
        """Drops what came of variants; their samples stay, and they are to be measured again."""
        with self._errors(), self._transaction():
            example = self._example(subject, given, call)
            self._db.executemany(
                "DELETE FROM verdict WHERE example = ? AND variant = ?",
                [(example, variant) for variant in variants],
            )

    def finish(self, subject: Subject, given: InputKey, calls: int) -> None:
        """Says that the program ran to its end with this number of calls."""
        with self._errors(), self._transaction():
            key = self._input(subject, given)
            self._db.execute("UPDATE input SET calls = ? WHERE id = ?", (calls, key))

    def forget_failures(self, subject: Subject) -> None:
        """Drops the failed variants of a subject with their samples: they are tried again."""
        with self._errors(), self._transaction():
            failed = (
                "SELECT example, variant FROM verdict JOIN example ON example.id = example "
                "JOIN input ON input.id = example.input WHERE verdict = 'failed' AND subject = ?"
            )
            for table in ("sample", "verdict"):
                self._db.execute(
                    f"DELETE FROM {table} WHERE (example, variant) IN ({failed})",
                    (self._subject(subject),),
                )

    def forget(self, subject: Subject) -> None:
        """Drops everything that is known of a subject, notes whose key names it included."""
        with self._errors(), self._transaction():
            self._db.execute("DELETE FROM note WHERE instr(key, ?)", (str(subject),))
            inputs = "SELECT id FROM input WHERE subject = ?"
            examples = f"SELECT id FROM example WHERE input IN ({inputs})"
            key = (self._subject(subject),)
            self._db.execute(f"DELETE FROM sample WHERE example IN ({examples})", key)
            self._db.execute(f"DELETE FROM verdict WHERE example IN ({examples})", key)
            self._db.execute(f"DELETE FROM example WHERE input IN ({inputs})", key)
            self._db.execute("DELETE FROM input WHERE subject = ?", key)
            self._db.execute("DELETE FROM subject WHERE id = ?", key)

    # -- the program, small facts, files, other tuners ---------------------------------------

    def offer(self, subject: Subject) -> Offer | None:
        """What the program offered when it was last seen."""
        with self._errors():
            text = self._one("SELECT offer FROM subject WHERE id = ?", self._subject(subject))
            if text is None:
                return None
            fields = json.loads(text)
            variants, features = tuple(fields.pop("variants")), tuple(fields.pop("features"))
            return Offer(variants=variants, features=features, **fields)

    def set_offer(self, subject: Subject, offer: Offer) -> None:
        """Keeps what the program offers."""
        with self._errors(), self._transaction():
            row = (json.dumps(vars(offer)), self._subject(subject))
            self._db.execute("UPDATE subject SET offer = ? WHERE id = ?", row)

    def note(self, key: str) -> str | None:
        """A small fact kept between runs of the tuner."""
        with self._errors():
            value: str | None = self._one("SELECT value FROM note WHERE key = ?", key)
            return value

    def set_note(self, key: str, value: str | None) -> None:
        """Keeps a small fact; None drops it."""
        with self._errors(), self._transaction():
            if value is None:
                self._db.execute("DELETE FROM note WHERE key = ?", (key,))
            else:
                self._db.execute("INSERT OR REPLACE INTO note VALUES(?, ?)", (key, value))

    def digest(self, path: Path) -> str:
        """A digest of a file's content, remembered while its size and time of change stay.

        Not of a file that has only just changed: the clock of the file system goes in ticks, and it
        could change again within one.
        """
        name, status = str(path.resolve()), path.stat()
        # Of what stands in the folder: copying an old file over it may set st_mtime back.
        stamp = (status.st_size, status.st_ctime_ns)
        settled = abs(time.time_ns() - status.st_ctime_ns) > SETTLING_NS
        with self._errors():
            row = self._db.execute("SELECT size, changed, digest FROM file WHERE path = ?", (name,))
            for size, changed, digest in row.fetchall():
                if (size, changed) == stamp:
                    return str(digest)
            digest = file_digest(path)
            if not settled:
                return digest
            with self._transaction():
                self._db.execute(
                    "INSERT OR REPLACE INTO file VALUES(?, ?, ?, ?)", (name, *stamp, digest)
                )
            return str(digest)

    def other_tuners(self) -> list[str]:
        """Other tuners that work with this file now; those that have died are dropped."""
        with self._errors(), self._transaction():
            found = []
            for host, pid, since in self._db.execute("SELECT * FROM tuner").fetchall():
                if (host, pid) == self._me:
                    continue
                if host == self._me[0] and not _is_alive(pid):
                    self._db.execute("DELETE FROM tuner WHERE host = ? AND pid = ?", (host, pid))
                else:
                    found.append(f"process {pid} on {host}, since {since}")
            return found

    # -- rows and errors ---------------------------------------------------------------------

    def _one(self, query: str, *values: object) -> Any:
        row = self._db.execute(query, values).fetchone()
        return None if row is None else row[0]

    def _subject(self, subject: Subject) -> int:
        values = (subject.program, subject.function, subject.machine, subject.conditions)
        query = (
            "SELECT id FROM subject WHERE program = ? AND function = ? AND machine = ? "
            "AND conditions = ?"
        )
        if self._one(query, *values) is None:
            self._db.execute(
                "INSERT OR IGNORE INTO subject(program, function, machine, conditions) "
                "VALUES(?, ?, ?, ?)",
                values,
            )
        return int(self._one(query, *values))

    def _input(self, subject: Subject, given: InputKey, *, create: bool = True) -> int | None:
        values = (self._subject(subject), given.arguments, given.content)
        query = "SELECT id FROM input WHERE subject = ? AND arguments = ? AND content = ?"
        if create and self._one(query, *values) is None:
            self._db.execute(
                "INSERT OR IGNORE INTO input(subject, arguments, content) VALUES(?, ?, ?)", values
            )
        key: int | None = self._one(query, *values)
        return key

    def _example(self, subject: Subject, given: InputKey, call: int) -> int:
        key = self._input(subject, given)
        return int(self._one("SELECT id FROM example WHERE input = ? AND call = ?", key, call))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {self._explain(error)}") from error

    def _explain(self, error: sqlite3.Error) -> str:
        text = str(error)
        if "locked" in text or "busy" in text:
            return (
                f"another process has kept the file locked for {self._lock_seconds:.0f} s; end it "
                "or give this tuner a database file of its own"
            )
        if "full" in text or "disk I/O" in text:
            return (
                f"cannot be written ({text}): the disk is full or failing. What was measured up to "
                "here is in the file; make room and run the same script again"
            )
        if "not a database" in text or "malformed" in text or "no such" in text:
            return (
                f"is no Fettle database or is damaged ({text}). Move it away and tune again (all "
                "inputs are then measured anew), or put back a copy"
            )
        if "unable to open" in text or "readonly" in text:
            return f"cannot be opened for writing ({text}); check the folder and its permissions"
        return text


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
