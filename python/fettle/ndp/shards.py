"""How candidates are divided over shards: shared objects that are compiled side by side.

A shard has a fixed cost, parsing the headers, so there are no more of them than keep the compilers
busy; each is small enough that memory suffices and progress shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from fettle.ndp.candidate import Candidate
from fettle.ndp.platforms import platform_named

# Name of the function, and one of its candidates.
Unit: TypeAlias = tuple[str, Candidate]


SHARD_SECONDS = 60.0  # a shard is to last no longer than about this, the parse not counted


def divide(units: Sequence[Unit], jobs: int) -> list[list[Unit]]:
    """The units in their order, cut into shards of about equal cost; none is empty.

    As many shards as jobs, or a multiple of it where they would last too long.
    """
    total = sum(_costs(units))
    rounds = max(1, round(total / max(1, jobs) / SHARD_SECONDS))
    return cut(units, min(len(units), max(1, jobs) * rounds))


def cut(units: Sequence[Unit], pieces: int) -> list[list[Unit]]:
    """The units in their order, in `pieces` of about equal cost; none is empty."""
    ends = [0.0]
    for cost in _costs(units):
        ends.append(ends[-1] + cost)
    cost = ends[-1] / pieces
    borders = [0]
    for piece in range(1, pieces):
        lowest, highest = borders[-1] + 1, len(units) - (pieces - piece)
        possible = range(lowest, highest + 1)
        borders.append(min(possible, key=partial(_distance, ends, cost * piece)))
    borders.append(len(units))
    return [list(units[a:b]) for a, b in pairwise(borders)]


def _distance(ends: Sequence[float], wanted: float, index: int) -> float:
    return abs(ends[index] - wanted)


def _costs(units: Sequence[Unit]) -> list[float]:
    costs = []
    before = None
    for function, candidate in units:
        cost = platform_named(candidate.platform).compiling.cost
        kind = (function, candidate.schedule)
        costs.append(cost.candidate if kind == before else cost.schedule)
        before = kind
    return costs
