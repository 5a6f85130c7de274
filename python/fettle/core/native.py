"""The extension module: the library's C++, for code that can say what is missing."""

from __future__ import annotations

import importlib
from typing import Any

from fettle.core.errors import FettleError


def native() -> Any:
    """fettle._native. Raises FettleError where the package was not built with it."""
    try:
        return importlib.import_module("fettle._native")
    except ImportError as error:
        raise FettleError(
            "tuning needs the extension module fettle._native, which cannot be imported "
            f"({error}); build it with pip install ./python in Fettle's source tree, or with the "
            "CMake target fettle_python; fettle doctor looks whether it is there"
        ) from None
