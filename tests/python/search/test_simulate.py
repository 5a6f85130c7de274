from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fettle.cli import main
from fettle.core.errors import FettleError
from fettle.report.search_comparison import comparison_text, mean_shares
from fettle.report.search_curves import draw_comparison
from fettle.search.base import Strategy
from fettle.search.random_search import RandomSearch
from fettle.search.simulate import Simulation, simulate
from fettle.search.table import MeasuredTable, measured_table


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rows = [f"{a},{b},{1 + abs(a - 3) + b}" for a in range(8) for b in range(5)]
    written = tmp_path / "made.csv"
    written.write_text("a,b,time_per_pixel\n" + "\n".join(rows) + "\n")
    return written


def random_search(table: MeasuredTable, seed: int) -> Strategy:
    return RandomSearch(table.space, seed)


def run(path: Path, budget: int, repeat: int, jobs: int = 1) -> Simulation:
    table = measured_table(path)
    return simulate(table, "random", random_search, budget=budget, repeat=repeat, jobs=jobs)


def test_slowdowns_are_relative_to_the_table_and_end_at_one(path: Path) -> None:
    whole = run(path, budget=100, repeat=3)
    assert [one.slowdown for one in whole.repetitions] == [1, 1, 1]
    assert [one.measurements for one in whole.repetitions] == [40, 40, 40]
    assert all(max(c) >= 1 and list(c) == sorted(c, reverse=True) for c in whole.curves(50))
    assert whole.curves(50).shape == (3, 50)


def test_the_seeds_are_those_of_the_repetitions_however_many_jobs(path: Path) -> None:
    one = run(path, budget=5, repeat=20)
    two = run(path, budget=5, repeat=20, jobs=2)
    assert [r.seed for r in two.repetitions] == list(range(20))
    assert one.repetitions == two.repetitions
    assert run(path, budget=5, repeat=7).repetitions == one.repetitions[:7]
    assert len({r.curve for r in one.repetitions}) > 1


def test_repetitions_in_which_nothing_worked_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = "".join(f"{a},,0\n" for a in range(9))
    path.write_text("a,time_ms,valid\n" + rows + "9,2.0,1\n")
    record = run(path, budget=1, repeat=50).record()
    assert record["min_slowdown"] == 1
    assert record["max_slowdown"] is None, "infinite, which JSON cannot say"
    assert record["max_budget"] == 1
    json.dumps(record, allow_nan=False)


def test_bad_budgets(path: Path) -> None:
    for options, message in (
        ({"budget": 0, "repeat": 1}, "--budget is 0"),
        ({"budget": 1, "repeat": 0}, "--repeat is 0"),
        ({"budget": 1, "repeat": 1, "jobs": 0}, "--jobs is 0"),
    ):
        with pytest.raises(FettleError, match=message):
            run(path, **options)


def test_the_record_of_the_command_line(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["search", "simulate", "--space", str(path), "--strategy", "random"]
    assert main([*words, "--budget", "5", "--repeat", "4", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert list(record) == [
        "strategy",
        "mean_slowdown",
        "min_slowdown",
        "max_slowdown",
        "mean_budget",
        "max_budget",
    ]
    assert record["strategy"] == "random"
    assert record["mean_budget"] == record["max_budget"] == 5
    assert 1 <= record["min_slowdown"] <= record["mean_slowdown"] <= record["max_slowdown"]


def test_an_unknown_strategy_is_one_line(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "simulate", "--space", str(path), "--strategy", "randon"]) == 2
    assert "did you mean 'random'?" in capsys.readouterr().err


def test_options_of_a_strategy(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["search", "simulate", "--space", str(path), "--strategy", "genetic", "--repeat", "2"]
    words += ["--budget", "6", "--json"]
    assert main(words) == 0
    plain = json.loads(capsys.readouterr().out)
    options = ["--option", "as_published=True", "--option", "population=2", "--option"]
    assert main([*words, *options, "mutation=0.5"]) == 0
    published = json.loads(capsys.readouterr().out)
    assert published["max_budget"] <= plain["max_budget"] == 6
    assert main([*words, "--option", "populations=2"]) == 2
    assert "has no option 'populations'; did you mean 'population'?" in capsys.readouterr().err
    assert main([*words, "--option", "mutation=often"]) == 2
    message = "--option mutation=often: mutation of genetic takes float | None"
    assert message in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*words, "--option", "population"])
    assert "expected NAME=VALUE, got 'population'" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_compare_prints_a_table_and_draws(
    path: Path, tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / f"curves{suffix}"
    words = [
        "search",
        "compare",
        "--space",
        str(path),
        "--strategies",
        "exhaustive,random",
    ]
    assert main([*words, "--budget", "6", "--repeat", "5", "--picture", str(picture)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("made.csv: slowdown")
    assert {line.split()[0] for line in lines[2:4]} == {"exhaustive", "random"}
    assert picture.read_bytes().startswith(b"\x89PNG" if suffix == ".png" else b"<?xml")


def test_the_picture_is_refused_before_the_search(path: Path, tmp_path: Path) -> None:
    simulation = run(path, budget=3, repeat=2)
    with pytest.raises(FettleError, match=r"ends with none of \.svg, \.png"):
        draw_comparison([simulation], tmp_path / "curves.txt")
    with pytest.raises(FettleError, match="is not a folder"):
        draw_comparison([simulation], tmp_path / "no" / "curves.svg")


def test_several_spaces_get_a_table_over_all(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text(path.read_text())
    simulations = [run(path, budget=4, repeat=5), run(other, budget=4, repeat=5)]
    ((name, share),) = mean_shares(simulations)
    assert name == "random"
    assert share == pytest.approx(simulations[0].mean_share)
    assert comparison_text(simulations)[-1] == f"random    {share:.4f}"


def test_random_search_agrees_with_the_paper(published: Callable[..., Path]) -> None:
    # Table 2 of Bruel et al.: 1.10 mean, 1.00 minimum, 1.39 maximum of 1000 at 120 measurements.
    simulation = run(published("laplacian_k40c", "search_space.csv.xz"), budget=120, repeat=200)
    assert float(simulation.slowdowns.mean()) == pytest.approx(1.10, abs=0.02)
