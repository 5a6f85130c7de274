"""A store on a Redis server, which tuners on many machines share.

Every write is a set of fields that may be written twice, so that a server that goes away in the
middle is simply asked again. What two tuners write at once does not conflict: each start of the
program is a separate run, and of several verdicts the first holds.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from fettle.store.base import (
    Contents,
    Example,
    InputKey,
    Offer,
    Row,
    Run,
    StoredRun,
    StoreError,
    Subject,
    Verdict,
)
from fettle.store.digests import Remembered, remembered_digest
from fettle.store.examples import examples_of
from fettle.store.redis_deletion import RedisDeletion
from fettle.store.redis_reading import (
    FILES,
    FORGOTTEN,
    FORMAT,
    NOTES,
    STORE,
    SUBJECTS,
    TUNERS,
    contents_of,
    encoded,
    field_of,
    input_key,
    input_member,
    pair,
    row_value,
    run_value,
    subject_key,
    subject_member,
    text_of,
    texts_of,
)
from fettle.store.redis_server import AWAY_SECONDS, Command, RedisServer
from fettle.store.rows import numbers_text, offer_of, offer_text
from fettle.store.this_run import new_run

if TYPE_CHECKING:
    import redis

# A tuner that has said nothing for so long is gone.
TUNER_SECONDS = 600.0
SIGN_SECONDS = 60.0
# So many commands are given at once within `together`.
AT_ONCE = 2000


class RedisStore:
    """A `Store` on a server. Not for use by several threads at a time. Context manager."""

    def __init__(self, address: str, *, away_seconds: float = AWAY_SECONDS) -> None:
        self._server = RedisServer(address, away_seconds=away_seconds)
        self._pending: list[Command] | None = None
        self._seen: set[bytes] = set()  # subjects and inputs that are in their sorted sets
        self._rows: dict[str, int] = {}  # how many rows the runs of this writer have
        self._ahead = 0.0  # the server's time is this much more than this process's clock
        self._last_order = 0.0
        self._tuner = f"{socket.gethostname()} {os.getpid()}".encode(errors="surrogatepass")
        self._since = time.strftime("%Y-%m-%d %H:%M:%S")
        self._signed = 0.0
        try:
            self._server.open()
            self._guid = self._set_up()
            self._server.expect(STORE, "guid", self._guid)
            self._ahead = self._server.time() - time.monotonic()
            self._sign()
        except BaseException:
            self._server.close()
            raise

    def __enter__(self) -> RedisStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the use of the server."""
        with contextlib.suppress(StoreError):
            self._flush()
            self._server.give_up_soon()
            self._server.write([("HDEL", TUNERS, self._tuner)])
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
        found = self._hash(STORE)
        return text_of(found.get(b"format", b"")), text_of(found.get(b"guid", b""))

    # -- reading and writing -----------------------------------------------------------------

    def _write(self, *commands: Command) -> None:
        if self._pending is None:
            self._server.write(commands)
        else:
            self._pending += commands
            if len(self._pending) >= AT_ONCE:
                self._flush()
        if time.monotonic() - self._signed > SIGN_SECONDS:
            self._sign()

    def _flush(self) -> None:
        if self._pending:
            self._server.write(self._pending)
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
                self._flush()
            finally:
                self._pending = None

    def _hash(self, key: str) -> dict[bytes, bytes]:
        self._flush()
        return cast("dict[bytes, bytes]", self._server.read(lambda client: client.hgetall(key)))

    def _field(self, key: str, field: str | bytes) -> bytes | None:
        self._flush()
        return cast("bytes | None", self._server.read(lambda client: client.hget(key, field)))

    def _members(self, key: str) -> list[bytes]:
        self._flush()
        return cast("list[bytes]", self._server.read(lambda client: client.zrange(key, 0, -1)))

    @contextlib.contextmanager
    def _reading(self, what: str) -> Iterator[None]:
        try:
            yield
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(
                f"{self.place} is damaged: {what} cannot be read ({error}). Measure anew what it "
                "is of (fettle tune --fresh, or tune(fresh=True)), and see who else writes to keys "
                "that begin with fettle:"
            ) from None

    def _order(self) -> float:
        """The server's time, and greater than all before of this store."""
        self._last_order = max(time.monotonic() + self._ahead, self._last_order + 1e-6)
        return self._last_order

    def _known(self, subject: Subject, given: InputKey | None = None) -> str:
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
            self._write(("ZADD", key, "NX", repr(self._order()), member))
            self._seen.add(key.encode() + member)

    # -- measurements ------------------------------------------------------------------------

    def subjects(self) -> list[Subject]:
        """What there are measurements of, in the order in which they were first seen."""
        with self._reading("what there are measurements of"):
            return [Subject(*texts_of(one, 4)) for one in self._members(SUBJECTS)]

    def inputs(self, subject: Subject) -> list[InputKey]:
        """The inputs of a subject, in the order in which they were first seen."""
        with self._reading("an input"):
            members = self._members(f"{subject_key(subject)}:inputs")
            return [InputKey(*texts_of(one, 2)) for one in members]

    def examples(self, subject: Subject, given: InputKey) -> list[Example]:
        """All calls of an input so far, by number."""
        held = self.contents(subject, given)
        with self._reading("what came of variants"):
            return examples_of(held)

    def contents(self, subject: Subject, given: InputKey) -> Contents:
        """All that is held of an input."""
        key = input_key(subject, given)
        self._flush()

        def ask(client: redis.Redis) -> list[dict[bytes, bytes]]:
            with client.pipeline(transaction=True) as pipe:
                for part in ("", ":runs", ":samples"):
                    pipe.hgetall(key + part)
                return cast("list[dict[bytes, bytes]]", pipe.execute())

        facts, runs, samples = self._server.read(ask)
        with self._reading(f"what is known of the input {given.arguments[:40]!r}"):
            return contents_of(facts, runs, samples)

    def finished_calls(self, subject: Subject, given: InputKey) -> int | None:
        """How many calls the input makes; None while the program has not run to its end."""
        found = self._field(input_key(subject, given), "calls")
        with self._reading("how many calls an input makes"):
            return None if found is None else int(found)

    def starts(self, subject: Subject, given: InputKey) -> int:
        """How many runs have brought samples of an input."""
        runs = self._hash(f"{input_key(subject, given)}:runs")
        with self._reading("a run"):
            return sum(int(runs[f]) > 0 for f in runs if f.endswith(b" rows"))

    def add_call(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        features: Mapping[str, float],
        feature_seconds: Mapping[str, float],
    ) -> None:
        """Keeps the features of a call, in place of what was known of them."""
        value = pair(numbers_text(features), numbers_text(feature_seconds))
        self._write(("HSET", self._known(subject, given), field_of("f", call), value))

    def add_run(self, subject: Subject, given: InputKey, run: Run) -> None:
        """Keeps a run, which may bring verdicts without samples; nothing where it is known."""
        self._begin(self._known(subject, given), run)

    def _begin(self, key: str, run: Run) -> None:
        if run.guid in self._rows:
            return
        known = self._field(f"{key}:runs", f"{run.guid} rows")
        with self._reading("a run"):
            self._rows[run.guid] = 0 if known is None else int(known)
        self._write(("HSETNX", f"{key}:runs", run.guid, run_value(run, self._order())))

    def add_rows(self, subject: Subject, given: InputKey, stored: StoredRun) -> None:
        """Keeps a run of another store with its rows, under their numbers; known rows stay."""
        key, guid = self._known(subject, given), stored.run.guid
        self._rows[guid] = stored.count
        commands: list[Command] = [
            ("HSETNX", f"{key}:samples", f"{guid} {row.number}", row_value(row))
            for row in stored.rows
        ]
        self._write(
            ("HSETNX", f"{key}:runs", guid, run_value(stored.run, self._order())),
            *commands,
            ("HSET", f"{key}:runs", f"{guid} rows", stored.count),
        )

    def add_samples(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        variant: str,
        values: Sequence[float],
        run: Run | None = None,
        *,
        metric: str = "",
    ) -> None:
        """Keeps more samples of a variant, in a run: without one, in the last run of the input."""
        key = self._known(subject, given)
        if run is None:
            run = self._last_run(subject, given, key)
        self._begin(key, run)
        number = self._rows[run.guid]
        self._rows[run.guid] = number + 1
        value = row_value(Row(number, call, variant, metric, tuple(values)))
        self._write(
            ("HSET", f"{key}:samples", f"{run.guid} {number}", value),
            ("HSET", f"{key}:runs", f"{run.guid} rows", number + 1),
        )

    def _last_run(self, subject: Subject, given: InputKey, key: str) -> Run:
        runs = self.contents(subject, given).runs
        return list(runs.values())[-1].run if runs else new_run()

    def add_lost_seconds(
        self, subject: Subject, given: InputKey, call: int, variant: str, seconds: float
    ) -> None:
        """Keeps the time of a run in which a variant returned an infinite metric."""
        field = field_of("l", call, variant)
        self._write(("HSET", self._known(subject, given), field, encoded(seconds)))

    def add_verdict(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        variant: str,
        verdict: Verdict,
        reason: str = "",
    ) -> None:
        """Says what came of a variant; the first holds, but for a failure when it runs again."""
        key = self._known(subject, given)
        self._write(("HSETNX", key, field_of("v", call, variant), pair(verdict, reason)))
        if verdict == "failed":  # holds over an earlier "measured", see contents_of
            self._write(("HSETNX", key, field_of("x", call, variant), encoded(reason)))

    def add_output(
        self, subject: Subject, given: InputKey, call: int, variant: str, same_bits: bool
    ) -> None:
        """Says whether a variant's output was the default's bit by bit; once it was not stays."""
        name = "HSETNX" if same_bits else "HSET"
        key = self._known(subject, given)
        self._write((name, key, field_of("o", call, variant), int(same_bits)))

    def finish(self, subject: Subject, given: InputKey, calls: int) -> None:
        """Says that the program ran to its end with this number of calls."""
        self._write(("HSET", self._known(subject, given), "calls", calls))

    # -- forgetting --------------------------------------------------------------------------

    def forget_verdicts(
        self, subject: Subject, given: InputKey, call: int, variants: Sequence[str]
    ) -> None:
        """Drops what came of variants; their samples stay, and they are to be measured again."""
        fields = [field_of(letter, call, one) for one in variants for letter in "vx"]
        if fields:
            self._write(("HDEL", input_key(subject, given), *fields))

    def forget_failures(self, subject: Subject) -> None:
        """Drops failed variants with their samples, and calls without features: both come again."""
        self._delete(self._deletion().failures(subject, self.inputs(subject)))

    def forget_variants(
        self, subject: Subject, variants: Sequence[str], with_points: Sequence[str]
    ) -> None:
        """Drops what is known of variants on all inputs, of those `with_points` all points too."""
        commands = self._deletion().variants(subject, self.inputs(subject), variants, with_points)
        self._delete(commands)

    def forget_features(self, subject: Subject) -> None:
        """Drops all features, and all that is known of inputs that make several calls."""
        self._delete(self._deletion().features(subject, self.inputs(subject)))

    def forget(self, subject: Subject) -> None:
        """Drops everything that is known of a subject, notes whose key names it included."""
        self._delete(self._deletion().subject(subject, self.inputs(subject)))

    def _deletion(self) -> RedisDeletion:
        return RedisDeletion(self._hash)

    def _delete(self, commands: Sequence[Command]) -> None:
        self._seen.clear()
        self._rows.clear()
        if commands:
            self._write(*commands)

    # -- the program, small facts, files, other tuners ---------------------------------------

    def offer(self, subject: Subject) -> Offer | None:
        """What the program offered when it was last seen."""
        key = f"{subject_key(subject)}:offer"
        self._flush()
        found = cast("bytes | None", self._server.read(lambda client: client.get(key)))
        with self._reading("what the program offers"):
            return None if found is None else offer_of(text_of(found))

    def set_offer(self, subject: Subject, offer: Offer) -> None:
        """Keeps what the program offers."""
        value = offer_text(offer).encode(errors="surrogatepass")
        self._write(("SET", f"{self._known(subject)}:offer", value))

    def note(self, key: str) -> str | None:
        """A small fact kept between runs of the tuner."""
        found = self._field(NOTES, key.encode(errors="surrogatepass"))
        with self._reading(f"the note {key[:40]!r}"):
            return None if found is None else text_of(found)

    def set_note(self, key: str, value: str | None) -> None:
        """Keeps a small fact; None drops it."""
        field = key.encode(errors="surrogatepass")
        if value is None:
            self._write(("HDEL", NOTES, field))
        else:
            self._write(("HSET", NOTES, field, value.encode(errors="surrogatepass")))

    def notes(self) -> dict[str, str]:
        """All small facts."""
        with self._reading("a note"):
            found = {text_of(key): text_of(value) for key, value in self._hash(NOTES).items()}
            return dict(sorted(found.items()))

    def forgotten(self) -> set[str]:
        """The guids of runs that were deleted here."""
        self._flush()
        found = cast("set[bytes]", self._server.read(lambda client: client.smembers(FORGOTTEN)))
        return set(map(text_of, found))

    def digest(self, path: Path) -> str:
        """A digest of a file's content, remembered while its size and time of change stay."""
        return remembered_digest(path, self._recall, self._remember)

    def _recall(self, name: str) -> Remembered | None:
        found = self._field(FILES, self._file(name))
        with self._reading(f"the digest of {name}"):
            return None if found is None else Remembered(*json.loads(text_of(found)))

    def _remember(self, name: str, found: Remembered) -> None:
        self._write(("HSET", FILES, self._file(name), encoded(found)))

    def _file(self, name: str) -> bytes:
        """Files of several hosts may have the same path."""
        return f"{socket.gethostname()} {name}".encode(errors="surrogatepass")

    def _sign(self) -> None:
        """Says that this tuner is at work."""
        self._signed = time.monotonic()
        value = encoded([self._since, self._server.time()])
        self._server.write([("HSET", TUNERS, self._tuner, value)])

    def other_tuners(self) -> list[str]:
        """Other tuners that work with this store now; those that have died are dropped."""
        now, found, gone = self._server.time(), [], []
        for name, value in self._hash(TUNERS).items():
            if name == self._tuner:
                continue
            host, _, pid = text_of(name).rpartition(" ")
            since, seen = self._sign_of(value)
            is_here = host == socket.gethostname()
            if now - seen > TUNER_SECONDS or (is_here and not Path(f"/proc/{pid}").exists()):
                gone.append(name)
            else:
                found.append(f"process {pid} on {host}, since {since}")
        if gone:
            self._write(("HDEL", TUNERS, *gone))
        return found

    @staticmethod
    def _sign_of(value: bytes) -> tuple[str, float]:
        try:
            since, seen = json.loads(value)
            return str(since), float(seen)
        except (ValueError, TypeError):
            return "", 0.0

    def warnings(self) -> list[str]:
        """What is to be feared for measurements on this server."""
        return self._server.warnings()
