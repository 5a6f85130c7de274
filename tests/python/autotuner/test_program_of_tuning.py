"""The program that the tuner builds and starts: commands, header, models in it, variables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from stand_in import StandIn
from tuned_stand_in import function

from fettle.autotuner import Autotuner
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.model.model_directory import read_model

Maker = Callable[..., Autotuner]


def test_clean_runs_only_when_the_header_changes(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    made.set_build_command("echo build >> commands.txt")
    made.set_clean_command("echo clean >> commands.txt")

    def commands() -> list[str]:
        text = (tmp_path / "commands.txt").read_text().split()
        (tmp_path / "commands.txt").unlink()
        return text

    made.tune([function()])
    assert commands() == ["clean", "build"]
    made.tune([function()])
    assert commands() == ["build"]
    made.tune([function(strict=True)])
    assert commands() == ["clean", "build"]
    made.tune([function(strict=True)], clean=True)
    assert commands() == ["clean", "build"]


def test_a_store_and_a_database_are_two_names_of_one_thing() -> None:
    with pytest.raises(FettleError, match="store='a' is in place of database='b'; give one of"):
        Autotuner("app", store="a", database="b")


def test_a_named_program_is_known_in_any_folder(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    """As for people who share a store and have the program in different folders."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "app").symlink_to(tmp_path / "app")

    def measured(program: str, name: str | None) -> int:
        made = tuner()
        made.set_program(program, name=name)
        [result] = made.tune([function()])
        return result.effort.measured_inputs

    assert measured("app", "shared") > 0
    assert measured("elsewhere/app", "shared") == 0
    assert measured("elsewhere/app", None) > 0
    for wrong in ("a\nb", ""):
        with pytest.raises(FettleError, match="expected a name, text without control characters"):
            tuner().set_program("app", name=wrong)


def test_a_failed_build_is_shown_and_not_forgotten(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    made.set_clean_command("echo clean >> commands.txt")
    made.set_build_command("seq 100; echo 'error: no such type' >&2; exit 7")
    with pytest.raises(FettleError) as error:
        made.tune([function()])
    text = str(error.value)
    assert "exit 7` failed with exit code 7" in text
    assert text.endswith("  100\n  error: no such type")
    assert len(text.splitlines()) == 41
    made.set_build_command("true")
    made.tune([function()])
    assert (tmp_path / "commands.txt").read_text().split() == ["clean", "clean"]


def test_a_model_is_embedded_by_a_second_build(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    made = tuner()
    made.set_build_command("echo build >> commands.txt")
    made.tune([function(embed_model=True)])
    assert "struct f" in (tmp_path / "f_model.hpp").read_text()
    assert '#include "f_model.hpp"' in (tmp_path / "fettle_config.hpp").read_text()
    assert (tmp_path / "commands.txt").read_text().split() == ["build", "build"]


def test_two_functions_of_one_program(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    with pytest.raises(FettleError, match="without calling a tuned function named 'g'"):
        tuner().tune([function(), CodeVariant("g")])
    header = (tmp_path / "fettle_config.hpp").read_text()
    assert "struct f {" in header
    assert "struct g {" in header
    assert read_model(tmp_path / "fettle_models" / "f").function == "f", "f was tuned before g"


def test_a_launcher_and_variables(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    made = tuner(2)
    launcher = tmp_path / "launch"
    launcher.write_text('#!/bin/sh\necho "$COLOUR" >> launched.txt\nexec "$@"\n')
    launcher.chmod(0o755)
    made.set_launch_prefix([str(launcher)])
    made.set_environment({"COLOUR": "red"})
    made.tune([function()])
    assert (tmp_path / "launched.txt").read_text().split() == ["red", "red"]


def test_a_missing_program(tmp_path: Path) -> None:
    made = Autotuner("no-such-app", working_directory=tmp_path, display=Silence())
    made.set_training_args(["x"])
    with pytest.raises(FettleError, match=r"was found neither as .*/no-such-app nor on"):
        made.tune([CodeVariant("f")])


def test_a_program_that_cannot_be_started(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    app.path.write_text("no program")
    with pytest.raises(FettleError, match=r"/app cannot be started: Exec format error; it has"):
        tuner(2).tune([function()])
    made = tuner(2)
    made.set_build_command(["no-such-compiler", "x.cpp"])
    told = r"the build command `no-such-compiler x.cpp` cannot be started in .*; is it installed"
    with pytest.raises(FettleError, match=told):
        made.tune([function()])


def test_places_that_cannot_be_written_are_reported_before_anything_runs(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "main.cpp").write_text("int main() {}\n")
    for places, message in (
        (
            {"model_directory": "file"},
            r"cannot write the model .*/file/f/model.txt: .*/file is",
        ),
        ({"config_header": "file/h.hpp"}, r"cannot read the header .*/file/h.hpp: Not a dir"),
        ({"config_header": "main.cpp"}, r"main\.cpp is there and no header that Fettle wrote"),
        ({"database": "file/fettle.sqlite"}, r"file/fettle.sqlite: cannot be opened for writing"),
    ):
        with pytest.raises(FettleError, match=message):
            tuner(**places).tune([function()])
    assert app.runs("start") == []
    assert (tmp_path / "main.cpp").read_text() == "int main() {}\n"
