"""The driver of the searches, with a stand-in for the program that measures."""

import json
import lzma
import math
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from comparison import summary_rows
from gpu import Measuring, TimeUpError
from run import spread
from samples import random_points
from searches import grouped, run_search
from shapes import even_sample, kernel_named
from space import PAPER_LOADING
from specifications import refined, specifications
from table import Measured, Table, read_table

from fettle.search.grouped import parse_specification

STAND_IN = Path(__file__).parent / "stand_in.py"
RUN = Path(__file__).parents[4] / "benchmarks" / "search" / "stencil" / "run.py"


@pytest.fixture
def measuring(tmp_path):
    """Measures by the stand-in."""
    with Measuring(program=STAND_IN, folder=tmp_path, table=tmp_path / "t.csv") as made:
        yield made


def test_failed_configurations_are_infinite_and_say_why(measuring):
    kernel = kernel_named("dense_1d_x_r1")
    found = measuring.measure_all({kernel.name: random_points(kernel, 400, seed=1)})[kernel.name]
    reasons = {one.reason for one in found if math.isinf(one.seconds)}
    assert "cuLaunchKernel: too many threads" in reasons
    assert "3 of 4096 outputs are wrong" in reasons
    assert all(one.seconds < 1 for one in found if not one.reason)


def test_a_table_is_gone_on_from_and_half_a_line_dropped(tmp_path):
    kernel = kernel_named("dense_1d_x_r1")
    points = random_points(kernel, 50, seed=1)
    path = tmp_path / "t.csv"
    with Measuring(program=STAND_IN, folder=tmp_path, table=path) as measuring:
        first = measuring.measure_all({kernel.name: points})[kernel.name]
    whole = path.read_text(encoding="utf-8")
    cut = whole[: whole.rfind("\n", 0, -1) + 20]
    path.write_text(cut, encoding="utf-8")
    known = read_table(path)[kernel.name]
    assert len(known) == len([one for one in first if one.cost]) - 1
    with Measuring(program=STAND_IN, folder=tmp_path, table=path) as measuring:
        again = measuring.measure_all({kernel.name: points})[kernel.name]
    seconds = [one.seconds for one in first]
    assert [one.seconds for one in again] == pytest.approx(seconds, rel=1e-8)
    assert sorted(path.read_text(encoding="utf-8").splitlines()) == sorted(whole.splitlines())


def test_a_table_without_a_file_is_kept_in_memory():
    table = Table(None)
    point = random_points(kernel_named("dense_0d_r0"), 1, seed=1)[0]
    assert table.find("dense_0d_r0", point) is None
    table.add("dense_0d_r0", Measured(point, 1.0))
    assert table.find("dense_0d_r0", point).seconds == 1.0


def test_a_compressed_table_is_read_but_not_appended_to(tmp_path):
    plain, packed = tmp_path / "t.csv", tmp_path / "t.csv.xz"
    table = Table(plain)
    point = random_points(kernel_named("dense_0d_r0"), 1, seed=1)[0]
    table.add("dense_0d_r0", Measured(point, 0.5, reason=""))
    table.close()
    packed.write_bytes(lzma.compress(plain.read_bytes()))
    assert read_table(packed) == read_table(plain)
    with pytest.raises(SystemExit, match="unpack it"):
        Table(packed)


def test_after_the_time_limit_everything_that_waits_ends(tmp_path):
    slow = tmp_path / "slow.py"
    slow.write_text("#!/bin/sh\necho '{}'\nexec sleep 60\n", encoding="utf-8")
    slow.chmod(0o755)
    kernel = kernel_named("dense_0d_r0")
    with (
        Measuring(program=slow, folder=tmp_path, time_limit=0.3) as measuring,
        pytest.raises(TimeUpError, match=r"0\.3 s"),
    ):
        measuring.measure_all({kernel.name: random_points(kernel, 3, seed=1)})


def test_a_program_that_does_not_start_is_named(tmp_path):
    with pytest.raises(SystemExit, match="/bin/false ended with status 1"):
        Measuring(program=Path("/bin/false"), folder=tmp_path)


@pytest.mark.parametrize("heuristic", sorted(specifications()))
def test_heuristics_find_the_stand_ins_best(heuristic, measuring):
    kernel = kernel_named("dense_1d_x_r1")
    batches = grouped(kernel, heuristic, "read_only", 1)
    found = run_search(kernel, batches, measuring.submit, 0)
    assert found.seconds == pytest.approx(1.01e-3)
    assert found.compile_seconds == pytest.approx(0.1 * found.count, rel=0.1)
    assert found.count < 1500


