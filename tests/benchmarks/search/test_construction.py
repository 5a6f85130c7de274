"""The search benchmarks on small inputs: spaces are the published ones, counts agree, rows are
recorded and complete.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import ablation
import construction
import numpy as np
import pytest
import strategies
from published_spaces import gemm, hotspot

from fettle.search import propagation
from fettle.search.table import measured_table

ROWS = "FETTLE_BENCHMARK_ROWS"


def test_spaces_have_as_many_points_either_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ROWS, str(tmp_path / "rows"))
    monkeypatch.setattr("sys.argv", ["construction.py", "--spaces", "gemm, as measured"])
    assert construction.main() == 0
    (row,) = map(json.loads, (tmp_path / "rows").read_text(encoding="utf-8").splitlines())
    assert (row["product"], row["points"]) == (82_944, 17_956)
    assert row["filter_s"] > 0 and row["propagation_ratio"] > 0


def test_the_largest_space_has_the_same_points_in_both_ways_of_asking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_once = hotspot()
    assert at_once.product == 22_200_000
    assert len(at_once) == 279_639
    monkeypatch.setattr(propagation, "_MANY", 10**9)
    one_by_one = hotspot()
    assert len(one_by_one) == len(at_once)
    assert one_by_one.pruned == at_once.pruned


def test_a_published_space_has_as_many_points_as_filtering_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    space = gemm()
    assert space.product == 663_552
    assert len(space) == construction.filtered(space) == 120_800
    assert len(space) + sum(space.pruned.values()) == space.product
    monkeypatch.setattr(propagation, "_MANY", 10**9)  # each combination asked for by itself
    again = gemm()
    assert again.pruned == space.pruned
    for one, other in zip(space.blocks(), again.blocks(), strict=True):
        assert np.array_equal(one, other)


def test_the_measured_points_are_those_of_the_space(published: Callable[..., Path]) -> None:
    table = measured_table(published("search_spaces", "gemm__A100.csv.xz"))
    names = [parameter.name for parameter in table.space.parameters]
    assert {tuple(point[name] for name in names) for point in gemm(measured=True)} == {
        tuple(point[name] for name in names) for point in table.space
    }


def test_counts_that_differ_end_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(construction, "filtered", lambda space: 1)
    with pytest.raises(SystemExit, match="17956 points, filtering leaves 1"):
        construction.measure("gemm", construction.SPACES["gemm, as measured"])


def test_every_strategy_gives_a_row(
    published: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = published("laplacian_k40c", "search_space.csv.xz")
    monkeypatch.setenv(ROWS, str(tmp_path / "rows"))
    assert strategies.main(["--table", str(path), "--repeat", "1"]) == 0
    rows = [json.loads(line) for line in (tmp_path / "rows").read_text("utf-8").splitlines()]
    assert [row["case"] for row in rows] == [case.name for case in strategies.CASES]
    assert len(capsys.readouterr().out.splitlines()) == len(rows) + 1
    for row, case in zip(rows, strategies.CASES, strict=True):
        assert 1 <= row["mean_slowdown"] == row["max_slowdown"]
        assert row["max_budget"] <= case.budget
        assert ("published_mean" in row) == (case.published is not None)


def test_every_component_of_auto_can_be_switched_off(
    published: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = published("search_spaces", "convolution_small__MI50.csv.xz")
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / path.name).symlink_to(path)
    monkeypatch.setenv(ROWS, str(tmp_path / "rows"))
    arguments = ["--data", str(folder), "--searches", "40:1"]
    monkeypatch.setattr("sys.argv", ["ablation.py", *arguments])
    assert ablation.main() == 0
    rows = [json.loads(line) for line in (tmp_path / "rows").read_text("utf-8").splitlines()]
    assert [row["without"] for row in rows] == list(ablation.COMPONENTS)
    assert all(0 < row["mean_share"] <= 1 for row in rows)
    by_component = {row["without"]: row["mean_measured"] for row in rows}
    assert by_component["stopping"] == 40 > by_component["forced neighbours"]
