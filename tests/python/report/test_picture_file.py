"""Pictures: what their names say, and that a bad disk costs nothing that was there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from fettle.core.errors import FettleError
from fettle.core.picture_file import PICTURES, check_picture, write_picture

BEGINS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


def drawing() -> Figure:
    drawn = Figure(figsize=(2, 1))
    drawn.add_subplot().plot([0, 1], [1, 0])
    return drawn


@pytest.mark.parametrize("suffix", PICTURES)
def test_the_suffix_says_what_is_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"drawn{suffix}"
    check_picture(path)
    write_picture(drawing(), path, dpi=50)
    assert path.read_bytes().startswith(BEGINS[suffix])


@pytest.mark.parametrize("suffix", [".png", ".pdf"])
def test_the_same_drawing_gives_the_same_file(tmp_path: Path, suffix: str) -> None:
    for name in ("a", "b"):
        write_picture(drawing(), tmp_path / f"{name}{suffix}", dpi=50)
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_other_suffixes_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match=r"ends with none of \.svg, \.png, \.pdf"):
        check_picture(tmp_path / "drawn.txt")
    with pytest.raises(FettleError, match="is not a folder; make it"):
        check_picture(tmp_path / "absent" / "drawn.png")


def test_a_full_disk_leaves_the_old_picture(
    tmp_path: Path, fill_disk: Callable[[str], None]
) -> None:
    path = tmp_path / "drawn.png"
    write_picture(drawing(), path, dpi=50)
    before = path.read_bytes()
    fill_disk("drawn.png")
    with pytest.raises(FettleError, match=r"drawn\.png: No space left on device"):
        write_picture(drawing(), path, dpi=80)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
