"""`fettle tune`: a script with settings of the command line in place of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from stand_in import StandIn

from fettle.cli import main

SCRIPT = """
import sys
from pathlib import Path
from fettle import Autotuner, CodeVariant, TreeClassifier
tuner = Autotuner("app", working_directory=Path(__file__).parent)
tuner.set_training_args(sys.argv[1:])
tuner.tune([CodeVariant("f", classifier=TreeClassifier())])
"""


@pytest.fixture
def script(tmp_path: Path) -> str:
    for size in range(4):
        call = {"features": {"n": size}, "variants": {"a": 1e-3 * (size + 1), "b": 2.5e-3}}
        (tmp_path / f"in{size}").write_text(json.dumps({"calls": [call]}))
    path = tmp_path / "tune.py"
    path.write_text(SCRIPT)
    return str(path)


def test_settings_of_the_command_line_hold(
    tmp_path: Path, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    app = StandIn(tmp_path)
    inputs = [f"in{size}" for size in range(4)]
    places = [
        "--database",
        str(tmp_path / "other.sqlite"),
        "--model-directory",
        str(tmp_path / "m"),
    ]
    assert main(["tune", "--plain", "--no-report", *places, script, *inputs]) == 0
    assert (tmp_path / "m" / "f" / "model.txt").exists()
    assert (tmp_path / "other.sqlite").exists()
    assert not (tmp_path / "fettle.sqlite").exists()
    assert not (tmp_path / "fettle_report").exists()
    before = len(app.runs())
    assert main(["tune", "--plain", "--no-report", *places, script, *inputs]) == 0
    assert len(app.runs()) == before
    said = capsys.readouterr().out
    assert "the program did not run with its model: there are too few inputs" in said
    assert main(["tune", "--no-report", *places, script, "--plain", *inputs, "--no-compare"]) == 0
    assert "the tuner was set up without a comparison" in capsys.readouterr().out
    assert main(["tune", "--no-report", *places, script, "--plain", *inputs, "--fresh"]) == 0
    assert len(app.runs()) == 2 * before
    named = ["tune", "--no-report", *places, script, *inputs, "--fresh-variant", "b"]
    assert main(named) == 0
    assert app.runs()[2 * before :] == [f"b {name}" for name in inputs]
    assert main([*named, "--fresh-variant=c"]) == 2
    assert "there is no variant 'c' to measure anew: f has a, b" in capsys.readouterr().err


def test_what_is_no_setting_is_the_scripts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.py").write_text("import sys; print(sys.argv[1:])")
    script = str(tmp_path / "s.py")
    main(["tune", "--clean", script, "--colour", "red", "--seed", "3", "--", "--fresh"])
    assert capsys.readouterr().out == "['--colour', 'red', '--fresh']\n"
    main(["tune", script, "--time-budgt", "3"])
    said = capsys.readouterr()
    assert said.out == "['--time-budgt', '3']\n"
    assert "the script gets the argument --time-budgt: did you mean --time-budget?" in said.err


def test_a_script_that_never_tunes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "s.py"
    script.write_text("from fettle import Autotuner\ntuner = Autotuner('app')\n")
    assert main(["tune", str(script)]) == 1
    assert f"fettle: {script} tuned nothing: it has to call tune()" in capsys.readouterr().err


def test_a_script_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", "none.py"]) == 2
    assert (
        "cannot read the tuning script none.py: No such file or directory; name a python"
        in capsys.readouterr().err
    )
    assert main(["tune", "--fresh"]) == 2
    assert "needs a tuning script" in capsys.readouterr().err


def test_an_error_is_a_message_and_no_traceback(
    tmp_path: Path, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tune", script, "in0"]) == 2
    error = capsys.readouterr().err
    assert "fettle: the program 'app' was found neither as" in error
    assert "Traceback" not in error


def test_an_error_of_the_script_is_shown_from_the_script_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "s.py"
    script.write_text("def ask():\n    raise ValueError('no such matrix')\n\n\nask()\n")
    assert main(["tune", str(script)]) == 1
    shown = capsys.readouterr().err.splitlines()
    assert shown[0] == "Traceback (most recent call last):"
    assert shown[1].strip() == f'File "{script}", line 5, in <module>'
    assert shown[-1] == "ValueError: no such matrix"
    assert not any("runpy" in line or "fettle/cli" in line for line in shown)
    script.write_text("def (")
    assert main(["tune", str(script)]) == 1
    assert "SyntaxError: invalid syntax" in capsys.readouterr().err


def test_a_folder_is_no_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", str(tmp_path)]) == 2
    assert f"cannot read the tuning script {tmp_path}: Is a directory" in capsys.readouterr().err


@pytest.mark.parametrize("before", [True, False])
def test_a_wrong_setting_shows_how_the_command_is_used(
    before: bool, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    setting = ["--timeout", "long"]
    with pytest.raises(SystemExit) as left:
        main(["tune", *setting, script] if before else ["tune", script, *setting])
    assert left.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("usage: fettle tune [settings] script.py")
    assert "fettle tune: error: argument --timeout: invalid float value: 'long'" in error


def test_the_exit_status_of_the_script_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a_module_beside_it.py").write_text("STATUS = 5")
    script = "import sys, a_module_beside_it; sys.exit(a_module_beside_it.STATUS)"
    (tmp_path / "s.py").write_text(script)
    assert main(["tune", str(tmp_path / "s.py")]) == 5