def test_the_last_group_trades_merges_for_the_work_group():
    kernel = kernel_named("dense_1d_x_r1")

    def seconds(point):
        # A valley: whoever changes a merge or the work-group alone goes up.
        merge, size = (math.log2(point[name]) for name in ("block_merge_y", "work_group_z"))
        return 1 + abs(merge - size) + 0.1 * (3 - merge)

    found = {}
    for name in ("blocks", "refined"):
        batches = grouped(kernel, name, "global", 1)
        batch, times = next(batches), [math.inf]
        while batch:
            values = [Measured(point, seconds(point)) for point in batch]
            times += [value.seconds for value in values]
            try:
                batch = batches.send(values)
            except StopIteration:
                break
        found[name] = min(times)
    assert found == {"blocks": pytest.approx(1.3), "refined": pytest.approx(1.0)}
    assert parse_specification(refined().text()) == refined()


def test_every_beginning_of_the_order_is_spread():
    kernels = even_sample(26)
    order = spread(kernels)
    assert sorted(k.name for k in order) == sorted(k.name for k in kernels)
    places = sorted(kernels.index(kernel) for kernel in order[:4])
    assert all(b - a >= 5 for a, b in pairwise(places))
    # A sample of 48 begins with that of 24.
    twice = spread(even_sample(48, most_terms=300))
    assert set(twice[:24]) == set(even_sample(24, most_terms=300))


def test_run_writes_what_it_found(tmp_path):
    output = tmp_path / "found.json"
    command = [sys.executable, str(RUN), "--program", str(STAND_IN), "--folder", str(tmp_path)]
    command += ["--only", "dense_1d_x_r1", "star_2d_xz_r2", "dense_1d_z_r2", "--random", "100"]
    command += ["--table", str(tmp_path / "t.csv"), "--output", str(output)]
    rows = tmp_path / "rows.jsonl"
    environment = {**os.environ, "FETTLE_BENCHMARK_ROWS": str(rows)}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert "refined predicted two" in done.stdout
    assert len(json.loads(output.read_text(encoding="utf-8"))["kernels"]) == 3
    recorded = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    by_name = {row["search"]: row for row in recorded if "search" in row}
    times = [row["microseconds"] for row in recorded if "kernel" in row]
    assert len(times) == 3
    assert all(its["blocks read_only"] < its["blocks global"] for its in times)
    # Read-only loading is best for all of the stand-in's kernels.
    for heuristic in ("blocks", "refined"):
        one, two = (by_name[f"{heuristic} {name}"] for name in ("predicted", "predicted two"))
        assert one["accuracy"] == one["penalty_weighted_accuracy"] == 1
        assert one["speedup_random"] == two["speedup_random"] >= 1
        found = by_name[f"{heuristic} read_only"]
        assert one["tuning_seconds"] == pytest.approx(found["tuning_seconds"])
        assert two["tuning_seconds"] > 1.5 * one["tuning_seconds"]
    assert by_name["refined predicted"]["cost_share_expert"] < 0.11


def test_predictions_are_judged_by_what_they_miss():
    def kernel(name, size, best):
        searches = {
            f"blocks {way}": {
                "count": 10,
                "compile_seconds": 1.0,
                "measure_seconds": 1.0,
                "final_seconds": 1.0 if way == best else 2.0,
            }
            for way in PAPER_LOADING
        }
        return {"kernel": name, "features": {"stencil_size": size}, "searches": searches}

    # Small stencils are best by vectors; one of them, from global memory, is the exception.
    kernels = [kernel(f"small{i}", 1.0, "vector") for i in range(4)]
    kernels += [kernel(f"large{i}", 50.0, "local") for i in range(4)]
    kernels.append(kernel("odd", 1.0, "global"))
    rows = {row["search"]: row for row in summary_rows(kernels)}
    row = rows["blocks predicted"]
    assert row["accuracy"] == pytest.approx(8 / 9)
    assert row["penalty_weighted_accuracy"] == pytest.approx((8 + 0.5) / 9)
    assert row["tuning_seconds"] == pytest.approx(2)
    assert rows["blocks oracle"]["tuning_seconds"] == pytest.approx(8)
    assert rows["blocks predicted two"]["tuning_seconds"] == pytest.approx(4)
