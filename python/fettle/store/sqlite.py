"""The default store: one SQLite file beside the tuning script, written a transaction a record.

Write-ahead logging keeps it whole through kill -9, and syncing the log at the end of each
transaction through a power cut; a full disk, a lock held by another process and damaged rows are
reported and leave what is there. Several tuners may share a file.
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
from fettle.store.explanations import damaged, explain
from fettle.store.file_digest import file_digest
from fettle.store.rows import (
    count_of,
    flag_of,
    metrics_of,
    name_of,
    numbers_of,
    numbers_text,
    offer_of,
    offer_text,
    seconds_of,
    verdict_of,
)
from fettle.store.starts import Sample, comparable
from fettle.written_file import make_durable

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
_OUTPUT = (
    "CREATE TABLE IF NOT EXISTS output(example INTEGER NOT NULL, variant TEXT, "
    "same_bits INTEGER, PRIMARY KEY(example, variant))"
)
_LOST = """
CREATE TABLE IF NOT EXISTS lost(example INTEGER NOT NULL, variant TEXT, seconds REAL,
  PRIMARY KEY(example, variant))
"""

_INPUTS = "SELECT id FROM input WHERE subject = ?"
_OF_VARIANTS = (
    "sample",
    "lost",
    "output",
    "verdict",
)  # the verdicts last: others are found by them


class SqliteStore:
    """A `Store` in one file. Not for use by several threads at a time. Context manager."""

    def __init__(self, path: Path, *, lock_seconds: float = LOCK_SECONDS) -> None:
        self.path = path
        self._me = (socket.gethostname(), os.getpid())
        self._lock_seconds = lock_seconds
        self._together = False
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
        self._db.execute("PRAGMA synchronous = FULL")  # the log of each transaction is synced
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
            for table in (_LOST, _OUTPUT):  # which files of earlier releases lack
                self._db.execute(table)
            since = time.strftime("%Y-%m-%d %H:%M:%S")
            self._db.execute("INSERT OR REPLACE INTO tuner VALUES(?, ?, ?)", (*self._me, since))
        with contextlib.suppress(sqlite3.OperationalError):  # another tuner may be doing the same
            self._db.execute("PRAGMA journal_mode = WAL")
        if tables == 0 and self.path.exists():  # not one in memory
            make_durable(self.path.parent)

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
                with self._reading("the features of a call"):
                    found[row] = Example(count_of(call), numbers_of(features), numbers_of(seconds))
            for row, variant, metric, start in self._db.execute(
                "SELECT example, variant, metric, start FROM sample "
                "JOIN example ON example.id = example WHERE input = ? ORDER BY sample.rowid",
                (key,),
            ):
                with self._reading(f"what {variant!r} was measured at"):
                    some = samples.setdefault(row, {}).setdefault(name_of(variant), [])
                    some += [Sample(count_of(start), one) for one in metrics_of(metric)]
            for row, its in samples.items():
                found[row].samples = comparable(its)
            for row, variant, verdict, reason in self._db.execute(
                "SELECT example, variant, verdict, reason FROM verdict "
                "JOIN example ON example.id = example WHERE input = ?",
                (key,),
            ):
                with self._reading(f"what came of {variant!r}"):
                    found[row].verdicts[name_of(variant)] = (verdict_of(verdict), name_of(reason))
                    if verdict == "measured" and not found[row].samples.get(variant):
                        raise ValueError("it is measured, and there is no sample of it")
            for row, variant, same in self._db.execute(
                "SELECT example, variant, same_bits FROM output "
                "JOIN example ON example.id = example WHERE input = ?",
                (key,),
            ):
                with self._reading(f"the output of {variant!r}"):
                    found[row].bitwise[name_of(variant)] = flag_of(same)
            for row, variant, taken in self._db.execute(
                "SELECT example, variant, seconds FROM lost "
                "JOIN example ON example.id = example WHERE input = ?",
                (key,),
            ):
                with self._reading(f"what a run of {variant!r} took"):
                    found[row].lost_seconds[name_of(variant)] = seconds_of(taken)
            return list(found.values())

    def finished_calls(self, subject: Subject, given: InputKey) -> int | None:
        """How many calls the input makes; None while the program has not run to its end."""
        with self._errors():
            key = self._input(subject, given, create=False)
            calls = self._one("SELECT calls FROM input WHERE id = ?", key)
            with self._reading("how many calls an input makes"):
                return None if calls is None else count_of(calls)

    def starts(self, subject: Subject, given: InputKey) -> int:
        """How many starts of the program have brought samples of an input."""
        with self._errors():
            last = self._one(
                "SELECT max(start) FROM sample JOIN example ON example.id = example "
                "WHERE input = ?",
                self._input(subject, given, create=False),
            )
            with self._reading("which start a sample is of"):
                return 0 if last is None else 1 + count_of(last)

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
                    numbers_text(features),
                    numbers_text(feature_seconds),
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

    def add_lost_seconds(
        self, subject: Subject, given: InputKey, call: int, variant: str, seconds: float
    ) -> None:
        """Keeps what a run of a variant took that came to an infinite metric."""
        with self._errors(), self._transaction():
            row = (self._example(subject, given, call), variant, seconds)
            self._db.execute("INSERT OR REPLACE INTO lost VALUES(?, ?, ?)", row)

    def add_verdict(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        variant: str,
        verdict: Verdict,
        reason: str = "",
    ) -> None:
        """Says what came of a variant; the first holds, but for a failure when it runs again."""
        with self._errors(), self._transaction():
            row = (self._example(subject, given, call), variant, verdict, reason, time.time())
            self._db.execute(
                "INSERT INTO verdict VALUES(?, ?, ?, ?, ?) ON CONFLICT(example, variant) "
                "DO UPDATE SET verdict = excluded.verdict, reason = excluded.reason "
                "WHERE verdict.verdict = 'measured' AND excluded.verdict = 'failed'",
                row,
            )

    def add_output(
        self, subject: Subject, given: InputKey, call: int, variant: str, same_bits: bool
    ) -> None:
        """Says whether a variant's output was the default's bit by bit; once it was not stays."""
        with self._errors(), self._transaction():
            self._db.execute(
                "INSERT INTO output VALUES(?, ?, ?) ON CONFLICT(example, variant) "
                "DO UPDATE SET same_bits = min(same_bits, excluded.same_bits)",
                (self._example(subject, given, call), variant, int(same_bits)),
            )

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
        """Drops failed variants with their samples, and calls without features: both come again."""
        with self._errors(), self._transaction():
            failed = (
                "SELECT example, variant FROM verdict JOIN example ON example.id = example "
                "JOIN input ON input.id = example.input "
                "WHERE verdict IN ('failed', 'featureless') AND subject = ?"
            )
            for table in _OF_VARIANTS:
                self._db.execute(
                    f"DELETE FROM {table} WHERE (example, variant) IN ({failed})",
                    (self._subject(subject),),
                )

    def forget_variants(
        self, subject: Subject, variants: Sequence[str], with_points: Sequence[str]
    ) -> None:
        """Drops what is known of variants on all inputs, of those `with_points` all points too."""
        with self._errors(), self._transaction():
            self._forget_notes_of_inputs(subject)
            key = self._subject(subject)
            examples = f"SELECT id FROM example WHERE input IN ({_INPUTS})"
            named = [("variant = ?", name) for name in variants]
            named += [("instr(variant, ?) = 1", f"{name} ") for name in with_points]
            for condition, name in named:
                for table in _OF_VARIANTS:
                    self._db.execute(
                        f"DELETE FROM {table} WHERE example IN ({examples}) AND {condition}",
                        (key, name),
                    )

    def forget_features(self, subject: Subject) -> None:
        """Drops all features, and all that is known of inputs that make several calls."""
        with self._errors(), self._transaction():
            self._forget_notes_of_inputs(subject)
            key = (self._subject(subject),)
            self._forget_inputs(f"{_INPUTS} AND calls IS NOT 1", key)
            self._db.execute(
                "UPDATE example SET features = '{}', feature_seconds = '{}' "
                f"WHERE input IN ({_INPUTS})",
                key,
            )

    def forget(self, subject: Subject) -> None:
        """Drops everything that is known of a subject, notes whose key names it included."""
        with self._errors(), self._transaction():
            self._db.execute("DELETE FROM note WHERE instr(key, ?)", _storable((str(subject),)))
            key = (self._subject(subject),)
            self._forget_inputs(_INPUTS, key)
            self._db.execute("DELETE FROM subject WHERE id = ?", key)

    def _forget_notes_of_inputs(self, subject: Subject) -> None:
        self._db.execute(
            "DELETE FROM note WHERE instr(key, ?1) AND substr(key, -length(?1)) <> ?1",
            (str(subject),),
        )

    def _forget_inputs(self, inputs: str, key: tuple[int]) -> None:
        examples = f"SELECT id FROM example WHERE input IN ({inputs})"
        for table in _OF_VARIANTS:
            self._db.execute(f"DELETE FROM {table} WHERE example IN ({examples})", key)
        self._db.execute(f"DELETE FROM example WHERE input IN ({inputs})", key)
        self._db.execute(f"DELETE FROM input WHERE id IN ({inputs})", key)

    # -- the program, small facts, files, other tuners ---------------------------------------

    def offer(self, subject: Subject) -> Offer | None:
        """What the program offered when it was last seen."""
        with self._errors():
            text = self._one("SELECT offer FROM subject WHERE id = ?", self._subject(subject))
            if text is None:
                return None
            with self._reading("what the program offers"):
                return offer_of(text)

    def set_offer(self, subject: Subject, offer: Offer) -> None:
        """Keeps what the program offers."""
        with self._errors(), self._transaction():
            row = (offer_text(offer), self._subject(subject))
            self._db.execute("UPDATE subject SET offer = ? WHERE id = ?", row)

    def note(self, key: str) -> str | None:
        """A small fact kept between runs of the tuner."""
        with self._errors():
            value = self._one("SELECT value FROM note WHERE key = ?", key)
            with self._reading(f"the note {key[:40]!r}"):
                return None if value is None else name_of(value)

    def set_note(self, key: str, value: str | None) -> None:
        """Keeps a small fact; None drops it."""
        with self._errors(), self._transaction():
            if value is None:
                self._db.execute("DELETE FROM note WHERE key = ?", _storable((key,)))
            else:
                row = _storable((key, value))
                self._db.execute("INSERT OR REPLACE INTO note VALUES(?, ?)", row)

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
            row = self._db.execute(
                "SELECT size, changed, digest FROM file WHERE path = ?", _storable((name,))
            )
            for size, changed, digest in row.fetchall():
                if (size, changed) == stamp:
                    return str(digest)
            digest = file_digest(path)
            if not settled:
                return digest
            with self._transaction():
                self._db.execute(
                    "INSERT OR REPLACE INTO file VALUES(?, ?, ?, ?)",
                    _storable((name, *stamp, digest)),
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
        row = self._db.execute(query, _storable(values)).fetchone()
        return None if row is None else row[0]

    def _subject(self, subject: Subject) -> int:
        values = _storable((subject.program, subject.function, subject.machine, subject.conditions))
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
        values = _storable((self._subject(subject), given.arguments, given.content))
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
    def together(self) -> Iterator[None]:
        """What is written within is durable at the end of it, whatever ends it: one sync for all.

        Others wait from the first write on, so nothing within should take long.
        """
        self._together = True
        try:
            yield
        finally:
            self._together = False
            with self._errors():
                if self._db.in_transaction:
                    self._db.execute("COMMIT")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        within = self._db.in_transaction
        if not within:
            self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if not within:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
            raise
        if not within and not self._together:
            self._db.execute("COMMIT")

    @contextlib.contextmanager
    def _reading(self, what: str) -> Iterator[None]:
        try:
            yield
        except (ValueError, KeyError) as error:
            raise StoreError(damaged(self.path, what, error)) from None

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {explain(error, self._lock_seconds)}") from error


def _storable(values: tuple[object, ...]) -> tuple[object, ...]:
    """The values as SQLite can hold them: its texts are UTF-8, the names of files need not be.

    A text with surrogates (`os.fsdecode`) is kept, and found again, as its bytes.
    """
    return tuple(_bytes_of(value) if isinstance(value, str) else value for value in values)


def _bytes_of(text: str) -> str | bytes:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="surrogatepass")
    return text


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError, TypeError):  # a damaged row names no process
        return False
    except PermissionError:
        pass
    return True
