"""Says where in a document of lists and objects it is that something is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from fettle.core.errors import MALFORMED


class PlacedError(ValueError):
    """What is wrong, after the place where it is: `.value[2]: expected a number, found null`."""


@contextmanager
def at(place: str) -> Iterator[None]:
    """Puts a place before what is found wrong within."""
    try:
        yield
    except PlacedError as error:
        raise PlacedError(f"{place}{error}") from None
    except KeyError as error:
        raise PlacedError(f"{place}: {error} is missing or unknown") from None
    except MALFORMED as error:
        raise PlacedError(f"{place}: {error}") from None


def each(entry: Any, name: str, take: Callable[[Any], None]) -> None:
    """Takes each entry of the list `name` of an object, at its place."""
    for index, one in enumerate(entry[name]):
        with at(f".{name}[{index}]"):
            take(one)


def number(value: object) -> float:
    """A number, or the text of one that JSON has not: inf, -inf and nan. Raises ValueError."""
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        try:
            return float(value)
        except (ValueError, OverflowError):
            pass
    raise ValueError(f"expected a number, found {shown(value)}")


def shown(value: object) -> str:
    """A value of a document for a message: what is long is cut."""
    return json.dumps(value)[:40]
