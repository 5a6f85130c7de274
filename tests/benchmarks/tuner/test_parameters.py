"""benchmarks/parameters: its judging favours no strategy, and the function that it tunes sorts."""

from __future__ import annotations

import os
import random
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "tuner" / "parameters"
sys.path.append(str(BENCHMARK))

from functions import SORT, Tuned  # noqa: E402
from reference import Rounds, best_fixed, measured, offered, share_of_best  # noqa: E402


def equal_points(dice: random.Random) -> Rounds:
    """Twenty points that are equally fast, with noise of a twentieth."""
    return {f"p{i}": [1 + 0.05 * dice.gauss(0, 1) for _ in range(6)] for i in range(20)}


def test_the_luckiest_of_equal_points_does_not_make_the_others_seem_slow() -> None:
    dice = random.Random(1)
    drawn = [equal_points(dice) for _ in range(300)]
    fair = [statistics.fmean(share_of_best(costs, "p0")) for costs in drawn]
    assert statistics.fmean(fair) == pytest.approx(1.0, abs=0.01)
    naive = [
        min(map(statistics.median, costs.values())) / statistics.median(costs["p0"])
        for costs in drawn
    ]
    assert statistics.fmean(naive) < 0.97


def test_a_point_that_ran_less_often_is_nobodys_best() -> None:
    costs = {"a": [2.0] * 6, "b": [3.0] * 6, "far": [8.0, 90.0]}
    assert share_of_best(costs, "a") == (1.0, 1.0)
    assert share_of_best(costs, "b") == pytest.approx((2 / 3, 2 / 3))
    assert share_of_best(costs, "far") == (0.25, 0.25)
    assert share_of_best({**costs, "far": [1.0, 1.0]}, "a") == (1.0, 1.0)


def test_the_best_fixed_point_works_on_all_inputs() -> None:
    rounds = {
        ("1",): {"a": [1.0, 1.0], "b": [2.0, 2.0], "c": [1.9, 1.9]},
        ("2",): {"b": [1.0, 1.0], "c": [1.5, 1.5]},
    }
    assert best_fixed(rounds) == "b"


@pytest.fixture(scope="module")
def sort(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sorting program, which is not optimised: it compiles sooner."""
    folder = tmp_path_factory.mktemp("sort")
    compiler = shlex.split(os.environ.get("FETTLE_CXX", "c++"))
    flags = ["-std=c++20", "-O0", f"-I{BENCHMARK.parents[2] / 'include'}"]
    subprocess.run([*compiler, *flags, str(SORT.source), "-o", "sort"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("words", [("1", "5", "100"), ("1000", "32", "100"), ("3001", "9", "2")])
def test_all_points_sort_and_are_measured(sort: Path, words: tuple[str, ...]) -> None:
    tuned = Tuned("sort", SORT.source, (words,), (words,))
    offer = offered(sort, tuned)
    assert len(offer.points) == 5 + 10 + 20
    assert offer.plain == ("std",)
    # What sorts wrongly has no samples: it fails verification.
    costs = measured(sort, tuned, words, offer, 3)
    assert sorted(costs) == sorted((*offer.points, "std"))
    assert {len(its) for its in costs.values()} <= {2, 3}


def test_the_program_says_what_it_ran(sort: Path) -> None:
    run = subprocess.run(
        ["./sort", "500", "20", "20"],
        cwd=sort,
        env={**os.environ, "FETTLE_FORCE": "sort=parts bits=4 cutoff=64"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert run.stdout == "500 keys by parts bits=4 cutoff=64, right\n"
