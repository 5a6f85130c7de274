"""A figure of a paper, and how ours is recomputed from a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Rows = Sequence[Mapping[str, Any]]

SOURCES = "the sources"
"""In place of a record: what is counted in the sources themselves."""


@dataclass(frozen=True)
class Figure:
    """One number of a paper, and its counterpart in the rows of a record.

    - `where`: the table, figure or section of the paper.
    - `record`: its name in benchmarks/results.
    - `ours`: computes the number from the record's rows; LookupError: that part was not run.
    - `lower`: whether less is better.
    - `note`: why ours is worse, or what differs; may be computed from the rows, too.
    """

    where: str
    what: str
    paper: float
    record: str
    ours: Callable[[Rows], float]
    lower: bool = False
    note: str | Callable[[Rows], str] = ""

    def is_matched(self, value: float) -> bool:
        """At least as good, to the three digits that are printed."""
        return round(value, 3) <= self.paper if self.lower else round(value, 3) >= self.paper


@dataclass(frozen=True)
class Blocked:
    """A figure of a paper that is not measured here, and why."""

    where: str
    what: str
    reason: str


@dataclass(frozen=True)
class Paper:
    """A paper's figures, in its order; `pictures` are those of results/figures that redraw its own,
    with what they show."""

    title: str
    figures: Sequence[Figure]
    blocked: Sequence[Blocked] = ()
    pictures: Sequence[tuple[str, str]] = ()


def row_of(rows: Rows, **wanted: object) -> Mapping[str, Any]:
    """The one row with these values. LookupError where there is none, or several."""
    found = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    if len(found) != 1:
        raise LookupError(f"{len(found)} rows have {wanted}")
    return found[0]


def value_of(key: str, **wanted: object) -> Callable[[Rows], float]:
    """The value `key` of the one row with these values."""
    return lambda rows: float(row_of(rows, **wanted)[key])
