"""A store on a Redis server, which tuners on many machines share.

Every write is a set of fields that may be written twice, so that a server that goes away in the
middle is simply asked again. What two tuners write at once does not conflict: each start of the
program is a separate run, and of several verdicts the first holds.
"""

from __future__ import annotations

import json
import socket
import uuid
from contextlib import AbstractContextManager
from pathlib import Path
from typing import cast

from fettle.store.base import StoreError
from fettle.store.digests import Remembered, remembered_digest
from fettle.store.redis_measurements import RedisMeasurements
from fettle.store.redis_reading import (
    FILES,
    FORGOTTEN,
    FORMAT,
    NOTES,
    STORE,
    encoded,
    subject_key,
    text_of,
)
from fettle.store.redis_server import AWAY_SECONDS, RedisServer
from fettle.store.redis_session import RedisSession
from fettle.store.rows import offer_of, offer_text
from fettle.store.subject import Offer, Subject


class RedisStore(RedisMeasurements):
    """A `Store` on a server. Not for use by several threads at a time. Context manager."""

    def __init__(self, address: str, *, away_seconds: float = AWAY_SECONDS) -> None:
        self._server = RedisServer(address, away_seconds=away_seconds)
        super().__init__(RedisSession(self._server))
        try:
            self._server.open()
            self._guid = self._set_up()
            self._server.expect(STORE, "guid", self._guid)
            self._session.begin()
        except BaseException:
            self._server.close()
            raise

    def __enter__(self) -> RedisStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the use of the server."""
        self._session.close()
        self._server.close()

    @property
    def place(self) -> str:
        """The server's address, without the password."""
        return self._server.place

    @property
    def guid(self) -> str:
        """What tells this store from all others."""
        return self._guid

    def _set_up(self) -> str:
        self._server.write(
            [("HSETNX", STORE, "format", FORMAT), ("HSETNX", STORE, "guid", uuid.uuid4().hex)]
        )
        known, guid = self._identity()
        if known != FORMAT:
            raise StoreError(
                f"{self.place} holds measurements in format {known}, this Fettle reads format "
                f"{FORMAT}; use a newer Fettle, or take another database number (/1)"
            )
        return guid

    def _identity(self) -> tuple[str, str]:
        found = self._session.hash(STORE)
        return text_of(found.get(b"format", b"")), text_of(found.get(b"guid", b""))

    def together(self) -> AbstractContextManager[None]:
        """What is written within is with the server at the end of it, whatever ends it."""
        return self._session.together()

    # -- the program, small facts, files, other tuners ---------------------------------------

    def offer(self, subject: Subject) -> Offer | None:
        """What the program offered when it was last seen."""
        key = f"{subject_key(subject)}:offer"
        self._session.flush()
        found = cast("bytes | None", self._server.read(lambda client: client.get(key)))
        with self._session.reading("what the program offers"):
            return None if found is None else offer_of(text_of(found))

    def set_offer(self, subject: Subject, offer: Offer) -> None:
        """Keeps what the program offers."""
        value = offer_text(offer).encode(errors="surrogatepass")
        self._session.write(("SET", f"{self._session.known(subject)}:offer", value))

    def note(self, key: str) -> str | None:
        """A small fact kept between runs of the tuner."""
        found = self._session.field(NOTES, key.encode(errors="surrogatepass"))
        with self._session.reading(f"the note {key[:40]!r}"):
            return None if found is None else text_of(found)

    def set_note(self, key: str, value: str | None) -> None:
        """Keeps a small fact; None drops it."""
        field = key.encode(errors="surrogatepass")
        if value is None:
            self._session.write(("HDEL", NOTES, field))
        else:
            self._session.write(("HSET", NOTES, field, value.encode(errors="surrogatepass")))

    def notes(self) -> dict[str, str]:
        """All small facts."""
        with self._session.reading("a note"):
            found = self._session.hash(NOTES).items()
            return dict(sorted((text_of(key), text_of(value)) for key, value in found))

    def forgotten(self) -> set[str]:
        """The guids of runs that were deleted here."""
        self._session.flush()
        found = cast("set[bytes]", self._server.read(lambda client: client.smembers(FORGOTTEN)))
        return set(map(text_of, found))

    def digest(self, path: Path) -> str:
        """A digest of a file's content, remembered while its size and time of change stay."""
        return remembered_digest(path, self._recall, self._remember)

    def _recall(self, name: str) -> Remembered | None:
        found = self._session.field(FILES, self._file(name))
        with self._session.reading(f"the digest of {name}"):
            return None if found is None else Remembered(*json.loads(text_of(found)))

    def _remember(self, name: str, found: Remembered) -> None:
        self._session.write(("HSET", FILES, self._file(name), encoded(found)))

    def _file(self, name: str) -> bytes:
        """Files of several hosts may have the same path."""
        return f"{socket.gethostname()} {name}".encode(errors="surrogatepass")

    def other_tuners(self) -> list[str]:
        """Other tuners that work with this store now; those that have died are dropped."""
        return self._session.tuners.others()

    def warnings(self) -> list[str]:
        """What is to be feared for measurements on this server."""
        return self._server.warnings()
