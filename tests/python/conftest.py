"""What tests in all folders share; its presence puts this folder on the import path."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory while the test runs: an empty one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
