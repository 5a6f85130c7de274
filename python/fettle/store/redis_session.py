"""One writer's session with a Redis server: what it writes at once, and what it knows is there."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import cast

from fettle.store.base import StoreError
from fettle.store.redis_reading import (
    SUBJECTS,
    input_key,
    input_member,
    subject_key,
    subject_member,
)
from fettle.store.redis_server import Command, RedisServer
from fettle.store.redis_tuners import RedisTuners
from fettle.store.subject import InputKey, Subject

# So many commands are given at once within `together`.
AT_ONCE = 2000


class RedisSession:
    """Reads and writes hashes and sorted sets; a read sees what the session wrote before."""

    def __init__(self, server: RedisServer) -> None:
        self.server = server
        self.tuners = RedisTuners(server)
        self._pending: list[Command] | None = None
        self._seen: set[bytes] = set()  # subjects and inputs that are in their sorted sets
        self._ahead = 0.0  # the server's time is this much more than this process's clock
        self._last_order = 0.0

    def begin(self) -> None:
        """Takes the server's time, and registers this tuner."""
        self._ahead = self.server.time() - time.monotonic()
        self.tuners.sign()

    def close(self) -> None:
        """Writes what is pending and ends the registration, if the server is there."""
        with contextlib.suppress(StoreError):
            self.flush()
            self.server.give_up_soon()
            self.tuners.remove_this()

    def forget_known(self) -> None:
        """From now on subjects and inputs are entered anew: some may have been deleted."""
        self._seen.clear()

    def write(self, *commands: Command) -> None:
        """Gives commands; within `together` many at once."""
        if self._pending is None:
            self.server.write(commands)
        else:
            self._pending += commands
            if len(self._pending) >= AT_ONCE:
                self.flush()
        self.tuners.sign_now_and_then()

    def flush(self) -> None:
        """Gives the commands that are pending."""
        if self._pending:
            self.server.write(self._pending)
            self._pending = []

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """What is written within is with the server at the end of it, whatever ends it."""
        if self._pending is not None:
            yield
            return
        self._pending = []
        try:
            yield
        finally:
            try:
                self.flush()
            finally:
                self._pending = None

    def hash(self, key: str) -> dict[bytes, bytes]:
        """The fields of a hash; none where there is no such key."""
        self.flush()
        return cast("dict[bytes, bytes]", self.server.read(lambda client: client.hgetall(key)))

    def field(self, key: str, field: str | bytes) -> bytes | None:
        """A field of a hash; None where it is absent."""
        self.flush()
        return cast("bytes | None", self.server.read(lambda client: client.hget(key, field)))

    def members(self, key: str) -> list[bytes]:
        """The members of a sorted set, in order."""
        self.flush()
        return cast("list[bytes]", self.server.read(lambda client: client.zrange(key, 0, -1)))

    @contextlib.contextmanager
    def reading(self, what: str) -> Iterator[None]:
        """Raises StoreError, saying that `what` is damaged, for a value that cannot be decoded."""
        try:
            yield
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(
                f"{self.server.place} is damaged: {what} cannot be read ({error}). Measure "
                "anew what it is of (fettle tune --fresh, or tune(fresh=True)), and see "
                "who else writes to keys that begin with fettle:"
            ) from None

    def order(self) -> float:
        """The server's time, and greater than all before of this store."""
        self._last_order = max(time.monotonic() + self._ahead, self._last_order + 1e-6)
        return self._last_order

    def known(self, subject: Subject, given: InputKey | None = None) -> str:
        """The key of a subject or an input, which from now on is among those of the store."""
        key = subject_key(subject)
        if given is None:
            self._enter(SUBJECTS, subject_member(subject))
            return key
        of_input = input_key(subject, given)
        if of_input.encode() not in self._seen:
            self._enter(SUBJECTS, subject_member(subject))
            self._enter(f"{key}:inputs", input_member(given))
            self._seen.add(of_input.encode())
        return of_input

    def _enter(self, key: str, member: bytes) -> None:
        if key.encode() + member not in self._seen:
            self.write(("ZADD", key, "NX", repr(self.order()), member))
            self._seen.add(key.encode() + member)
