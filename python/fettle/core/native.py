"""The compiled predictors, races and machine description, for code that can say what is missing."""

from __future__ import annotations

from typing import Any

from fettle.core.errors import FettleError


def native() -> Any:
    """fettle._native. Raises FettleError where the package was not built with it."""
    try:
        from fettle import _native
    except ImportError as error:
        raise FettleError(
            f"the extension module fettle._native cannot be imported ({error}); install the "
            "package with pip install ./python, or run fettle doctor"
        ) from None
    return _native
