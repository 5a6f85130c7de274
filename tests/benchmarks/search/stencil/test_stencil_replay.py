"""Searches of the stencils replayed on a table that a formula made."""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import offline
import pytest
import replay
import table
from gpu import is_hopeless
from samples import expert_space
from shapes import StencilKernel, kernel_named
from space import ELEMENTS, PAPER_LOADING

from fettle.search.grouped import Measured, MeasuredPoints
from fettle.search.grouped.lockstep import Batch
from fettle.search.space import Point

KERNELS = ["dense_0d_r0", "dense_1d_x_r2", "star_2d_xy_r3", "dense_3d_r2"]
OPTIONS = argparse.Namespace(
    only=KERNELS, random=40, seed=1, heuristics=["restricted"], repetitions=[0, 1]
)


def seconds(kernel: StencilKernel, point: Point) -> float:
    """Small stencils are best from global memory, those along x by vectors, large ones staged."""
    at = {name: value if isinstance(value, int) else 0 for name, value in point.items()}
    threads = math.prod(at[f"work_group_{axis}"] for axis in "xyz")
    work = math.prod(at[f"cyclic_merge_{axis}"] for axis in "xyz")
    way = {
        "global": 1 + 0.3 * kernel.size**0.5,
        "vector": 1.2 + 0.2 * kernel.size ** (0.4 if kernel.axes == "x" else 0.7),
        "local": 2 + 0.02 * kernel.size,
        "read_only": 1.1 + 0.25 * kernel.size**0.5,
        "texture": 1.5 + 0.2 * kernel.size**0.5,
    }[str(point["loading"])]
    if threads == 512:
        return math.inf
    noise = random.Random(f"{kernel.name}{sorted(map(str, point.items()))}").gauss(0, 0.01)
    shape = 1 + 0.1 * abs(math.log2(threads) - 7) + 0.1 * abs(math.log2(work) - 2)
    time = 1e-3 * way * shape * (1 + 1 / at["work_group_x"]) * math.exp(noise)
    return float(f"{time:.5g}")  # as precise as in a table


def measure(batch: Batch) -> Sequence[Measured | None]:
    found: list[Measured | None] = []
    for name, point in batch:
        kernel = kernel_named(name)
        if is_hopeless(kernel, point, ELEMENTS):
            found.append(Measured(math.inf, 0.0))
        else:
            found.append(Measured(seconds(kernel, point), 0.5))
    return found


@pytest.fixture(scope="module", autouse=True)
def hasty_expert() -> Iterator[None]:
    """An expert who looks at every 40th of his points."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(offline, "expert_space", lambda kernel: list(expert_space(kernel))[::40])
        patch.setattr(offline, "TREES", 50)
        yield


@pytest.fixture(scope="module")
def measured(hasty_expert: None) -> tuple[MeasuredPoints, list[offline.Row]]:
    known = MeasuredPoints()
    comparison, rows = replay.compare(known, measure, OPTIONS)
    assert all(trace.done for trace in comparison.traces.values())
    return known, rows


def test_the_rows_say_what_searches_found_and_cost(
    measured: tuple[MeasuredPoints, list[offline.Row]],
) -> None:
    rows = {row["search"]: row for row in measured[1]}
    assert rows["random"]["speedup_random"] == rows["expert"]["speedup_expert"] == 1
    assert rows["random"]["configurations"] == 40
    once, again = rows["restricted, r=0, oracle"], rows["restricted, r=1, oracle"]
    assert again["configurations"] > once["configurations"] > 5
    assert again["speedup_random"] >= once["speedup_random"] > 1
    best = sum(rows[f"restricted, r=1, {way}"]["best_of"] for way in PAPER_LOADING)
    assert best == len(KERNELS)
    for row in rows.values():
        assert row["kernels"] == len(KERNELS)
        assert row["cost_share_random"] == pytest.approx(
            row["tuning_seconds"] / rows["random"]["tuning_seconds"]
        )
    one, two = rows["restricted, r=1, predicted"], rows["restricted, r=1, predicted two"]
    assert one["tuning_seconds"] < two["tuning_seconds"] < again["tuning_seconds"]
    assert one["penalty_weighted_accuracy"] <= two["penalty_weighted_accuracy"] <= 1
    assert one["speedup_random"] <= two["speedup_random"] <= again["speedup_random"]


def test_a_written_table_gives_the_same_rows(
    measured: tuple[MeasuredPoints, list[offline.Row]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    known, rows = measured
    path = tmp_path / "measured.csv"
    written = table.Table(path)
    for name in KERNELS:
        for point, one in known.points(name):
            if one.seconds:  # what is hopeless is not in the table
                written.add(name, table.Measured(point, one.value, one.seconds))
    written.close()
    monkeypatch.setenv("FETTLE_BENCHMARK_ROWS", str(tmp_path / "rows.jsonl"))
    words = [str(path), "--random", "40", "--heuristics", "restricted", "--repetitions", "0", "1"]
    replay.main(words)
    printed = capsys.readouterr().out
    assert "searches want points" not in printed
    assert "restricted, r=1, predicted two" in printed
    again = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    for row, other in zip(rows, again, strict=True):
        assert row["search"] == other["search"]
        assert row["configurations"] == other["configurations"]
        assert row["speedup_random"] == pytest.approx(other["speedup_random"], rel=1e-4)
    # Another heuristic wants points that were not measured, and has no rows.
    replay.main([str(path), "--random", "40", "--heuristics", "by_optimization"])
    printed = capsys.readouterr().out
    assert "searches want points that are not measured" in printed
    assert "by_optimization" not in printed
    with pytest.raises(SystemExit, match="of no kernel were all random points"):
        replay.main([str(path), "--random", "41"])
