"""A parameter of a search space."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True)
class Parameter:
    """A name and the values to try, in their order."""

    name: str
    values: tuple[Hashable, ...]
