"""Many searches measured in batches, and what is kept of them on disk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from stencil_model import spec_named, stencil_space, stencils

from fettle.core.errors import FettleError
from fettle.search.base import Strategy
from fettle.search.grouped import (
    Grouped,
    Measured,
    MeasuredPoints,
    Trace,
    random_sample,
    run_in_lockstep,
)
from fettle.search.registry import make_strategy
from fettle.search.run import search
from fettle.search.space import Point

KERNELS = {kernel.name: kernel for kernel in stencils()[:3]}
SPACE = stencil_space(8)


class Laboratory:
    """Measures batches, and counts them; gives up after `most` points."""

    def __init__(self, most: float = math.inf) -> None:
        self.most = most
        self.batches: list[int] = []

    def __call__(self, batch: Sequence[tuple[str, Point]]) -> list[Measured | None]:
        left = self.most - sum(self.batches)
        self.batches.append(len(batch))
        return [
            Measured(KERNELS[name].time(point), 0.5) if i < left else None
            for i, (name, point) in enumerate(batch)
        ]


def searches() -> dict[tuple[str, str], tuple[str, Strategy]]:
    found: dict[tuple[str, str], tuple[str, Strategy]] = {}
    for name in KERNELS:
        found[name, "hybrid"] = (name, Grouped(SPACE, 0, spec=spec_named("hybrid")))
        found[name, "sample"] = (name, Grouped(SPACE, 1, spec=random_sample(100)))
        found[name, "genetic"] = (name, make_strategy("genetic", SPACE, 2, 30))
    return found


def best_of(trace: Trace) -> float:
    return trace.best[1]


def test_batches_find_what_single_searches_find() -> None:
    laboratory = Laboratory()
    known = MeasuredPoints()
    traces = run_in_lockstep(searches(), laboratory, known)
    assert all(trace.done for trace in traces.values())
    for (name, _), trace in traces.items():
        single = searches()[name, _][1]
        alone = search(SPACE, KERNELS[name].time, single)
        assert best_of(trace) == alone.best_value
        assert trace.best[0] is not None
        assert KERNELS[name].time(trace.best[0]) == alone.best_value
        # What another search had measured counts for this one too.
        assert trace.measurements == alone.measurements
        assert trace.seconds == pytest.approx(0.5 * alone.measurements)
    assert sum(laboratory.batches) == len(known)
    assert len(known) < sum(trace.measurements for trace in traces.values())
    assert len(laboratory.batches) < 80


def test_a_run_that_is_cut_short_continues_from_its_file(tmp_path: Path) -> None:
    whole = run_in_lockstep(searches(), Laboratory(), MeasuredPoints())
    path = tmp_path / "points.jsonl"
    known = MeasuredPoints(path)
    short = run_in_lockstep(searches(), Laboratory(most=200), known, most=64)
    known.close()
    assert not any(trace.done for name, trace in short.items() if name[1] == "hybrid")
    assert len(known) == 200
    with path.open("a") as file:
        file.write('{"subject": "r0", "poi')  # the program ended here
    again = MeasuredPoints(path)
    assert len(again) == 200
    laboratory = Laboratory()
    assert run_in_lockstep(searches(), laboratory, again) == whole
    replayed = Laboratory()
    assert run_in_lockstep(searches(), replayed, MeasuredPoints(path)) == whole
    assert replayed.batches == []
    assert set(again.subjects()) == set(KERNELS)
    assert sum(1 for name in KERNELS for _ in again.points(name)) == len(again)


def test_failures_are_kept_too(tmp_path: Path) -> None:
    known = MeasuredPoints(tmp_path / "points.jsonl")

    def fail(batch: Sequence[tuple[str, Point]]) -> list[Measured | None]:
        return [Measured(math.nan, 0.25) for _ in batch]

    strategy = Grouped(SPACE, 0, spec=random_sample(5))
    ((_, trace),) = run_in_lockstep({"k": ("k", strategy)}, fail, known).items()
    assert trace.best == (None, math.inf)
    assert trace.seconds == 1.25
    read = MeasuredPoints(tmp_path / "points.jsonl")
    assert [one for _, one in read.points("k")] == [Measured(math.inf, 0.25)] * 5


def test_mistakes_are_named(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match="measuring 5 points gave 0 results"):
        strategy = Grouped(SPACE, 0, spec=random_sample(5))
        run_in_lockstep({"k": ("k", strategy)}, lambda batch: [], MeasuredPoints())
    path = tmp_path / "points.jsonl"
    line = '{"subject": "k", "point": {"a": 1}, "value": 1.0, "seconds": 1.0}\n'
    for text, message in (
        (line + line, 'line 2: k at {"a": 1} is measured twice'),
        (line + "{}\n", "line 2: 'value'"),
        ("nonsense\n", "line 1: Expecting value"),
    ):
        path.write_text(text)
        with pytest.raises(FettleError, match=message):
            MeasuredPoints(path)
