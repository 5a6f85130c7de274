"""The generated headers: whose policies they have, and where a model's header is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from fettle import CodeVariant
from fettle.core.cpp_names import model_header_name
from fettle.core.errors import FettleError
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.model.trees import one_leaf
from fettle.store.sqlite import SqliteStore
from fettle.training.build import Build
from fettle.training.generated_headers import write_model_header, write_policy_header
from fettle.training.settings import Settings

MODEL = Model("f", ("a", "b"), ("n",), (), one_leaf([1.0, 0.0]), "a", None, {})


def settings(folder: Path) -> Settings:
    return Settings(
        program="app", working_directory=folder, config_header=Path("gen/fettle_config.hpp")
    )


def build(folder: Path) -> Build:
    return Build(folder, {}, SqliteStore(folder / "db.sqlite"))


def written(folder: Path, *functions: CodeVariant) -> str:
    write_policy_header(settings(folder), functions, build(folder))
    return (folder / "gen/fettle_config.hpp").read_text()


def test_the_policies_of_others_stay(tmp_path: Path) -> None:
    written(tmp_path, CodeVariant("f", 2), CodeVariant("g", 3))
    text = written(tmp_path, CodeVariant("f", 2, strict=True))
    assert text != written(tmp_path, CodeVariant("f", 2))
    assert "g" in policies(text)
    assert policies(text) == ["f", "g"]


def policies(text: str) -> list[str]:
    return sorted(
        line.split()[1] for line in text.splitlines() if line.startswith(("struct ", "class "))
    )


def test_a_file_that_is_not_ours_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "gen").mkdir()
    (tmp_path / "gen/fettle_config.hpp").write_text("int mine = 1;\n")
    with pytest.raises(FettleError, match=r"fettle_config\.hpp"):
        written(tmp_path, CodeVariant("f", 2))
    assert (tmp_path / "gen/fettle_config.hpp").read_text() == "int mine = 1;\n"


def test_a_model_s_header_is_included_once_it_is_there(tmp_path: Path) -> None:
    function = CodeVariant("f", 2, embed_model=True)
    name = model_header_name("f")
    assert name not in written(tmp_path, function)
    write_model(tmp_path / "fettle_models/f", MODEL)
    write_model_header(settings(tmp_path), function, build(tmp_path))
    assert (tmp_path / "gen" / name).exists()
    assert name in written(tmp_path, function)
    assert name not in written(tmp_path, CodeVariant("f", 2)), "it is not embedded any more"


def test_a_header_that_changes_makes_the_program_due_for_a_build(tmp_path: Path) -> None:
    its = build(tmp_path)
    write_policy_header(settings(tmp_path), [CodeVariant("f", 2)], its)
    assert its.is_pending
    again = build(tmp_path)
    again.bring_up_to_date()
    write_policy_header(settings(tmp_path), [CodeVariant("f", 2)], again)
    assert not again.is_pending, "the text is the same"
