"""Files that are written at the end of long work: checked before it, replaced as wholes."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path

from fettle.errors import FettleError


def check_writable(path: Path, what: str) -> None:
    """Raises FettleError where no file can be written to `path`; nothing is made or changed.

    Folders that are missing are made with the file; the nearest one there is decides. `what` is the
    file's role, for the message: "the header", "the model". That there is room is not checked.
    """
    if path.is_dir():
        raise FettleError(f"cannot write {what} {path}: it is a folder; name a file")
    if path.exists() and not os.access(path, os.W_OK):
        raise FettleError(
            f"cannot write {what} {path}: permission denied; remove it, make it writable or name "
            "another place"
        )
    folder = path.parent
    while not folder.exists() and not folder.is_symlink() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise FettleError(f"cannot write {what} {path}: {folder} is no folder; name another place")
    if not path.exists() and not os.access(folder, os.W_OK | os.X_OK):
        raise FettleError(
            f"cannot write {what} {path}: the folder {folder} is not writable; make it so or name "
            "another place"
        )


def holds(path: Path, text: str) -> bool:
    """Whether the file at `path` is there and holds just this."""
    try:
        return path.read_bytes() == text.encode()
    except OSError:
        return False


def write_whole(path: Path, data: bytes) -> None:
    """Puts a file in place of what `path` holds; its folders are made.

    Whoever reads meanwhile, or after a full disk or a kill, finds the old file or the new one.
    Where that cannot be had (a device, a folder that allows no new files), writes in place. Raises
    OSError.
    """
    write_together([(path, data)])


def write_together(files: Sequence[tuple[Path, bytes]]) -> None:
    """As `write_whole`, several files that belong together: all are there before one is replaced.

    They are replaced in their order. Raises OSError; where there is no room, none is replaced.
    """
    unfinished: list[tuple[Path, Path]] = []
    try:
        for path, data in files:
            path.parent.mkdir(parents=True, exist_ok=True)
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
        for new, target in unfinished:
            new.replace(target)
    except BaseException:
        for new, _ in unfinished:
            new.unlink(missing_ok=True)
        raise
