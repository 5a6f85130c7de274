"""fettle train, evaluate and predict from end to end, as a user types them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from fettle.cli import main
from fettle.core.wording import counted
from fettle.model.model_directory import read_model

LINE = (
    r"share of best: mean [01]\.\d{4} p5 [01]\.\d{4} worst [01]\.\d{4} "
    r"accuracy [01]\.\d{4} n \d+"
)


def measurements(path: Path, seed: int, count: int = 60) -> Path:
    """a_ms is best up to nnz/rows = 10, b_ms beyond; c_ms never."""
    rng = np.random.default_rng(seed)
    rows = np.round(10 ** rng.uniform(1, 5, count))
    nnz = np.round(rows * 10 ** rng.uniform(0, 2, count))
    long = nnz / rows > 10
    lines = ["matrix,rows,nnz,a_ms,b_ms,c_ms"]
    for i in range(count):
        a, b = (3.0, 1.0) if long[i] else (1.0, 1.5)
        lines.append(f"m{i},{rows[i]:.0f},{nnz[i]:.0f},{a},{b},4.0")
    path.write_text("\n".join(lines) + "\n")
    return path


def train(table: Path, model: Path, *more: str) -> int:
    columns = ["--features", "rows,nnz", "--metrics", "a_ms,b_ms,c_ms"]
    return main(["train", "--table", str(table), *columns, "--model", str(model), *more])


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    directory = folder / "spmv"
    table = measurements(folder / "t.csv", 0)
    assert train(table, directory, "--classifier", "tree") == 0
    return directory


def error_of(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error, with nothing on standard output."""
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("fettle: ")
    assert told.err.count("\n") == 1
    return told.err


