"""Scratch folders: in use, kept, left by a process that was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from fettle.training.scratch import keep, remove_abandoned, scratch_folder

KILLED_INSIDE = """
import os, signal
from fettle.training.scratch import keep, scratch_folder
with scratch_folder() as folder:
    (folder / "log").touch()
    KEEP
    print(folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go, here and in other processes."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def abandoned(*, kept: bool = False) -> Path:
    program = KILLED_INSIDE.replace("KEEP", "keep(folder)" if kept else "pass")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    return Path(done.stdout.strip())


def test_a_folder_goes_with_its_block(scratch: Path) -> None:
    with scratch_folder() as folder:
        assert folder.parent == scratch
        (folder / "log").touch()
    with pytest.raises(ValueError, match="bad luck"), scratch_folder():
        raise ValueError("bad luck")
    assert list(scratch.iterdir()) == []


def test_what_a_killed_process_leaves_is_removed(scratch: Path) -> None:
    left = abandoned()
    assert (left / "log").exists()
    remove_abandoned()
    assert list(scratch.iterdir()) == []


def test_a_folder_in_use_stays() -> None:
    with scratch_folder() as folder:
        remove_abandoned()
        assert folder.exists()


def test_a_folder_that_a_message_names_stays() -> None:
    with scratch_folder() as folder:
        keep(folder)
    left = abandoned(kept=True)
    remove_abandoned()
    assert folder.exists()
    assert (left / "log").exists()


def test_a_link_is_not_followed(scratch: Path) -> None:
    elsewhere = scratch / "elsewhere"
    elsewhere.mkdir()
    (scratch / "fettle-scratch-link").symlink_to(elsewhere)
    remove_abandoned()
    assert elsewhere.exists()
