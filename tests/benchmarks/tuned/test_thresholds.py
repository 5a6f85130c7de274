"""The thresholds' benchmark: trees of what was measured, replays, and the rows of the tuners."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks" / "tuned" / "thresholds"))

import pictures
from classifiers import shares
from run import main, rows_of
from table import Program, programs_of
from tuners import exactly, of_loops

from fettle.search.thresholds import NEVER, Guard, Split
from fettle.search.thresholds.tree import guards, versions

DATA = ((4, 65536), (64, 4096), (1024, 256), (16384, 16), (65536, 4))


def simple_rows() -> list[dict[str, object]]:
    """Sums of rows: by rows best where there are many, by groups in between, flat where few."""
    rows = []
    for i, (count, length) in enumerate([*DATA, (128, 2048), (8192, 32), (2, 100_000)]):
        seconds = {
            "outer": 10 + 1e4 * length / 1024 * (1 if count < 8000 else 0.01),
            "inner": 20 + 0.5 * count + 1e4 / count,
            "flattened": 90.0,
        }
        rows.append(
            {"program": "sums", "data": f"{count}x{length}", "tunes": i < len(DATA), "nest": "all"}
            | {"step": 0, "rows": count, "length": length, "moderate": "outer", "us": seconds}
        )
    return rows


def loop_rows() -> list[dict[str, object]]:
    """A loop of two nests over a shrinking square, tuned on 64 and 256, judged on 128."""
    rows: list[dict[str, object]] = []
    for size in (64, 256, 128):
        for step in range(1, size // 16):
            left = size - 16 * step
            base = {"program": "lu", "data": str(size), "tunes": size != 128, "step": step}
            edge = {"outer": 5 + 0.02 * left, "inner": 8.0, "flattened": 12.0}
            cells = {
                "rows": 6 + 0.5 * left,
                "group_per_row": 9 + 0.05 * left,
                "cells": 4 + 0.001 * left * left,
                "group_per_cell": 4 + 0.004 * left * left,
                "flattened": 14 + 0.0005 * left * left,
            }
            for nest, length, moderate, us in (
                ("edge", 16, "outer", edge),
                ("inside", left, "cells", cells),
            ):
                rows.append(
                    {**base, "nest": nest, "rows": left, "length": length}
                    | {"moderate": moderate, "us": us}
                )
    return rows


@pytest.fixture(scope="module")
def measured() -> list[dict[str, object]]:
    return [{"platform": "cuda"}, *simple_rows(), *loop_rows()]


@pytest.fixture(scope="module")
def programs(measured: list[dict[str, object]]) -> dict[str, Program]:
    return {program.name: program for program in programs_of(measured)}


def test_trees_are_chains_of_versions_and_splits_of_nests(programs: dict[str, Program]) -> None:
    sums, lu = programs["sums"].tree(), programs["lu"].tree()
    assert isinstance(sums, Guard)
    assert [guard.threshold for guard in guards(sums)] == ["all: inner", "all: outer"]
    assert isinstance(lu, Split)
    assert len(list(versions(lu))) == 3 + 5
    assert programs["sums"].is_simple()
    assert not programs["lu"].is_simple()


def test_runs_are_replayed_by_any_thresholds(programs: dict[str, Program]) -> None:
    sums = programs["sums"]
    us = sums.nests["64x4096"][0].us
    never = {"all: outer": NEVER, "all: inner": NEVER}
    assert sums.seconds(never, "64x4096") == pytest.approx(1e-6 * us["flattened"])
    # 64 rows are 64 threads, or 64 groups of 128.
    assert sums.compared("64x4096") == {"all: outer": [64.0], "all: inner": [64.0 * 128]}
    taken = sums.seconds({**never, "all: inner": 64 * 128.0}, "64x4096")
    assert taken == pytest.approx(1e-6 * us["inner"])
    assert sums.moderate("64x4096") == pytest.approx(1e-6 * us["outer"])
    assert sums.best("64x4096") == pytest.approx(1e-6 * min(us.values()))
    assert sums.untuned("64x4096") == pytest.approx(1e-6 * us["flattened"])
    assert sums.untuned("1024x256") == pytest.approx(1e-6 * sums.nests["1024x256"][0].us["inner"])


def test_a_simple_program_needs_a_run_a_version(programs: dict[str, Program]) -> None:
    sums = programs["sums"]
    found = exactly(sums)
    assert found.runs == 3
    assert found.tuned[0].conflicts == ()
    assert all(
        sums.seconds(found.tuned[0].thresholds, name) == pytest.approx(sums.best(name))
        for name in sums.data(tunes=True)
    )


def test_the_loop_is_tuned_best_by_instrumentation_with_fewest_runs(
    programs: dict[str, Program],
) -> None:
    lu = programs["lu"]
    found = {outcome.tuner: outcome for outcome in of_loops(lu)}
    best = found["instrumented"]
    assert best.runs == 3 + 5 - 1  # the parts of a split run together
    total = {
        name: min(
            sum(lu.seconds(one.thresholds, data) for data in lu.data(tunes=True))
            for one in outcome.tuned
        )
        for name, outcome in found.items()
    }
    assert all(total["instrumented"] <= time * (1 + 1e-9) for time in total.values())
    for name in ("binary", "active", "algorithm 3 with binary", "exhaustive, algorithm 4"):
        assert found[name].runs > best.runs
        assert total[name] <= 1.5 * total["instrumented"]
    assert found["active, algorithm 6"].runs <= found["active"].runs


@pytest.fixture
def no_classifiers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows without training, which a test of its own does."""
    monkeypatch.setattr("run.shares", lambda program: {})


