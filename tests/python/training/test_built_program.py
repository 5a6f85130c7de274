"""The program of a tuning session is built again after each header that is written for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from stand_in import StandIn
from stand_in_measurer import Said

from fettle import CodeVariant
from fettle.core.errors import FettleError
from fettle.store.sqlite import SqliteStore
from fettle.training.built_program import BuiltProgram
from fettle.training.settings import Settings


def built(folder: Path, said: Said, macros: dict[str, int], **more: Any) -> BuiltProgram:
    settings = Settings(program="app", working_directory=folder, **more)
    store = SqliteStore(folder / "db.sqlite")
    return BuiltProgram(settings, [CodeVariant("f", 2)], said, store, macros)


def test_a_generated_header_without_a_build_command_is_told_once(tmp_path: Path) -> None:
    StandIn(tmp_path)
    warning = f"warning: {tmp_path}/gen.hpp has changed and there is no build command"
    for times in (1, 0):
        said = Said()
        built(tmp_path, said, {}, config_header=Path("gen.hpp")).prepare()
        assert sum(line.startswith(warning) for line in said.lines) == times


def test_macros_are_tried_and_the_best_stay(tmp_path: Path) -> None:
    StandIn(tmp_path)
    command, header = "echo $FETTLE_DEFINES >> log", Path("gen.hpp")
    program = built(tmp_path, Said(), {"TILE": 1}, build_command=command, config_header=header)
    program.prepare()
    program.try_macros({"TILE": 2})
    program.settle(
        Settings(
            program="app",
            working_directory=tmp_path,
            build_command=command,
            config_header=header,
            built_with={"TILE": 4},
        )
    )
    assert (tmp_path / "log").read_text().split() == ["-DTILE=1", "-DTILE=2", "-DTILE=4"]
    assert "TILE" in (tmp_path / header).read_text()
    assert program.take_seconds() > 0
    assert program.take_seconds() == 0


def test_a_missing_program_is_reported_after_its_build(tmp_path: Path) -> None:
    said = Said()
    with pytest.raises(FettleError, match="app"):
        built(tmp_path, said, {}, build_command="true", config_header=None).prepare()
    assert said.lines == ["building"]
