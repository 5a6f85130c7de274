"""One SQLite file: its connection, its transactions, and its errors in the user's words.

Write-ahead logging keeps the file whole through kill -9, and syncing the log at the end of each
transaction keeps it whole through a power cut.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fettle.store.base import StoreError
from fettle.store.explanations import damaged, explain


class SqliteFile:
    """A connection to one file. Not for use by several threads at a time."""

    def __init__(self, path: Path, *, lock_seconds: float) -> None:
        """Opens or creates the file; waits at most `lock_seconds` for other processes' locks.

        Raises StoreError where it cannot be opened. Nothing is read or written yet.
        """
        self.path = path
        self._lock_seconds = lock_seconds
        self._together = False
        with self.errors():
            self.connection = sqlite3.connect(path, timeout=lock_seconds, isolation_level=None)

    def close(self) -> None:
        """Closes the connection."""
        self.connection.close()

    def execute(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        """Executes a statement. Texts among the values that may not be UTF-8 need `storable`."""
        return self.connection.execute(statement, values)

    def execute_many(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Executes a statement once for each row of values."""
        self.connection.executemany(statement, rows)

    def one(self, query: str, *values: object) -> Any:
        """The first column of the query's first row; None where it finds no row."""
        row = self.execute(query, storable(values)).fetchone()
        return None if row is None else row[0]

    def sync_each_transaction(self) -> None:
        """Makes what a transaction wrote durable at its end."""
        self.execute("PRAGMA synchronous = FULL")

    def use_write_ahead_log(self) -> None:
        """Lets others read while one process writes, from now on and in later connections."""
        with contextlib.suppress(sqlite3.OperationalError):  # another tuner may be doing the same
            self.execute("PRAGMA journal_mode = WAL")

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction whose database errors are raised as StoreError."""
        with self.errors(), self.transaction():
            yield

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All of what is written within, or nothing after an exception; one sync at the end.

        Part of the transaction that it is nested in, if any. Within `together` it is committed
        later.
        """
        within = self.connection.in_transaction
        if not within:
            self.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if not within:
                with contextlib.suppress(sqlite3.Error):
                    self.execute("ROLLBACK")
            raise
        if not within and not self._together:
            self.execute("COMMIT")

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
            with self.errors():
                if self.connection.in_transaction:
                    self.execute("COMMIT")

    @contextlib.contextmanager
    def reading(self, what: str) -> Iterator[None]:
        """Raises StoreError, saying that `what` is damaged, for a value that cannot be decoded."""
        try:
            yield
        except (ValueError, KeyError) as error:
            raise StoreError(damaged(self.path, what, error)) from None

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """Raises the database's errors as StoreError, with the remedy."""
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {explain(error, self._lock_seconds)}") from error


def storable(values: tuple[object, ...]) -> tuple[object, ...]:
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
