"""fettle train and evaluate on tables of several machines, as a user types them."""

from __future__ import annotations

import json
import lzma
import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "transfer"))
from several_machines import FEATURES, METRICS, machines_file, table

from fettle.cli import main
from fettle.transfer.directory import ROWS

LINE = (
    r"share of best: mean ([01]\.\d{4}) p5 [01]\.\d{4} worst [01]\.\d{4} "
    r"accuracy [01]\.\d{4} n (\d+)"
)


def train(path: Path, machines: Path, model: Path, *more: str) -> int:
    names = ["--machine-column", "device", "--machines", str(machines), "--input-column", "input"]
    columns = ["--features", FEATURES, "--metrics", METRICS]
    words = ["--table", str(path), *names, *columns, "--model", str(model), *more]
    return main(["train", *words])


def evaluate(path: Path, machines: Path, model: Path, *more: str) -> int:
    names = ["--machine-column", "device", "--machines", str(machines)]
    return main(["evaluate", "--table", str(path), *names, "--model", str(model), *more])


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    sources = table(folder / "t.csv", "ABCEF", 0)
    assert train(sources, machines_file(folder / "m.csv"), folder / "f", "--transfer", "blend") == 0
    return folder / "f"


@pytest.fixture
def unseen(tmp_path: Path) -> Path:
    return table(tmp_path / "unseen.csv", "D", 7, first=1000)


def last_mean(text: str) -> float:
    found = re.fullmatch(LINE, text.splitlines()[-1])
    assert found, text
    return float(found[1])


