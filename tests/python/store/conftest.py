"""Stores of all kinds for the tests of what they have in common."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis_here import RedisHere


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """In memory where that can be: thousands of transactions are synced to what lies there."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="fettle-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisHere]:
    """One server for all tests; each finds it empty (see `place`)."""
    with RedisHere(tmp_path_factory.mktemp("redis"), "--appendonly", "yes") as server:
        yield server


@pytest.fixture(params=["sqlite", "redis"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty store is: a file, or a server."""
    if request.param == "sqlite":
        return str(tmp_path / "db")
    server: RedisHere = request.getfixturevalue("redis_server")
    server.ask("FLUSHALL")
    return server.address
