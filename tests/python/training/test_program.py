"""The program under tuning: where it is found, and its inputs as arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from fettle.core.errors import FettleError
from fettle.training.program import Input, Program, ProgramError, parse_inputs


def executable(path: Path, text: str = "") -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_it_is_found_in_the_directory_or_on_the_path(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    other = executable(there / "app")
    program = Program("app", here, environment={"PATH": str(there)})
    assert program.path() == other
    mine = executable(here / "app")
    assert program.path() == mine, "the directory comes first"
    assert Program("../there/app", here).path() == other
    given = Input("x", ("a b", "--n=3"))
    assert Program("app", here, ("nice", "-n", "5")).command(given) == [
        *("nice", "-n", "5", str(mine)),
        *("a b", "--n=3"),
    ]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=r"was found neither as .*/app nor on the PATH"):
        Program("app", tmp_path, environment={"PATH": ""}).path()
    with pytest.raises(ProgramError, match=r"the program .* is a folder; give the file in it"):
        Program(str(tmp_path), tmp_path).path()
    with pytest.raises(ProgramError, match=r"the program .*/build/app does not exist"):
        Program("build/app", tmp_path).path()
    (tmp_path / "app").touch()
    with pytest.raises(ProgramError, match=r"is not executable; try: chmod \+x"):
        Program("app", tmp_path).path()


def test_equal_builds_have_equal_fingerprints(tmp_path: Path) -> None:
    one, same = executable(tmp_path / "one"), executable(tmp_path / "same")
    other = executable(tmp_path / "other", "exit 3")
    prints = [Program(path.name, tmp_path).fingerprint() for path in (one, same, other)]
    assert prints[0] == prints[1] != prints[2]


def test_inputs_are_arguments(tmp_path: Path) -> None:
    (tmp_path / "a file").touch()

    def parsed(*given: object) -> list[tuple[str, ...]]:
        found = parse_inputs(given, what="inputs", directory=tmp_path)  # type: ignore[arg-type]
        return [one.arguments for one in found]

    assert parsed("--n 3", "--n 3", "a file", ["x", Path("y z")], Path("p q"), "") == [
        ("--n", "3"),
        ("a file",),
        ("x", "y z"),
        ("p q",),
        (),
    ]
    [named] = parse_inputs({"small": "--n 3"}, what="inputs", directory=tmp_path)
    assert named == Input("small", ("--n", "3"))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("a.mtx", "expected a list of inputs, not the text 'a.mtx'"),
        ([], "the list of inputs is empty"),
        ([3], "must be a text or a list of texts, not 3"),
        ([["a", 3]], "the arguments of an input must be texts"),
        (["a 'b"], "cannot split .* into arguments"),
        (["a\0b"], "has a NUL character"),
        ({"a": "1", "a ": "2", "a\n": "3"}, ""),
    ],
)
def test_wrong_inputs_are_refused(given: object, told: str, tmp_path: Path) -> None:
    if not told:
        found = parse_inputs(given, what="x", directory=tmp_path)  # type: ignore[arg-type]
        assert [one.name for one in found] == ["a", "a ", r"a\n"]
        return
    with pytest.raises(FettleError, match=f"inputs: .*{told}"):
        parse_inputs(given, what="inputs", directory=tmp_path)  # type: ignore[arg-type]
