"""Constraints between parameters, as "block * grain <= 1024": C++'s operators on whole numbers.

Read and judged by what reads them in the program,
include/fettle/variant/parameters/parameter_expression.hpp.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fettle.core.native import native


def is_parameter_name(text: str) -> bool:
    """Whether `text` may name a parameter."""
    return bool(native().is_parameter_name(text))


@dataclass(frozen=True)
class Expression:
    """An expression that was read; `names` in the order in which they first appear."""

    text: str
    names: tuple[str, ...]
    _read: Any

    def holds(self, values: Mapping[str, int]) -> bool:
        """Whether it holds. What divides by zero or leaves 64 bits does not."""
        return bool(self._read.holds([values[name] for name in self.names]))


def parse_expression(text: str) -> Expression:
    """Reads an expression. Raises FettleError, which says where and what was expected."""
    read = native().Expression(text)
    return Expression(text, tuple(read.names), read)
