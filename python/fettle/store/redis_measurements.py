"""What a store on a Redis server holds of subjects and their inputs: read, added to and deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from fettle.store.contents import Contents, Example, Row, Run, StoredRun, Verdict
from fettle.store.examples import examples_of
from fettle.store.redis_deletion import RedisDeletion
from fettle.store.redis_reading import (
    SUBJECTS,
    contents_of,
    encoded,
    field_of,
    input_key,
    pair,
    row_value,
    run_value,
    subject_key,
    texts_of,
)
from fettle.store.redis_server import Command
from fettle.store.redis_session import RedisSession
from fettle.store.rows import numbers_text
from fettle.store.subject import InputKey, Subject
from fettle.store.this_run import new_run

if TYPE_CHECKING:
    import redis


class RedisMeasurements:
    """The part of a `Store` that is about measurements, in a session with a server."""

    def __init__(self, session: RedisSession) -> None:
        self._session = session
        self._rows: dict[str, int] = {}  # how many rows the runs of this writer have

    def subjects(self) -> list[Subject]:
        """What there are measurements of, in the order in which they were first seen."""
        with self._session.reading("what there are measurements of"):
            return [Subject(*texts_of(one, 4)) for one in self._session.members(SUBJECTS)]

    def inputs(self, subject: Subject) -> list[InputKey]:
        """The inputs of a subject, in the order in which they were first seen."""
        with self._session.reading("an input"):
            members = self._session.members(f"{subject_key(subject)}:inputs")
            return [InputKey(*texts_of(one, 2)) for one in members]

    def examples(self, subject: Subject, given: InputKey) -> list[Example]:
        """All calls of an input so far, by number."""
        held = self.contents(subject, given)
        with self._session.reading("what came of variants"):
            return examples_of(held)

    def contents(self, subject: Subject, given: InputKey) -> Contents:
        """All that is held of an input."""
        key = input_key(subject, given)
        self._session.flush()

        def ask(client: redis.Redis) -> list[dict[bytes, bytes]]:
            with client.pipeline(transaction=True) as pipe:
                for part in ("", ":runs", ":samples"):
                    pipe.hgetall(key + part)
                return cast("list[dict[bytes, bytes]]", pipe.execute())

        facts, runs, samples = self._session.server.read(ask)
        with self._session.reading(f"what is known of the input {given.arguments[:40]!r}"):
            return contents_of(facts, runs, samples)

    def finished_calls(self, subject: Subject, given: InputKey) -> int | None:
        """How many calls the input makes; None while the program has not run to its end."""
        found = self._session.field(input_key(subject, given), "calls")
        with self._session.reading("how many calls an input makes"):
            return None if found is None else int(found)

    def starts(self, subject: Subject, given: InputKey) -> int:
        """How many runs have brought samples of an input."""
        runs = self._session.hash(f"{input_key(subject, given)}:runs")
        with self._session.reading("a run"):
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
        key = self._session.known(subject, given)
        self._session.write(("HSET", key, field_of("f", call), value))

    def add_run(self, subject: Subject, given: InputKey, run: Run) -> None:
        """Keeps a run, which may bring verdicts without samples; nothing where it is known."""
        self._begin(self._session.known(subject, given), run)

    def _begin(self, key: str, run: Run) -> None:
        if run.guid in self._rows:
            return
        known = self._session.field(f"{key}:runs", f"{run.guid} rows")
        with self._session.reading("a run"):
            self._rows[run.guid] = 0 if known is None else int(known)
        value = run_value(run, self._session.order())
        self._session.write(("HSETNX", f"{key}:runs", run.guid, value))

    def add_rows(self, subject: Subject, given: InputKey, stored: StoredRun) -> None:
        """Keeps a run of another store with its rows, under their numbers; known rows stay."""
        key, guid = self._session.known(subject, given), stored.run.guid
        self._rows[guid] = stored.count
        commands: list[Command] = [
            ("HSETNX", f"{key}:samples", f"{guid} {row.number}", row_value(row))
            for row in stored.rows
        ]
        self._session.write(
            ("HSETNX", f"{key}:runs", guid, run_value(stored.run, self._session.order())),
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
        key = self._session.known(subject, given)
        if run is None:
            run = self._last_run(subject, given, key)
        self._begin(key, run)
        number = self._rows[run.guid]
        self._rows[run.guid] = number + 1
        value = row_value(Row(number, call, variant, metric, tuple(values)))
        self._session.write(
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
        self._session.write(("HSET", self._session.known(subject, given), field, encoded(seconds)))

    def add_verdict(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        variant: str,
        verdict: Verdict,
        reason: str = "",
    ) -> None:
        """Keeps a variant's first verdict, except that `failed` replaces `measured`."""
        key = self._session.known(subject, given)
        self._session.write(("HSETNX", key, field_of("v", call, variant), pair(verdict, reason)))
        if verdict == "failed":  # holds over an earlier "measured", see contents_of
            self._session.write(("HSETNX", key, field_of("x", call, variant), encoded(reason)))

    def add_output(
        self, subject: Subject, given: InputKey, call: int, variant: str, same_bits: bool
    ) -> None:
        """Keeps whether a variant's output equals the default's bit by bit; one False stays."""
        name = "HSETNX" if same_bits else "HSET"
        key = self._session.known(subject, given)
        self._session.write((name, key, field_of("o", call, variant), int(same_bits)))

    def finish(self, subject: Subject, given: InputKey, calls: int) -> None:
        """Keeps that the program ran to its end with this number of calls."""
        self._session.write(("HSET", self._session.known(subject, given), "calls", calls))

    # -- forgetting --------------------------------------------------------------------------

    def forget_verdicts(
        self, subject: Subject, given: InputKey, call: int, variants: Sequence[str]
    ) -> None:
        """Drops verdicts of variants, which are measured again then; their samples stay."""
        fields = [field_of(letter, call, one) for one in variants for letter in "vx"]
        if fields:
            self._session.write(("HDEL", input_key(subject, given), *fields))

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
        return RedisDeletion(self._session.hash)

    def _delete(self, commands: Sequence[Command]) -> None:
        self._session.forget_known()
        self._rows.clear()
        if commands:
            self._session.write(*commands)
