"""The tuners that work with a SQLite file now: each is registered while it has the file open."""

from __future__ import annotations

import contextlib
import os
import socket
import sqlite3
import time

from fettle.store.sqlite_file import SqliteFile


class RegisteredTuners:
    """The registered tuners, of which this process is one."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._host, self._pid = socket.gethostname(), os.getpid()

    def add_this(self) -> None:
        """Registers this process."""
        since = time.strftime("%Y-%m-%d %H:%M:%S")
        row = (self._host, self._pid, since)
        self._file.execute("INSERT OR REPLACE INTO tuner VALUES(?, ?, ?)", row)

    def remove_this(self) -> None:
        """Ends the registration of this process, if the file can be written."""
        with contextlib.suppress(sqlite3.Error):
            self._remove(self._host, self._pid)

    def others(self) -> list[str]:
        """The other tuners, each as a text for people; processes that have died are removed."""
        found = []
        for host, pid, since in self._file.execute("SELECT * FROM tuner").fetchall():
            if (host, pid) == (self._host, self._pid):
                continue
            if host == self._host and not _is_alive(pid):
                self._remove(host, pid)
            else:
                found.append(f"process {pid} on {host}, since {since}")
        return found

    def _remove(self, host: str, pid: int) -> None:
        self._file.execute("DELETE FROM tuner WHERE host = ? AND pid = ?", (host, pid))


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError, TypeError):  # a damaged row may hold anything
        return False
    except PermissionError:
        pass
    return True
