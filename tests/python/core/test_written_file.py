"""Files that are checked before long work and replaced as wholes after it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from ordinary_user import run_as_ordinary_user

from fettle.core.errors import FettleError
from fettle.core.written_file import check_writable, holds, write_together, write_whole


def test_what_can_be_written_passes_and_nothing_is_made(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("old")
    check_writable(tmp_path / "there", "the model")
    check_writable(tmp_path / "new", "the model")
    check_writable(tmp_path / "a" / "b" / "new", "the model")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert holds(tmp_path / "there", "old")


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to(tmp_path / "gone")
    with pytest.raises(FettleError, match=r"cannot write the model .*: it is a folder; name a fi"):
        check_writable(tmp_path, "the model")
    with pytest.raises(FettleError, match=r"/file/a/model: .*/file is not a folder; name another"):
        check_writable(tmp_path / "file" / "a" / "model", "the model")
    with pytest.raises(FettleError, match=r"dangling is not a folder; name another place"):
        check_writable(tmp_path / "dangling" / "model", "the model")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FettleError, match=r"pipe: it is a pipe, which is not waited for; remove"):
        check_writable(tmp_path / "pipe", "the model")


CHECKING = """
import sys
from pathlib import Path
from fettle.core.errors import FettleError
from fettle.core.written_file import check_writable
try:
    check_writable(Path(sys.argv[1]), "the header")
except FettleError as error:
    print(error)
"""


def test_a_database_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "fettle.sqlite"
    path.write_bytes(b"SQLite format 3\0 and more")
    with pytest.raises(
        FettleError, match=r"cannot write the table .*fettle.sqlite: it is a database"
    ):
        check_writable(path, "the table")


def test_no_permission(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    old, new = locked / "old.hpp", locked / "a" / "new.hpp"
    old.touch()
    old.chmod(0o444)
    locked.chmod(0o555)
    told = run_as_ordinary_user("-c", CHECKING, str(old)).stdout
    assert told.startswith(f"cannot write the header {old}: permission denied; remove it, make it")
    told = run_as_ordinary_user("-c", CHECKING, str(new)).stdout
    assert f"{new}: the folder {locked} is not writable; make it so or name another" in told
    locked.chmod(0o755)


def test_a_file_is_replaced_with_its_mode_and_links_stay(tmp_path: Path) -> None:
    target = tmp_path / "folder" / "file"
    write_whole(target, b"one")
    target.chmod(0o640)
    (tmp_path / "link").symlink_to(target)
    write_whole(tmp_path / "link", b"two")
    assert target.read_bytes() == b"two"
    assert target.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "link").is_symlink()
    assert [path.name for path in target.parent.iterdir()] == ["file"]


def test_files_are_on_the_disk_before_the_last_one_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a power cut would have it: the last file never names what is not there."""
    steps: list[str] = []

    def fsync(opened: int) -> None:
        steps.append(f"sync {Path(f'/proc/self/fd/{opened}').readlink().name}")

    replace_file = Path.replace

    def replace(new: Path, target: Path) -> None:
        steps.append(f"replace {target.name}")
        replace_file(new, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    write_together([(tmp_path / "a" / name, b"new") for name in ("first", "last")])
    new = [f"sync .{name}.{os.getpid()}" for name in ("first", "last")]
    made = f"sync {tmp_path.name}"
    assert steps == [made, *new, "replace first", "sync a", "replace last", "sync a"]


def test_a_device_is_written_in_place() -> None:
    with pytest.raises(OSError, match="No space left on device"):
        write_whole(Path("/dev/full"), b"text")


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")
    program = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from fettle.core.written_file import write_whole\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, (1000, {resource.RLIM_INFINITY}))\n"
        "try:\n"
        "    write_whole(Path(sys.argv[1]), bytes(5000))\n"
        "except OSError as error:\n"
        "    print(error.strerror)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(target)],
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "File too large\n"
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
