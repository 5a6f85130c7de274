"""Many searches at once: each round, what all of them want next is measured as one batch.

Where a measurement is mostly compiling, one search keeps one core busy. Here every search of every
kernel says what it will want whatever the next values are (`Grouped.ahead`: the rest of its group),
and one call measures all that is not known yet, so that all cores compile. A strategy that cannot
say so has one point in each batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

from fettle.core.errors import FettleError
from fettle.search.base import Strategy, as_cost
from fettle.search.grouped.measured_file import Measured, MeasuredPoints
from fettle.search.space import Point

Name = TypeVar("Name")
Batch = Sequence[tuple[str, Point]]
"""Subjects (kernels) and their points."""
MeasureBatch = Callable[[Batch], Sequence[Measured | None]]
"""Measures a batch, in its order; None: it was not measured, for want of time."""


@runtime_checkable
class LooksAhead(Protocol):
    """A strategy that knows some of its next points before it receives the pending value."""

    def ahead(self) -> list[Point]:
        """Points that will be asked for whatever the next values are."""
        ...


@dataclass
class Trace:
    """What one search asked for, in order, and what that cost; `done` says whether it ended."""

    history: list[tuple[Point, Measured]] = field(default_factory=list)
    done: bool = False

    @property
    def best(self) -> tuple[Point | None, float]:
        """The best point and its value; None and infinity where nothing worked."""
        found = min(self.history, key=lambda one: one[1].value, default=None)
        if found is None or math.isinf(found[1].value):
            return None, math.inf
        return found[0], found[1].value

    @property
    def seconds(self) -> float:
        """Compiling and measuring of all its points, as if each search were alone."""
        return math.fsum(measured.seconds for _, measured in self.history)

    @property
    def measurements(self) -> int:
        """How many points it measured."""
        return len(self.history)


def run_in_lockstep(
    searches: Mapping[Name, tuple[str, Strategy]],
    measure: MeasureBatch,
    known: MeasuredPoints,
    *,
    most: int | None = None,
) -> dict[Name, Trace]:
    """Run searches, each of a subject, until all end or a batch comes back incomplete.

    What is in `known` is not measured but counts for the search that asks for it: a search costs
    the same whether others ran before. What is measured is added to it. `most`: the largest batch,
    for a caller that saves between batches. Where `measure` gives None for a point, its search
    stops there, and its trace is not `done`; the same call with the same `known` continues.
    """
    traces = {name: Trace() for name in searches}
    live = dict(searches)
    while live:
        wanted = {name: _wanted(strategy) for name, (_, strategy) in live.items()}
        for name in [name for name, points in wanted.items() if not points]:
            traces[name].done = True
            del live[name]
        _measure(
            [(live[name][0], point) for name in live for point in wanted[name]],
            measure,
            known,
            most,
        )
        for name in list(live):
            subject, strategy = live[name]
            for point in wanted[name]:
                measured = known.get(subject, point)
                if measured is None:
                    del live[name]
                    break
                strategy.tell(point, measured.value)
                traces[name].history.append((point, measured))
    return traces


def _wanted(strategy: Strategy) -> list[Point]:
    first = strategy.ask()
    if first is None:
        return []
    others = strategy.ahead() if isinstance(strategy, LooksAhead) else []
    return [first, *(point for point in others if point != first)]


def _measure(wanted: Batch, measure: MeasureBatch, known: MeasuredPoints, most: int | None) -> None:
    new: dict[tuple[str, str], tuple[str, Point]] = {}
    for subject, point in wanted:
        if known.get(subject, point) is None:
            new.setdefault((subject, known.key(point)), (subject, point))
    batch = list(new.values())
    size = most or max(len(batch), 1)
    for first in range(0, len(batch), size):
        part = batch[first : first + size]
        results = measure(part)
        if len(results) != len(part):
            raise FettleError(
                f"measuring {len(part)} points gave {len(results)} results; give one a point, in "
                "their order, and None for what was not measured"
            )
        for (subject, point), measured in zip(part, results, strict=True):
            if measured is not None:
                known.add(subject, point, Measured(as_cost(measured.value), measured.seconds))
        if any(measured is None for measured in results):
            return
