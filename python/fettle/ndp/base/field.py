"""A field of a platform's policy: its name, its default, and how its values are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = bool | int | str

LEVELS = 3  # with separate parameters; deeper ones use the third's


@dataclass(frozen=True)
class Field:
    """One field, as in the platform's `policy.hpp`."""

    name: str
    default: Value
    names: tuple[str, ...] = ()  # the texts of an enumeration
    cpp_type: str = ""  # of an enumeration
    paper_name: str = ""  # in the inferred parameters, where it is another one

    def text(self, value: Value) -> str:
        """As in the policy's text form."""
        return str(value).lower() if isinstance(value, bool) else str(value)

    def accepts(self, value: Value) -> bool:
        """Whether the field may hold the value."""
        if self.names:
            return value in self.names
        return isinstance(value, bool) == isinstance(self.default, bool) and isinstance(value, int)

    def parse(self, text: str) -> Value | None:
        """The value that a text spells; None where it spells none."""
        if self.names:
            return text if text in self.names else None
        if isinstance(self.default, bool):
            return {"true": True, "1": True, "false": False, "0": False}.get(text)
        digits = text.removeprefix("-")
        return int(text) if digits.isascii() and digits.isdigit() else None

    def cpp(self, value: Value, platform: str) -> str:
        """As a C++ initialiser."""
        if not self.names:
            return self.text(value)
        name = f"{value}_" if value in ("auto", "static") else str(value)  # C++ keywords
        return f"fettle::ndp::{platform}::{self.cpp_type}::{name}"


# What changes the result within an error (include/fettle/ndp/schedule/knobs.hpp).
KNOBS = (
    Field("sample", 1),
    Field("perforate", 1),
    Field("accumulation", "full", ("full", "single"), "precision"),
)
