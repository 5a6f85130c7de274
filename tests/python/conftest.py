"""What tests in all folders share; its presence puts this folder on the import path."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="module")
def machine_counts_as_steady(request: pytest.FixtureRequest) -> Iterator[None]:
    """Models are deployed however busy the machine is, but where that is what is tested."""
    with pytest.MonkeyPatch.context() as patch:
        if "busy_machine" not in request.node.name:
            patch.setattr("fettle.training.finish.why_not_deployed", lambda *_: "")
        yield


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory while the test runs: an empty one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def fill_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """fill_disk(part): from now on there is no room for files that have `part` in their names."""

    def fill(part: str) -> None:
        write = Path.write_bytes

        def write_or_fail(path: Path, data: bytes) -> int:
            if part in path.name:
                raise OSError(errno.ENOSPC, "No space left on device", str(path))
            return write(path, data)

        monkeypatch.setattr(Path, "write_bytes", write_or_fail)

    return fill
