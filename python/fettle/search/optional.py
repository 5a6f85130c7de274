"""Packages that some strategies need and Fettle as a whole doesn't."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from fettle.core.errors import FettleError


def optional_module(name: str, strategy: str) -> Any:
    """A module of a package of the extra `search`. FettleError that says what to install."""
    package = name.partition(".")[0]
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise FettleError(
            f"the search strategy {strategy!r} needs the package {package} ({error}); install it "
            f"with {sys.executable} -m pip install {package}, or choose another strategy"
        ) from None
