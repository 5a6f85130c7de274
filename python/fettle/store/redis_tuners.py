"""The tuners that work with a Redis server now: each signs there every minute."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from fettle.store.redis_reading import TUNERS, encoded, text_of
from fettle.store.redis_server import RedisServer

# A tuner that has said nothing for so long is gone.
TUNER_SECONDS = 600.0
SIGN_SECONDS = 60.0


class RedisTuners:
    """The tuners at a server, of which this process is one."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server
        self._name = f"{socket.gethostname()} {os.getpid()}".encode(errors="surrogatepass")
        self._since = time.strftime("%Y-%m-%d %H:%M:%S")
        self._signed = 0.0

    def sign(self) -> None:
        """Says that this tuner is at work."""
        self._signed = time.monotonic()
        value = encoded([self._since, self._server.time()])
        self._server.write([("HSET", TUNERS, self._name, value)])

    def sign_now_and_then(self) -> None:
        """Signs where the last time is a minute ago."""
        if time.monotonic() - self._signed > SIGN_SECONDS:
            self.sign()

    def remove_this(self) -> None:
        """Ends the registration of this process."""
        self._server.write([("HDEL", TUNERS, self._name)])

    def others(self) -> list[str]:
        """The other tuners, each as a text for people; those that have died are removed."""
        now, found, gone = self._server.time(), [], []
        for name, value in self._known().items():
            if name == self._name:
                continue
            host, _, pid = text_of(name).rpartition(" ")
            since, seen = _sign_of(value)
            is_here = host == socket.gethostname()
            if now - seen > TUNER_SECONDS or (is_here and not Path(f"/proc/{pid}").exists()):
                gone.append(name)
            else:
                found.append(f"process {pid} on {host}, since {since}")
        if gone:
            self._server.write([("HDEL", TUNERS, *gone)])
        return found

    def _known(self) -> Mapping[bytes, bytes]:
        return cast("dict[bytes, bytes]", self._server.read(lambda client: client.hgetall(TUNERS)))


def _sign_of(value: bytes) -> tuple[str, float]:
    try:
        since, seen = json.loads(value)
        return str(since), float(seen)
    except (ValueError, TypeError):
        return "", 0.0
