"""Digests of files' contents, remembered until the files change."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from fettle.store.file_digest import file_digest

# The clock of a file system goes in ticks: a file that has changed more recently than this could
# change again within the same tick.
SETTLING_NS = 1_000_000_000


class Remembered(NamedTuple):
    """A file's size and time of change, and the digest of what it held then."""

    size: int
    changed: int
    digest: str


def remembered_digest(
    path: Path,
    recall: Callable[[str], Remembered | None],
    remember: Callable[[str, Remembered], None],
) -> str:
    """A digest of a file's content, which is read only if its size or time of change is new.

    The digest of a file that has only just changed is not remembered. Raises OSError where the file
    cannot be read, and what `recall` and `remember` raise; both get the file's absolute path.
    """
    name, status = str(path.resolve()), path.stat()
    # The time of the change in this folder: copying an old file over it may set st_mtime back.
    stamp = (status.st_size, status.st_ctime_ns)
    settled = abs(time.time_ns() - status.st_ctime_ns) > SETTLING_NS
    known = recall(name)
    if known is not None and (known.size, known.changed) == stamp:
        return known.digest
    digest = file_digest(path)
    if settled:
        remember(name, Remembered(*stamp, digest))
    return digest
