"""Where a command may write a picture; checked before the work whose result the picture shows."""

import os
from pathlib import Path

from fettle.errors import FettleError

PICTURES = (".svg", ".png", ".pdf")


def check_picture(path: Path) -> None:
    """Raises FettleError where no picture can be written to `path`: its suffix, or no folder."""
    if path.suffix not in PICTURES:
        raise FettleError(f"{path} ends with none of {', '.join(PICTURES)}; name a picture file")
    if not path.parent.is_dir():
        raise FettleError(f"cannot write the picture {path}: {path.parent} is no folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise FettleError(f"cannot write the picture {path}: permission denied; name another place")