def test_a_line_a_machine_and_the_mean_last(
    model: Path, unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(unseen, machines_file(tmp_path / "m.csv"), model) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("D: masked mean 0.9")
    assert "unmasked mean" in lines[0]
    assert lines[1].startswith("unmasked share of best: mean 0.")
    assert last_mean(lines[-1]) > 0.85
    unmasked = float(lines[1].split()[5])
    assert unmasked < last_mean(lines[-1])  # `high` fails on one input in ten


def test_measured_inputs_are_used_and_not_judged(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = table(tmp_path / "both.csv", "BD", 7, first=1000)
    words = ["--measured-here", "25", "--seed", "3", "--json"]
    assert evaluate(both, machines_file(tmp_path / "m.csv"), model, *words) == 0
    record = json.loads(capsys.readouterr().out)
    assert [one["machine"] for one in record["machines"]] == ["B", "D"]
    assert [one["inputs"] for one in record["machines"]] == [35, 35]
    assert record["masked"]["mean"] > 0.9
    again = evaluate(both, machines_file(tmp_path / "m.csv"), model, *words)
    assert (again, json.loads(capsys.readouterr().out)) == (0, record)
    assert evaluate(both, machines_file(tmp_path / "m.csv"), model, "--measured-here", "60") == 2
    assert "at least one has to be left to judge" in capsys.readouterr().err


def test_an_unlike_machine_gets_the_default_or_what_was_measured(
    model: Path, unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machines = machines_file(tmp_path / "m.csv", kind={"D": "cpu"})
    assert evaluate(unseen, machines, model) == 0
    line = capsys.readouterr().out.splitlines()[0]
    assert "the default low_ns; unlike the sources: its kind is cpu" in line
    assert evaluate(unseen, machines, model, "--measured-here", "5") == 0
    assert "the best of 5 measured inputs" in capsys.readouterr().out.splitlines()[0]


def test_variants_that_a_machine_lacks_are_never_chosen(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machines = machines_file(tmp_path / "m.csv")
    plain = table(tmp_path / "plain.csv", "D", 7)
    empty = table(tmp_path / "empty.csv", "D", 7, lacking="D")
    assert evaluate(empty, machines, model) == 0
    by_cells = capsys.readouterr().out
    assert evaluate(plain, machines, model, "--absent", "D:flat_ns") == 0
    assert capsys.readouterr().out == by_cells
    assert evaluate(plain, machines, model, "--absent", "flat_ns") == 0
    assert capsys.readouterr().out == by_cells
    assert evaluate(plain, machines, model, "--absent", "D:smooth_ns") == 2
    assert "'smooth_ns', which is none of the metrics" in capsys.readouterr().err


def test_auto_says_what_to_expect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    machines = machines_file(tmp_path / "m.csv")
    words = ["--transfer", "auto", "--json"]
    assert train(table(tmp_path / "t.csv", "ABCE", 0), machines, tmp_path / "f", *words) == 0
    record = json.loads(capsys.readouterr().out)
    assert set(record["expected_mean"]) == {"blend", "concatenate", "majority", "p-dfs", "fixed"}
    # The first of those that do not lose to the best by more than a standard error.
    assert record["method"] == "blend"
    assert record["expected_mean"]["blend"] > record["expected_mean"]["fixed"]
    assert record["machines"] == list("ABCE")


def test_one_source_machine_is_said(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machines = machines_file(tmp_path / "m.csv")
    assert train(table(tmp_path / "t.csv", "C", 0), machines, tmp_path / "f") == 0
    assert "one source machine" in capsys.readouterr().out
    assert evaluate(unseen, machines, tmp_path / "f") == 0
    assert last_mean(capsys.readouterr().out) > 0.8


def test_device_features_that_are_unknown_or_odd_are_said(
    model: Path, unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for cells, said in (
        ({"D": ""}, "speed is empty or 0 for D"),
        ({"D": "0"}, "speed is empty or 0 for D"),
        ({"D": "8000000"}, "is it in another unit?"),
    ):
        assert evaluate(unseen, machines_file(tmp_path / "m.csv", speed=cells), model) == 0
        told = capsys.readouterr()
        assert said in told.err
        assert last_mean(told.out) > 0.5
    assert evaluate(unseen, machines_file(tmp_path / "m.csv", taste={"D": "3"}), model) == 0
    assert "m.csv has a column 'taste', which the model does not know" in capsys.readouterr().err


def test_a_word_among_a_features_numbers_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machines = machines_file(tmp_path / "m.csv", speed={"B": "fast"})
    sources = table(tmp_path / "t.csv", "ABC", 0)
    assert train(sources, machines, tmp_path / "f", "--transfer", "fixed") == 0
    told = capsys.readouterr().err
    assert "m.csv, line 3: speed is 'fast', which is not a number" in told
    machines = machines_file(tmp_path / "m.csv")
    assert train(sources, machines, tmp_path / "f", "--transfer", "fixed") == 0
    assert "which is not a number" not in capsys.readouterr().err


def change_line(path: Path, line: int, *changes: tuple[int, str]) -> str:
    """The line with other cells."""
    cells = path.read_text().splitlines()[line - 1].split(",")
    for index, cell in changes:
        cells[index] = cell
    return ",".join(cells) + "\n"


def rows_of(model: Path) -> list[list[str]]:
    """What a model keeps of its sources, without the header."""
    text = lzma.decompress((model / ROWS).read_bytes()).decode()
    return [line.split(",") for line in text.splitlines()[1:]]


def test_rows_that_repeat_a_machine_and_an_input_are_medians(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machines, sources = machines_file(tmp_path / "m.csv"), table(tmp_path / "t.csv", "ABC", 0)
    assert train(sources, machines, tmp_path / "f", "--transfer", "fixed") == 0
    assert "repeat" not in capsys.readouterr().err
    before = rows_of(tmp_path / "f")
    low, high, flat = -3, -2, -1
    more = [
        change_line(sources, 2, (low, "1000"), (high, ""), (flat, "7")),
        change_line(sources, 2, (low, "2000"), (high, ""), (flat, "failed")),
    ]
    sources.write_text(sources.read_text() + "".join(more))
    assert train(sources, machines, tmp_path / "f", "--transfer", "fixed") == 0
    said = capsys.readouterr()
    assert "t.csv: 2 rows repeat a machine and an input; medians are taken" in said.err
    assert said.out.startswith("180 rows of 3 source machines")
    after = rows_of(tmp_path / "f")
    assert after[1:] == before[1:]
    assert float(after[0][low]) == 1000
    assert float(after[0][high]) == float(before[0][high]), "empty cells say nothing of it"
    assert after[0][flat] == "", "it failed once"


def test_a_feature_that_differs_between_the_rows_of_an_input_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machines, sources = machines_file(tmp_path / "m.csv"), table(tmp_path / "t.csv", "AB", 0)
    lines = sources.read_text().splitlines(keepends=True)
    lines[61] = change_line(sources, 62, (2, "123"))  # the first input, on the second machine
    lines[62] = change_line(sources, 63, (2, ""))  # not known is no other value
    sources.write_text("".join(lines))
    assert train(sources, machines, tmp_path / "f", "--transfer", "fixed") == 0
    said = capsys.readouterr()
    assert re.search(
        r"t\.csv, line 62: size is 123, but [\d.]+ in line 2, which is of the same input "
        r"\(so is it with 1 input\)",
        said.err,
    )
    assert "repeat" not in said.err
    assert said.out.startswith("120 rows")


def test_a_negative_device_feature_is_refused(
    model: Path, unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machines = machines_file(tmp_path / "m.csv", speed={"D": "-8"})
    assert evaluate(unseen, machines, model) == 2
    assert "m.csv, line 5: speed is -8; a device feature is a positive" in capsys.readouterr().err
    sources = table(tmp_path / "t.csv", "AD", 0)
    assert train(sources, machines, tmp_path / "f") == 2
    assert "m.csv, line 5: speed is -8" in capsys.readouterr().err


def test_a_variant_without_numbers_is_named(
    model: Path, unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = table(tmp_path / "t.csv", "ABC", 0, lacking="ABC")
    machines = machines_file(tmp_path / "m.csv")
    more = ["--transfer", "fixed"]
    assert train(sources, machines, tmp_path / "f", *more) == 0
    assert "t.csv: flat_ns has no number on any machine" in capsys.readouterr().err
    assert train(sources, machines, tmp_path / "f", *more, "--absent", "flat_ns") == 0
    assert "has no number" not in capsys.readouterr().err
    unseen.write_text(unseen.read_text().replace("flat_ns", "flat_us"))
    assert evaluate(unseen, machines, model) == 0
    assert "unseen.csv has no column 'flat_ns', a variant of" in capsys.readouterr().err


def test_a_model_of_several_machines_is_not_taken_for_a_plain_one(
    model: Path, unseen: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (
        ["evaluate", "--table", str(unseen), "--model"],
        ["show"],
        ["predict", "--values", "1", "--model"],
    ):
        assert main([*words, str(model)]) == 2
        assert "is a model of several machines; judge it by" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("device,speed", "device,pace"), "has no column 'speed'"),
        (("D,8", "X,8"), "has no line for the machine 'D'"),
        (("F,32", "D,32"), "has several lines for the machine 'D'"),
    ],
)
def test_a_machines_file_that_does_not_fit_is_an_error(
    change: tuple[str, str],
    said: str,
    model: Path,
    unseen: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    machines = machines_file(tmp_path / "m.csv")
    machines.write_text(machines.read_text().replace(*change))
    assert evaluate(unseen, machines, model) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.splitlines()[-1].startswith("fettle: ")


def test_options_that_belong_together(
    model: Path, unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = ["--features", FEATURES, "--metrics", METRICS, "--model", str(tmp_path / "f")]
    assert main(["train", "--table", str(unseen), *columns, "--machine-column", "device"]) == 2
    assert "--machine-column needs --machines" in capsys.readouterr().err
    assert main(["train", "--table", str(unseen), *columns, "--transfer", "blend"]) == 2
    assert "--transfer is for tables of several machines" in capsys.readouterr().err
    assert evaluate(unseen, machines_file(tmp_path / "m.csv"), tmp_path) == 2
    assert "is not a model of several machines" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--allow-failures xx_us", "--classifier forest"])
def test_options_of_plain_models_are_refused(
    option: str, unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machines = machines_file(tmp_path / "m.csv")
    assert train(unseen, machines, tmp_path / "f", *option.split()) == 2
    said = capsys.readouterr().err
    assert f"{option.split()[0]} is not for tables of several machines" in said


def test_a_damaged_directory_is_refused(
    model: Path, unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machines = machines_file(tmp_path / "m.csv")
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("transfer.json", "sources.csv.xz", "machines.csv"):
        (broken / name).write_bytes((model / name).read_bytes())
    whole = (model / "transfer.json").read_text()
    for text in (whole[:40], whole.replace('"fettle_transfer": 1', '"fettle_transfer": 9')):
        (broken / "transfer.json").write_text(text)
        assert evaluate(unseen, machines, broken) == 2
        assert "run `fettle train" in capsys.readouterr().err
    (broken / "transfer.json").write_text(whole)
    (broken / "sources.csv.xz").write_bytes(b"nothing")
    assert evaluate(unseen, machines, broken) == 2
    assert "sources.csv.xz" in capsys.readouterr().err
