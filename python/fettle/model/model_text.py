"""Names and numbers of model files, and the error that says what is wrong with a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fettle.core.errors import FettleError

REMEDY = "run the tuning script again"


class ModelError(FettleError):
    """A model that cannot be written, or a file that holds none."""


@contextmanager
def model_errors() -> Iterator[None]:
    """Within it, what the C++ readers refuse is a ModelError."""
    try:
        yield
    except FettleError as error:
        raise ModelError(str(error)) from None


def percent_encoded(name: str) -> str:
    """`name` with blanks, control characters, '%', ',' and '=' as %XX."""
    return "".join(f"%{ord(c):02X}" if c <= " " or c == "\x7f" or c in "%,=" else c for c in name)


def number_text(value: float) -> str:
    """The shortest text that reads back to `value`."""
    return repr(float(value)).removesuffix(".0")
