"""What a report says first: which variants failed, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.core.wording import counted, printable
from fettle.data.tuning_result import FailedVariant

SHOWN = 5
"""How many variants are named; report.json has all of them."""


def failed_lines(function: str, failed: Sequence[FailedVariant]) -> list[str]:
    """A sentence a variant, those that are not chosen first; empty where none failed."""
    ordered = sorted(failed, key=lambda one: (one.allowed, not one.is_default))
    lines = [f"{function}: {_line(one)}" for one in ordered[:SHOWN]]
    rest = len(ordered) - SHOWN
    if rest > 0:
        lines.append(f"{function}: {counted(rest, 'more variant')} failed, see report.json")
    return [printable(line) for line in lines]


def _line(one: FailedVariant) -> str:
    role = "the default variant " if one.is_default else ""
    where = f"{one.inputs} of {counted(one.ran_on, 'input')}, first on {one.first!r}"
    return f"{role}{one.variant!r} {one.what} on {where}: {one.reason}; {one.advice}"
