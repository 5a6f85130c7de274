"""`fettle store`: list, merge, export and import; and a tuner with `store=`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn

from fettle import Autotuner, CodeVariant
from fettle.cli import main
from fettle.core.progress import Silence
from fettle.store.sqlite import SqliteStore


@pytest.fixture
def tuned(here: Path) -> Path:
    """A store that a tuner has filled: four inputs of two variants."""
    StandIn(here, variants=["small", "large"], features=["n"])
    names = [f"in{size}" for size in range(4)]
    for size, name in enumerate(names):
        call = {"features": {"n": size}, "variants": {"small": 1e-3 * (size + 1), "large": 2.5e-3}}
        (here / name).write_text(json.dumps({"calls": [call]}))
    made = Autotuner(
        "app", store="team.sqlite", display=Silence(), report_directory=None, comparing=None
    )
    made.set_training_args(names)
    made.tune([CodeVariant("f", 2, classifier=QuickClassifier())])
    assert not Path("fettle.sqlite").exists()
    return here / "team.sqlite"


def test_a_store_is_listed(tuned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["store", "list", "--store", str(tuned)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{tuned}: 1 subject\nf: 4 inputs, 4 runs, ")
    assert main(["store", "list", "--store", str(tuned), "--json"]) == 0
    [found] = json.loads(capsys.readouterr().out)["subjects"]
    assert (found["function"], found["inputs"], found["runs"]) == ("f", 4, 4)
    assert len(found["hosts"]) == 1


def test_merge_export_and_import(tuned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for expected in ("4 new runs", "0 new runs"):
        assert main(["store", "merge", "mine.sqlite", str(tuned)]) == 0
        assert expected in capsys.readouterr().out
    assert main(["store", "export", "--t4", "t4.json", "--store", "mine.sqlite"]) == 0
    assert capsys.readouterr().out == "8 results in t4.json\n"
    for expected in ("4 new runs", "0 new runs"):
        assert main(["store", "import", "t4.json", "--store", "back.sqlite"]) == 0
        assert expected in capsys.readouterr().out
    with SqliteStore(tuned) as one, SqliteStore(Path("back.sqlite")) as other:
        [subject] = one.subjects()
        for given in one.inputs(subject):
            assert one.contents(subject, given) == other.contents(subject, given)


def test_what_another_tuner_measured_is_listed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = {
        "timestamp": "2026-01-01T00:00:00+00:00",
        "configuration": {"block": 32},
        "times": {"runtimes": [1.0]},
        "invalidity": "correct",
        "correctness": 1,
        "measurements": [{"name": "time", "value": 1.0, "unit": "s"}],
        "objectives": ["time"],
    }
    held = {"schema_version": "1.0.0", "metadata": {"timeunit": "seconds"}, "results": [result]}
    (here / "t4.json").write_text(json.dumps(held))
    named = ["--function", "conv", "--machine", "A", "--store", "new.sqlite"]
    assert main(["store", "import", "t4.json", *named]) == 0
    assert main(["store", "list", "--store", "new.sqlite"]) == 0
    assert capsys.readouterr().out.endswith("conv: 1 input, 1 run, 1 sample of T4 on A\n")


def test_what_was_left_out_is_said(tuned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["store", "merge", "mine.sqlite", str(tuned)]) == 0
    with SqliteStore(Path("mine.sqlite")) as store:
        store.set_note(f"build of {store.subjects()[0]}", "another")
    assert main(["store", "merge", "mine.sqlite", str(tuned)]) == 1
    assert "left out: f of " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["list"], "the file fettle.sqlite does not exist"),
        (["list", "--store", "/"], "/ is a folder; give a file, such as /fettle.sqlite"),
        (["merge", "a.sqlite", "none.sqlite"], "the file none.sqlite does not exist"),
        (["import", "none.json"], "the file none.json does not exist"),
        (["export", "--t4", "x.json", "--store", "none"], "the file none does not exist"),
        (["list", "--store", "mysql://u:secret@h/1"], "cannot be of the kind mysql://"),
    ],
)
def test_what_is_wrong_is_said(
    here: Path, words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["store", *words]) == 2
    said = capsys.readouterr().err
    assert expected in said and "secret" not in said
    assert list(here.iterdir()) == [], "nothing is made"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"results": [', "it is not JSON"),
        ('{"results": [{}]}', "results[0].configuration: missing"),
        ('{"results": [], "fettle": {"version": 1}}', "fettle: 'subjects' is missing"),
    ],
)
def test_a_bad_file_leaves_no_new_store(
    here: Path, text: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "t4.json").write_text(text)
    assert main(["store", "import", "t4.json", "--store", "new.sqlite"]) == 2
    assert expected in capsys.readouterr().err
    assert [one.name for one in here.iterdir()] == ["t4.json"]


def test_the_command_line_precedes_the_script(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    StandIn(here, variants=["small", "large"], features=["n"])
    call = {"features": {"n": 1}, "variants": {"small": 1e-3, "large": 2.5e-3}}
    (here / "in").write_text(json.dumps({"calls": [call]}))
    (here / "tune.py").write_text(
        "from fettle import Autotuner, CodeVariant\n"
        "from quick_classifier import QuickClassifier\n"
        "t = Autotuner('app', store='script.sqlite', report_directory=None, comparing=None)\n"
        "t.set_training_args(['in'])\n"
        "t.tune([CodeVariant('f', 2, classifier=QuickClassifier())])\n"
    )
    for option in ("--store", "--database"):
        assert main(["tune", option, f"{option[2:]}.sqlite", "--plain", "tune.py"]) == 0
        assert Path(f"{option[2:]}.sqlite").exists()
        assert not Path("script.sqlite").exists()
