"""The program is cleaned and built when a header or a macro has changed, and errors are shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fettle.store.sqlite import SqliteStore
from fettle.training.build import (
    Build,
    BuildError,
    run_command,
    takes_defines,
    with_defines,
    write_generated,
)


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(
        tmp_path,
        dict(os.environ),
        SqliteStore(tmp_path / "db.sqlite"),
        build_command="echo build $FETTLE_DEFINES >> log",
        clean_command="echo clean >> log",
    )


def log(folder: Path) -> list[str]:
    """What the commands have done since the last look."""
    path = folder / "log"
    lines = [line.rstrip() for line in path.read_text().splitlines()] if path.exists() else []
    path.unlink(missing_ok=True)
    return lines


def test_a_changed_header_cleans_once(tmp_path: Path, build: Build) -> None:
    build.bring_up_to_date()
    assert log(tmp_path) == ["build"]
    header = tmp_path / "generated" / "policy.hpp"
    build.write(header, "1")
    assert build.is_pending
    build.bring_up_to_date()
    assert (log(tmp_path), build.is_pending) == (["clean", "build"], False)
    build.write(header, "1")
    build.bring_up_to_date()
    assert log(tmp_path) == ["build"], "nothing has changed"
    assert header.read_text() == "1"


def test_changed_macros_clean_and_reach_the_command(tmp_path: Path, build: Build) -> None:
    build.defines = {"TILE": 8}
    build.bring_up_to_date()
    assert log(tmp_path) == ["clean", "build -DTILE=8"]
    build.bring_up_to_date()
    assert log(tmp_path) == ["build -DTILE=8"]


def test_a_failed_build_is_repeated_from_clean(tmp_path: Path, build: Build) -> None:
    build.write(tmp_path / "policy.hpp", "1")
    works = build.build_command
    build.build_command = "echo no such file; exit 3"
    with pytest.raises(BuildError, match=r"failed with exit code 3 in .*\n  no such file"):
        build.bring_up_to_date()
    assert build.is_pending
    build.build_command = works
    log(tmp_path)
    build.bring_up_to_date()
    assert log(tmp_path) == ["clean", "build"]


def test_a_command_that_cannot_be_started_is_named(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="`no-such-command -j2` cannot be started in"):
        run_command(
            "build", ["no-such-command", "-j2"], directory=tmp_path, environment=dict(os.environ)
        )


def test_a_header_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BuildError, match=r"cannot write .*policy\.hpp"):
        write_generated(tmp_path / "file" / "policy.hpp", "1")


@pytest.mark.parametrize(
    ("command", "defined"),
    [
        ("g++ {defines} x.cpp", "g++ -DA=1 -DB=2 x.cpp"),
        (["g++", "{defines}", "x.cpp"], ["g++", "-DA=1", "-DB=2", "x.cpp"]),
        (["make", "FLAGS={defines}"], ["make", "FLAGS=-DA=1 -DB=2"]),
    ],
)
def test_macros_replace_their_name_in_the_command(
    command: str | list[str], defined: str | list[str]
) -> None:
    assert with_defines(command, {"A": 1, "B": 2}) == defined
    assert takes_defines(command)


def test_commands_without_macros_are_seen() -> None:
    assert takes_defines("make FLAGS=$FETTLE_DEFINES")
    assert not takes_defines("make")
    assert not takes_defines(None)
