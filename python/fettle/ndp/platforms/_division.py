"""What platforms of several devices share: among how many a computation is divided, and by what."""

from __future__ import annotations

from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import Field

PARTITION = Field("partition", "automatic", ("automatic", "rows", "work"), "partition_by")


def counts(most: int) -> tuple[int, ...]:
    """1, 2, 4, ... and `most`."""
    powers = [1]
    while powers[-1] * 2 <= most:
        powers.append(powers[-1] * 2)
    return tuple(sorted({*powers, max(most, 1)}))


def partitions(computation: Computation) -> tuple[str, ...]:
    """Rows and work, where they differ."""
    return ("rows", "work") if computation.input == "irregular" else ("automatic",)