@pytest.mark.usefixtures("no_classifiers")
def test_the_rows_say_what_was_gained_on_data_left_out(programs: dict[str, Program]) -> None:
    rows = rows_of(list(programs.values()))
    simple = rows[0]
    assert simple["programs"] == "simple"
    assert rows[1]["programs"] == "simple, relative"
    assert rows[1]["share_of_best"] >= simple["share_of_best"] * 0.9
    assert simple["data_sets"] == 3
    left = [row for row in rows if row.get("program") == "sums" and row.get("tunes") is False]
    over = [row["moderate_ms"] / row["tuned_ms"] for row in left]
    assert simple["mean_speedup_moderate"] == pytest.approx(sum(over) / 3)
    logarithms = [math.log(one) for one in over]
    assert simple["speedup_moderate"] == pytest.approx(math.exp(sum(logarithms) / 3))
    loops = {row["tuner"]: row for row in rows if row.get("programs") == "lu"}
    assert loops["instrumented"]["speedup_moderate"] >= 1
    assert 0 < loops["instrumented"]["share_of_best"] <= 1


@pytest.mark.usefixtures("no_classifiers")
def test_a_record_gets_the_rows_once_and_keeps_what_was_measured(
    measured: list[dict[str, object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "thresholds_cuda.json"
    record = {"benchmark": "thresholds_cuda", "machine": {"gpus": ["a GPU"]}, "rows": measured}
    path.write_text(json.dumps(record), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["run.py", str(path)])
    main()
    once = path.read_text(encoding="utf-8")
    main()
    assert path.read_text(encoding="utf-8") == once
    found = json.loads(once)
    assert found["machine"] == record["machine"]
    assert [row for row in found["rows"] if "nest" in row or "platform" in row] == measured
    assert found["rows"][0]["programs"] == "simple"
    pictures.main(["--results", str(tmp_path), "--folder", str(tmp_path)])
    for name in ("thresholds_4_2.png", "thresholds_4_4.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_classifiers_are_judged_on_the_same_data(programs: dict[str, Program]) -> None:
    found = shares(programs["sums"])
    assert set(found) == {"thresholds of the tree", "thresholds", "tree", "svm", "moderate"}
    assert all(0 < share <= 1 for share in found.values())
    # As the tree of guards does; moderate flattening knows no sizes.
    assert found["thresholds of the tree"] > found["moderate"]
