"""A platform of several devices: among how many a computation is divided, by what, and the
parameters of the platform that each of them is.

count      1, because a small input is not worth several devices; 2, 4, ... and all
partition  rows and work, where rows may have any lengths; elsewhere both are the same
"""

from __future__ import annotations

from dataclasses import replace

from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import KNOBS, Field
from fettle.ndp.base.platform import Platform, Values

_PARTITION = Field("partition", "automatic", ("automatic", "rows", "work"), "partition_by")


def divided(each: Platform, name: str, count: str) -> Platform:
    """The platform of several `each`; `count` names the field, and the limit, of how many."""

    def values(computation: Computation, schedule: str, size: str) -> Values:
        return {
            count: _counts(computation.limits.get(count, 1)),
            "partition": _partitions(computation),
            **each.values(computation, schedule, size),
        }

    return replace(
        each,
        name=name,
        global_fields=(
            Field(count, 0),
            _PARTITION,
            *(one for one in each.global_fields if one not in KNOBS),
        ),
        values=values,
        checks=lambda tools, compiler: [],  # those of `each` are made already
    )


def _counts(most: int) -> tuple[int, ...]:
    """1, 2, 4, ... and `most`."""
    powers = [1]
    while powers[-1] * 2 <= most:
        powers.append(powers[-1] * 2)
    return tuple(sorted({*powers, max(most, 1)}))


def _partitions(computation: Computation) -> tuple[str, ...]:
    """Rows and work, where they differ."""
    return ("rows", "work") if computation.input == "irregular" else ("automatic",)
