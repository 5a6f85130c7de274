"""Digests of files' contents, remembered in a store's SQLite file until the files change."""

from __future__ import annotations

import time
from pathlib import Path

from fettle.store.file_digest import file_digest
from fettle.store.sqlite_file import SqliteFile, storable

# The clock of a file system goes in ticks: a file that has changed more recently than this could
# change again within the same tick.
SETTLING_NS = 1_000_000_000


def remembered_digest(database: SqliteFile, path: Path) -> str:
    """A digest of a file's content, which is read only if its size or time of change is new.

    The digest of a file that has only just changed is not remembered. Raises OSError where the file
    cannot be read, and the errors of sqlite3.
    """
    name, status = str(path.resolve()), path.stat()
    # The time of the change in this folder: copying an old file over it may set st_mtime back.
    stamp = (status.st_size, status.st_ctime_ns)
    settled = abs(time.time_ns() - status.st_ctime_ns) > SETTLING_NS
    rows = database.execute(
        "SELECT size, changed, digest FROM file WHERE path = ?", storable((name,))
    ).fetchall()
    for size, changed, digest in rows:
        if (size, changed) == stamp:
            return str(digest)
    digest = file_digest(path)
    if settled:
        with database.transaction():
            row = storable((name, *stamp, digest))
            database.execute("INSERT OR REPLACE INTO file VALUES(?, ?, ?, ?)", row)
    return digest
