"""What an input is known by: its arguments, and the content of files that they name."""

from __future__ import annotations

from pathlib import Path

from fettle.store.subject import InputKey
from fettle.training.input_key import input_key_of
from fettle.training.program import Input


def key(directory: Path, *arguments: str) -> InputKey:
    return input_key_of(Input("x", arguments), directory, lambda path: f"<{path.name}>")


def test_files_among_the_arguments_count_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "a.mtx").touch()
    (tmp_path / "b c").touch()
    assert key(tmp_path, "--n=3", "a.mtx") == InputKey("--n=3 a.mtx", "<a.mtx>")
    assert key(tmp_path, "--in=a.mtx", "b c") == InputKey("--in=a.mtx 'b c'", "<a.mtx> <b c>")
    assert key(tmp_path, str(tmp_path / "a.mtx")).content == "<a.mtx>"


def test_what_is_not_a_file_counts_as_its_text_alone(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert key(tmp_path, "folder", "none", "", "=", "x" * 5000).content == ""
