"""What Python tests in every folder share: published data."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

Published = Callable[..., Path]


@pytest.fixture(scope="session")
def published() -> Published:
    """The path of a published file, by its folder and name; skips the test where it is missing."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    data = Path(os.environ.get("FETTLE_DATA") or beside)

    def find(*parts: str) -> Path:
        path = data.joinpath(*parts)
        if not path.exists():
            pytest.skip(f"no {path}; set FETTLE_DATA to the folder of the published data")
        return path

    return find
