"""Where a command may write a picture; checked before the work whose result the picture shows."""

from pathlib import Path

from fettle.errors import FettleError
from fettle.written_file import check_writable

PICTURES = (".svg", ".png", ".pdf")


def check_picture(path: Path) -> None:
    """Raises FettleError where no picture can be written to `path`: its suffix, or no folder."""
    if path.suffix not in PICTURES:
        raise FettleError(f"{path} ends with none of {', '.join(PICTURES)}; name a picture file")
    if not path.parent.is_dir():
        raise FettleError(
            f"cannot write the picture {path}: {path.parent} is no folder; make it or name another"
        )
    check_writable(path, "the picture")
