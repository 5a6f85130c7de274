"""Scratch folders that do not outlive their process for long.

A process holds a lock on its folder, and loses it however it ends. A folder whose lock is free was
left by one that had no time to tidy up (kill -9, a crash); the next tuner removes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

_PREFIX = "fettle-scratch-"
_UNLOCKED_PREFIX = "fettle-new-"  # for the moment before there is a lock, out of reach of others
_KEPT = "kept"


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that goes at the end of the block, unless it is to be kept."""
    made = Path(tempfile.mkdtemp(prefix=_UNLOCKED_PREFIX))
    with _opened(made) as handle:
        with contextlib.suppress(OSError):  # no locks here: then it never counts as abandoned
            _lock(handle)
        folder = made.rename(made.with_name(made.name.replace(_UNLOCKED_PREFIX, _PREFIX)))
        try:
            yield folder
        finally:
            if not (folder / _KEPT).exists():
                shutil.rmtree(folder, ignore_errors=True)


def keep(folder: Path) -> None:
    """Leaves a scratch folder to the user; a message names it."""
    (folder / _KEPT).touch()


def remove_abandoned() -> None:
    """Removes this user's scratch folders whose processes have ended without doing so."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError), _opened(folder) as handle:  # in use, or gone meanwhile
            if os.fstat(handle).st_uid == os.getuid() and not (folder / _KEPT).exists():
                _lock(handle)
                shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield handle
    finally:
        os.close(handle)


def _lock(handle: int) -> None:
    """Until the handle is closed. Raises OSError where the lock is held already."""
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
