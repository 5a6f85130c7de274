"""One build at a time in a folder: two would take each other's half-written files for failures."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Callable, Iterator
from pathlib import Path

FILE = "building.lock"


@contextlib.contextmanager
def build_lock(folder: Path, say: Callable[[str], None]) -> Iterator[None]:
    """Waits until no other process builds in `folder`, and says so; holds until the block's end.

    The lock goes with the process, however that ends. Where the file system has no locks, there is
    no waiting.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / FILE).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another process builds in {folder}; waiting for it to end")
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:
            pass
        yield
