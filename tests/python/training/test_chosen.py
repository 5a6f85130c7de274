"""What a model with parameters chooses, and how `fettle evaluate` judges its points."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from fettle.cli import main
from fettle.model.model_directory import read_model, write_model
from fettle.training.chosen import measured_names, needed_names

GOLDEN = Path(__file__).resolve().parents[2] / "model" / "golden" / "refined" / "mm"
LOW, HIGH, OTHER = "tiled tile=16 unroll=4", "tiled tile=64 unroll=2", "tiled tile=32 unroll=1"

# The model takes plain up to n = 10, then tiled, with LOW up to m = 20 and HIGH above.
ROWS = [
    # n, m, plain, LOW, HIGH, OTHER
    (5, 10, 1.0, 2.0, 2.0, 2.0),  # plain is right
    (50, 10, 4.0, 1.0, 2.0, 3.0),  # LOW is right
    (50, 30, 4.0, 2.0, 1.0, 3.0),  # HIGH is right
    (50, 30, 4.0, 2.0, 2.0, 1.0),  # HIGH, where OTHER is twice as good
]


def table(path: Path, columns: tuple[str, ...], rows: list[tuple[float, ...]]) -> Path:
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def evaluate(given: Path, model: Path = GOLDEN, *more: str) -> int:
    return main(["evaluate", "--table", str(given), "--model", str(model), *more])


def test_which_columns_are_judged() -> None:
    model = read_model(GOLDEN)
    columns = ["name", "n", "m", "plain", LOW, HIGH, OTHER, "tiled tile=17 unroll=1", "tiledx"]
    assert measured_names(model, columns) == ["plain", LOW, HIGH, OTHER]
    assert needed_names(model) == ["plain", LOW, HIGH]


def test_points_are_judged_against_the_best_point(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = table(tmp_path / "t.csv", ("n", "m", "plain", LOW, HIGH, OTHER), ROWS)
    assert evaluate(given) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "share of best: mean 0.8750 p5 0.5750 worst 0.5000 accuracy 0.7500 n 4"
    assert evaluate(given, GOLDEN, "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["tuned"]["mean"] == 0.875
    assert [one["name"] for one in record["fixed"]] == ["plain", LOW, HIGH, OTHER]


def test_points_that_were_not_measured_do_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [row[:5] for row in ROWS[:3]]
    assert evaluate(table(tmp_path / "t.csv", ("n", "m", "plain", LOW, HIGH), rows)) == 0
    assert "mean 1.0000" in capsys.readouterr().out.splitlines()[-1]


def test_a_point_that_may_be_chosen_has_to_be_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [row[:4] for row in ROWS]
    assert evaluate(table(tmp_path / "t.csv", ("n", "m", "plain", LOW), rows)) == 2
    assert f"its variant {HIGH!r} is not a column" in capsys.readouterr().err


def test_a_variant_at_its_defaults_is_a_column_of_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(GOLDEN, tmp_path / "mm")
    write_model(tmp_path / "mm", replace(read_model(GOLDEN), default="tiled"))
    columns = ("n", "m", "plain", LOW, HIGH, OTHER)
    given = table(tmp_path / "t.csv", columns, [*ROWS, (1e6, 10, 1.0, 1.0, 1.0, 1.0)])
    assert evaluate(given, tmp_path / "mm") == 2
    assert "for line 6" in (told := capsys.readouterr().err)
    assert "runs tiled at its defaults; add a column 'tiled'" in told
    rows = [(*row, 2.0) for row in [*ROWS, (1e6, 10, 1.0, 1.0, 1.0, 1.0)]]
    given = table(tmp_path / "u.csv", (*columns, "tiled"), rows)
    assert evaluate(given, tmp_path / "mm") == 0
    assert "mean 0.8000" in capsys.readouterr().out.splitlines()[-1]


def test_points_of_one_level_are_judged_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flat = replace(read_model(GOLDEN), variants=("plain", LOW), refinements={})
    write_model(tmp_path / "mm", flat)
    given = table(tmp_path / "t.csv", ("n", "m", "plain", LOW, HIGH, OTHER), ROWS)
    assert evaluate(given, tmp_path / "mm") == 0
    assert "mean 0.7500" in capsys.readouterr().out.splitlines()[-1]
