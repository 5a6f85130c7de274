"""Files that are written at the end of long work: checked before it, replaced as wholes."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path

from fettle.core.errors import FettleError

DATABASE = b"SQLite format 3\0"  # how one begins


def check_writable(path: Path, what: str) -> None:
    """Raises FettleError where no file can be written to `path`; nothing is made or changed.

    Folders that are missing are made with the file; the nearest one there is decides. `what` is the
    file's role, for the message: "the header", "the model". That there is room is not checked. A
    database is never written over.
    """
    if path.is_dir():
        raise FettleError(f"cannot write {what} {path}: it is a folder; name a file")
    if path.is_fifo():
        raise FettleError(
            f"cannot write {what} {path}: it is a pipe, which is not waited for; remove it or name "
            "another place"
        )
    if path.exists() and not os.access(path, os.W_OK):
        raise FettleError(
            f"cannot write {what} {path}: permission denied; remove it, make it writable or name "
            "another place"
        )
    if begins_with(path, DATABASE):
        raise FettleError(
            f"cannot write {what} {path}: it is a database, such as the tuner's measurements; name "
            "another place"
        )
    folder = path.parent
    while not folder.exists() and not folder.is_symlink() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise FettleError(
            f"cannot write {what} {path}: {folder} is not a folder; name another place"
        )
    if not path.exists() and not os.access(folder, os.W_OK | os.X_OK):
        raise FettleError(
            f"cannot write {what} {path}: the folder {folder} is not writable; make it so or name "
            "another place"
        )


def begins_with(path: Path, beginning: bytes) -> bool:
    """Whether there is a regular file at `path` whose first bytes these are."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(beginning)) == beginning
    except OSError:
        return False


def holds(path: Path, text: str) -> bool:
    """Whether the file at `path` is there and holds just this."""
    try:
        return path.read_bytes() == text.encode()
    except OSError:
        return False


def write_whole(path: Path, data: bytes) -> None:
    """Puts a file in place of what `path` holds; its folders are made.

    A reader meanwhile, or after a full disk, a kill or a power cut, finds the old file or the new
    one: after this has returned, the new one.
    Where that cannot be had (a device, a folder that allows no new files), writes in place. Raises
    OSError.
    """
    write_together([(path, data)])


def write_together(files: Sequence[tuple[Path, bytes]]) -> None:
    """As `write_whole`, several files that belong together: all are there before one is replaced.

    They are replaced in their order, the last one when the others are on the disk. Raises OSError;
    where there is no room, none is replaced.
    """
    unfinished: list[tuple[Path, Path]] = []
    try:
        for path, data in files:
            _make_folder(path.parent)
            target = Path(os.path.realpath(path))  # a link stays one
            mode = target.stat().st_mode if target.exists() else None
            if mode is not None and (
                not stat.S_ISREG(mode) or not os.access(target.parent, os.W_OK | os.X_OK)
            ):
                target.write_bytes(data)
                continue
            new = target.with_name(f".{target.name}.{os.getpid()}")
            unfinished.append((new, target))
            new.write_bytes(data)
            if mode is not None:
                shutil.copymode(target, new)
            make_durable(new)
        for number, (new, target) in enumerate(unfinished, 1):
            if number == len(unfinished):
                _make_names_durable(unfinished[:-1])
            new.replace(target)
        _make_names_durable(unfinished[-1:])
    except BaseException:
        for new, _ in unfinished:
            new.unlink(missing_ok=True)
        raise


def make_durable(path: Path) -> None:
    """Returns when a file's content, or a folder's names, would outlast a power cut.

    Not of a folder whose file system knows no such thing. Raises OSError.
    """
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(opened)


def _make_names_durable(replaced: Sequence[tuple[Path, Path]]) -> None:
    for folder in {target.parent for _, target in replaced}:
        make_durable(folder)


def _make_folder(folder: Path) -> None:
    """Makes a folder and those above it; their names are durable."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        make_durable(folder.parent)