@pytest.mark.parametrize("classifier", ["svm", "tree", "forest"])
def test_trains_evaluates_and_predicts(
    classifier: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = tmp_path / "m"
    assert train(measurements(tmp_path / "t.csv", 0), directory, "--classifier", classifier) == 0
    report = capsys.readouterr().out
    assert "best fixed variant: " in report
    assert re.search(rf"{classifier} +mean 0\.9\d+ p5 .* worst .* net .* <- chosen", report)
    assert read_model(directory).classifier == classifier

    unseen = measurements(tmp_path / "u.csv", 1)
    assert main(["evaluate", "--table", str(unseen), "--model", str(directory)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(LINE, lines[-1])
    assert float(lines[-1].split()[4]) > 0.95
    assert [line.split()[0] for line in lines[1:5]] == ["a_ms", "b_ms", "c_ms", "tuned"]

    for nnz, best in (("2000", "a_ms"), ("90000", "b_ms")):
        values = f"--values=1000,{nnz}"
        assert main(["predict", "--model", str(directory), values]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == best


def test_auto_says_what_it_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = measurements(tmp_path / "t.csv", 0, count=30)
    assert train(table, tmp_path / "m", "--json", "--name", "spmv", "--seed", "3") == 0
    record = json.loads(capsys.readouterr().out)
    assert [one["classifier"] for one in record["compared"]] == ["tree", "forest", "svm"]
    assert record["classifier"] == "forest"  # of 30 inputs no other is clearly better
    assert record["function"] == read_model(tmp_path / "m").function == "spmv"


def test_a_variant_that_failed_on_a_line_is_never_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = measurements(tmp_path / "t.csv", 0)
    path.write_text(path.read_text() + "bad,1000,90000,3.0,failed,4.0\n")
    directory = tmp_path / "f"
    assert train(path, directory, "--classifier", "tree") == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("f: 'b_ms' failed on 1 of 61 inputs, first on 'line 62': the table")
    assert main(["predict", "--model", str(directory), "--values=1000,90000", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["variant"] == "a_ms"
    assert record["scores"]["b_ms"] is None
    assert train(path, directory, "--classifier", "tree", "--allow-failures", "b_ms") == 0
    assert "may be chosen all the same" in capsys.readouterr().out.splitlines()[0]
    assert main(["predict", "--model", str(directory), "--values=1000,90000"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "b_ms"


def test_an_empty_cell_is_a_constraint_and_judged_twice(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On one of two inputs the choice is excluded, and the default takes twice the best's time."""
    assert read_model(model).default == "b_ms"
    table = tmp_path / "t.csv"
    table.write_text("rows,nnz,a_ms,b_ms,c_ms\n1000,2000,,2.0,1.0\n1000,90000,3.0,1.0,4.0\n")
    assert main(["evaluate", "--table", str(table), "--model", str(model)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-4].startswith("1 of 2 choices are variants that a constraint excludes there")
    assert "with b_ms running in their place" in lines[-4]
    assert lines[-3].startswith("share of best: mean 0.7500 ")
    assert lines[-2] == "with such a choice counted 0:"
    assert lines[-1].startswith("share of best: mean 0.5000 ")
    assert main(["evaluate", "--table", str(table), "--model", str(model), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["excluded_choices"], record["tuned"]["mean"]) == (1, 0.5)
    assert record["tuned_falling_back"]["mean"] == 0.75


def test_json_of_evaluate_and_predict(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = measurements(model.parent / "u.csv", 2)
    assert main(["evaluate", "--table", str(table), "--model", str(model), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["inputs"] == 60
    assert record["tuned"]["mean"] > max(fixed["mean"] for fixed in record["fixed"])
    assert main(["predict", "--model", str(model), "--values", "1000,90000", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["variant"], record["reason"]) == ("b_ms", "model")
    assert max(record["scores"], key=record["scores"].__getitem__) == "b_ms"


def test_inputs_outside_the_trained_region_get_the_default(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["predict", "--model", str(model), "--values", "10,1e30"]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[-1] == read_model(model).default
    assert "outside the trained region" in told.err


def test_warnings_are_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = measurements(tmp_path / "t.csv", 0)
    table.write_text(table.read_text() + "bad,1000,2000,,nan,inf\n")
    assert train(table, tmp_path / "m", "--classifier", "tree") == 0
    error = capsys.readouterr().err
    assert error.startswith("fettle: warning: ")
    assert "learning from" not in error
    assert "1 of 61 rows are left out" in error
    assert "\n" not in error.rstrip("\n")


def test_the_report_of_few_inputs_has_no_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = measurements(tmp_path / "t.csv", 0, count=4)
    assert train(table, tmp_path / "m", "--classifier", "tree") == 0
    assert "4 inputs are too few to judge a model" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--table", "none.csv"], "cannot read the table none.csv: No such file"),
        (["--features", "rows,cols"], "no column 'cols'; its columns are matrix, rows, nnz, a_ms"),
        (["--features", "matrix"], "line 2: matrix is 'm0', which is not a number"),
        (["--metrics", "a_ms"], "choosing needs at least two variants"),
        (["--model", "t.csv"], "t.csv is a file; --model names a directory"),
        (["--model", "t.csv/m"], "cannot write the model t.csv/m/model.txt: t.csv is not a folder"),
        (["--calls", "0"], "calls must be a whole number from 1 on, not 0"),
    ],
)
def test_bad_input_of_train_is_one_line(
    words: list[str],
    message: str,
    here: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert train(measurements(Path("t.csv"), 0), Path("m"), *words) == 2
    assert message in error_of(capsys)
    assert not Path("m").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--classifier", "oracle"], "invalid choice: 'oracle'"),
        (["--features", "rows,,nnz"], "expected a list of columns such as a,b,c"),
        (["--seed", "-1"], "a seed is an integer of at least 0, got '-1'"),
    ],
)
def test_bad_options_of_train(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        train(measurements(tmp_path / "t.csv", 0), tmp_path / "m", *words)
    assert left.value.code == 2
    assert message in capsys.readouterr().err


def test_train_writes_no_model_into_the_current_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--table", str(measurements(tmp_path / "t.csv", 0)), "--model", ""]
    with pytest.raises(SystemExit) as left:
        main(["train", *words, "--features", "rows", "--metrics", "a_s,b_s"])
    assert left.value.code == 2
    assert "expected the name of a directory, not an empty text" in capsys.readouterr().err


def test_a_model_for_other_columns(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = measurements(tmp_path / "t.csv", 0).read_text()
    for old, new, what in (
        ("nnz", "nonzeros", "feature 'nnz'"),
        ("b_ms", "d_ms", "variant 'b_ms'"),
    ):
        other = tmp_path / "other.csv"
        other.write_text(text.replace(old, new))
        assert main(["evaluate", "--table", str(other), "--model", str(model)]) == 2
        assert f"is a model for other columns: its {what} is not a column" in error_of(capsys)


@pytest.mark.parametrize("values", ["1", "1,2,3"])
def test_wrong_number_of_values(
    values: str, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["predict", "--model", str(model), "--values", values]) == 2
    assert f"has {counted(values.count(',') + 1, 'number')}, but" in error_of(capsys)


def test_values_that_are_no_numbers(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["predict", "--model", str(model), "--values", "1000,many"])
    assert left.value.code == 2
    assert "got '1000,many'" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["evaluate", "predict"])
def test_no_model(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = measurements(tmp_path / "t.csv", 0)
    more = ["--table", str(table)] if command == "evaluate" else ["--values", "1,2"]
    assert main([command, "--model", str(tmp_path / "nothing"), *more]) == 2
    assert "nothing" in error_of(capsys)


def test_a_damaged_model(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    for path in model.iterdir():
        (damaged / path.name).write_bytes(path.read_bytes()[:-20])
    assert main(["predict", "--model", str(damaged), "--values", "1,2"]) == 2
    assert "damaged" in error_of(capsys)


def test_of_many_rows_some_are_learned_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = measurements(tmp_path / "t.csv", 0, count=30_000)
    assert train(table, tmp_path / "m", "--rows", "6000", "--json", "--seed", "5") == 0
    told = capsys.readouterr()
    assert (
        "learning from 6000 of 30000 rows, chosen at random with seed 5 (--rows N changes it)\n"
    ) in told.err
    record = json.loads(told.out)
    assert (record["rows"], record["learned_from"]) == (30_000, 6000)
    assert {one["classifier"] for one in record["compared"]} <= {"tree", "forest"}
    [best] = [one for one in record["compared"] if one["classifier"] == record["classifier"]]
    assert best["share_of_best"]["mean"] > 0.99
    assert read_model(tmp_path / "m").provenance["inputs"] == "6000"


def test_a_large_table_shows_progress(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fettle.cli.train_command.LARGE", 100_000)
    table = measurements(tmp_path / "t.csv", 0, count=20_000)
    assert train(table, tmp_path / "m", "--rows", "6000") == 0
    out, error = capsys.readouterr()
    assert "share of best on 1200 of them, held out (net: " in out
    assert f"reading {table}: 2 block of 8192 lines\n" in error
    assert f"reading {table}: 2/2" in error
    assert "training: tree\n" in error
