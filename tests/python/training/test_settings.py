"""The settings of a tuner: checked, changed, and overridden by the command line."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from fettle.core.errors import FettleError
from fettle.training.settings import (
    Settings,
    override_of,
    override_settings,
    were_asked_for,
    words,
)


@pytest.fixture(autouse=True)
def no_overrides() -> Iterator[None]:
    yield
    override_settings({})


def test_the_command_line_overrides_what_the_script_says(tmp_path: Path) -> None:
    settings = Settings("app", working_directory=tmp_path, seed=3)
    override_settings({"seed": 7, "build_directory": tmp_path})
    assert not were_asked_for()
    assert settings.overridden().seed == 7, "settings of other tuners are left out"
    assert were_asked_for()
    assert override_of("build_directory") == tmp_path
    assert override_of("machine") is None
    override_settings({})
    assert not were_asked_for()
    assert settings.overridden() == settings


def test_places_are_relative_to_the_working_directory(tmp_path: Path) -> None:
    settings = Settings("app", working_directory=tmp_path / "a")
    assert settings.place(Path("b.sqlite")) == tmp_path / "a" / "b.sqlite"
    assert settings.place(tmp_path / "c") == tmp_path / "c"
    assert settings.full_program().directory == tmp_path / "a"


def test_impossible_settings_are_refused() -> None:
    for wrong, told in (
        ({"timeout": 0.0}, "timeout must be a number of seconds above 0, not 0.0"),
        ({"timeout": "3"}, "timeout must be a number of seconds above 0, not '3'"),
        ({"time_budget": -1.0}, "time_budget must be a number of seconds above 0, not -1.0"),
        ({"seed": -1}, "seed must be a whole number from 0 on, not -1"),
        ({"seed": 2.5}, "seed must be a whole number from 0 on, not 2.5"),
        (
            {"executor": ProcessPoolExecutor},
            r"not the class of some; write Process\w+\(\)",
        ),
        ({"executor": "dask://host:1"}, "executor must be a concurrent.futures.Executor"),
        ({"machine": " "}, "machine must be a name"),
        ({"environment": {"A": 3}}, "the environment variable 'A' cannot be 3: names and values"),
        ({"environment": {"A=B": "3"}}, "the environment variable 'A=B' cannot be '3'"),
    ):
        with pytest.raises(FettleError, match=told):
            Settings("app", **wrong)  # type: ignore[arg-type]
    with pytest.raises(FettleError, match="has no setting 'sed'; it has program, "):
        Settings("app").changed(sed=3)


def test_commands_as_lists_of_words() -> None:
    assert words("taskset -c '2 3'", "the launch prefix") == ("taskset", "-c", "2 3")
    assert words(["a b", "c"], "x") == ("a b", "c")
    assert words(Path("a b"), "x") == ("a b",)
    with pytest.raises(FettleError, match='the launch prefix "a \'b" cannot be split'):
        words("a 'b", "the launch prefix")
