"""The default store: one SQLite file beside the tuning script, written a transaction a record.

It stays whole through kill -9 and a power cut; a full disk, a lock held by another process and
damaged rows are reported and leave what is there. Several tuners may share a file.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from fettle.core.written_file import make_durable
from fettle.store.digests import Remembered, remembered_digest
from fettle.store.network_disk import check_is_local
from fettle.store.rows import name_of, offer_of, offer_text
from fettle.store.sqlite_contents import text_of
from fettle.store.sqlite_file import SqliteFile, storable
from fettle.store.sqlite_keys import subject_key
from fettle.store.sqlite_measurements import SqliteMeasurements
from fettle.store.sqlite_schema import FORMAT_NOTE, GUID_NOTE, set_up_tables
from fettle.store.sqlite_tuners import RegisteredTuners
from fettle.store.subject import Offer, Subject

LOCK_SECONDS = 30.0


class SqliteStore(SqliteMeasurements):
    """A `Store` in one file. Not for use by several threads at a time. Context manager."""

    def __init__(self, path: Path, *, lock_seconds: float = LOCK_SECONDS) -> None:
        check_is_local(path)
        self.path = path
        super().__init__(SqliteFile(path, lock_seconds=lock_seconds))
        self._tuners = RegisteredTuners(self._file)
        try:
            with self._file.errors():
                self._open()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the use of the file."""
        self._tuners.remove_this()
        self._file.close()

    def _open(self) -> None:
        self._file.sync_each_transaction()
        with self._file.transaction():
            is_new = set_up_tables(self._file)
            self._tuners.add_this()
        self._file.use_write_ahead_log()
        if is_new and self.path.exists():  # a database in memory has no file
            make_durable(self.path.parent)

    @property
    def place(self) -> str:
        """The file's path."""
        return str(self.path)

    @property
    def guid(self) -> str:
        """What tells this store from all others; a copy of the file has the same."""
        return self.note(GUID_NOTE) or ""

    # -- the program, small facts, files, other tuners ---------------------------------------

    def offer(self, subject: Subject) -> Offer | None:
        """What the program offered when it was last seen."""
        with self._file.errors():
            key = subject_key(self._file, subject)
            text = self._file.one("SELECT offer FROM subject WHERE id = ?", key)
            if text is None:
                return None
            with self._file.reading("what the program offers"):
                return offer_of(text)

    def set_offer(self, subject: Subject, offer: Offer) -> None:
        """Keeps what the program offers."""
        with self._file.writing():
            row = (offer_text(offer), subject_key(self._file, subject))
            self._file.execute("UPDATE subject SET offer = ? WHERE id = ?", row)

    def note(self, key: str) -> str | None:
        """A small fact kept between runs of the tuner."""
        with self._file.errors():
            value = self._file.one("SELECT value FROM note WHERE key = ?", key)
            with self._file.reading(f"the note {key[:40]!r}"):
                return None if value is None else name_of(value)

    def set_note(self, key: str, value: str | None) -> None:
        """Keeps a small fact; None drops it."""
        with self._file.writing():
            if value is None:
                self._file.execute("DELETE FROM note WHERE key = ?", storable((key,)))
            else:
                row = storable((key, value))
                self._file.execute("INSERT OR REPLACE INTO note VALUES(?, ?)", row)

    def notes(self) -> dict[str, str]:
        """All small facts, without those of the store itself."""
        with self._file.errors(), self._file.reading("a note"):
            rows = self._file.execute("SELECT key, value FROM note ORDER BY key").fetchall()
            found = {text_of(key): name_of(text_of(value)) for key, value in rows}
        return {key: found[key] for key in found if key not in (FORMAT_NOTE, GUID_NOTE)}

    def forgotten(self) -> set[str]:
        """The guids of runs that were deleted here."""
        with self._file.errors():
            return {str(guid) for (guid,) in self._file.execute("SELECT guid FROM forgotten_run")}

    def digest(self, path: Path) -> str:
        """A digest of a file's content, remembered while its size and time of change stay."""
        with self._file.errors():
            return remembered_digest(path, self._recall, self._remember)

    def _recall(self, name: str) -> Remembered | None:
        query = "SELECT size, changed, digest FROM file WHERE path = ?"
        row = self._file.execute(query, storable((name,))).fetchone()
        return None if row is None else Remembered(row[0], row[1], str(row[2]))

    def _remember(self, name: str, found: Remembered) -> None:
        with self._file.transaction():
            row = storable((name, *found))
            self._file.execute("INSERT OR REPLACE INTO file VALUES(?, ?, ?, ?)", row)

    def together(self) -> AbstractContextManager[None]:
        """What is written within is durable at the end of it, whatever ends it: one sync for all.

        Others wait from the first write on, so nothing within should take long.
        """
        return self._file.together()

    def other_tuners(self) -> list[str]:
        """Other tuners that work with this file now; those that have died are dropped."""
        with self._file.writing():
            return self._tuners.others()

    def warnings(self) -> list[str]:
        """None: what a SQLite file on a local disk holds is safe."""
        return []
