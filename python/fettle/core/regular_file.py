"""Reading what a path names only where that is a regular file, and not too large.

A pipe that no one writes to would stop the reader for ever, a device would never end.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MOST = 1 << 30


def regular(path: str, flags: int) -> int:
    """An `opener` for open(): OSError, which says what it is, for all but regular files."""
    # Not blocking: a pipe opens at once, to be refused. What is open stays what it is.
    handle = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    what = "a pipe" if stat.S_ISFIFO(mode) else "a device"
    raise OSError(errno.EINVAL, f"it is not a regular file but {what}", path)


def read_regular(path: Path, most: int = MOST) -> bytes:
    """The bytes of a regular file; OSError where there is none, or more than `most` bytes."""
    with open(path, "rb", opener=regular) as file:
        size = os.fstat(file.fileno()).st_size
        content = b"" if size > most else file.read(most + 1)
    if max(size, len(content)) > most:
        raise OSError(
            errno.EFBIG, f"it is larger than the {most} bytes that are read at most", str(path)
        )
    return content
