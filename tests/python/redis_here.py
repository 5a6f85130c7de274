"""A Redis server of the tests' own on a free port of the loopback device."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType

import pytest


class RedisHere:
    """A server with its files in `folder`. A context manager: it has ended after it."""

    def __init__(self, folder: Path, *options: str, executable: str = "redis-server") -> None:
        pytest.importorskip("redis", reason="the Python package redis is not installed")
        if shutil.which(executable) is None:
            pytest.skip("redis-server is not installed (apt-get install redis-server)")
        self.folder, self.options = folder, options
        self._executable = executable
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command = [self._executable, "--port", str(self.port), "--bind", "127.0.0.1"]
        command += ["--dir", str(self.folder), "--save", "", *self.options]
        with (self.folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        until = time.monotonic() + 20
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.01)
        raise AssertionError((self.folder / "redis.log").read_text())

    def stop(self) -> None:
        """As by kill -9."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def ask(self, *words: object) -> object:
        import redis

        with redis.Redis("127.0.0.1", self.port) as client:
            return client.execute_command(*words)

    def __enter__(self) -> RedisHere:
        return self

    def __exit__(
        self,
        _: type[BaseException] | None,
        __: BaseException | None,
        ___: TracebackType | None,
    ) -> None:
        self.stop()
