"""Where a command may write a picture, checked before the work that it shows; and writing it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from fettle.core.errors import FettleError
from fettle.core.written_file import check_writable, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURES = (".svg", ".png", ".pdf")


def check_picture(path: Path) -> None:
    """Raises FettleError where no picture can be written to `path`: its suffix, or no folder."""
    if path.suffix not in PICTURES:
        raise FettleError(f"{path} ends with none of {', '.join(PICTURES)}; name a picture file")
    if not path.parent.is_dir():
        raise FettleError(
            f"cannot write the picture {path}: {path.parent} is not a folder; make it or "
            "name another"
        )
    check_writable(path, "the picture")


def write_picture(drawn: Figure, path: Path, *, dpi: int) -> None:
    """Writes what is drawn, as its suffix says, in place of what is there; nothing is half written.

    Without a date: the same drawing gives the same file. Raises FettleError.
    """
    dates = {".svg": "Date", ".pdf": "CreationDate"}
    metadata = {dates[path.suffix]: None} if path.suffix in dates else {}
    buffer = io.BytesIO()
    drawn.savefig(buffer, format=path.suffix.removeprefix("."), dpi=dpi, metadata=metadata)
    try:
        write_whole(path, buffer.getvalue())
    except OSError as error:
        raise FettleError(f"cannot write the picture {path}: {error.strerror}") from None
