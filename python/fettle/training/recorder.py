"""Keeps what one start of the program says, record by record."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fettle.store.base import Example, InputKey, Offer
from fettle.training.log import LogError
from fettle.training.program import ProgramError
from fettle.training.record import (
    Call,
    End,
    Excluded,
    Failed,
    Header,
    Measured,
    Misuse,
    Record,
    Sample,
    Start,
)
from fettle.training.request import Request
from fettle.training.run import POLL_SECONDS

if TYPE_CHECKING:
    from fettle.training.measure import Measurer


NOT_RUN = "not run"


class Recorder:
    """The handler of one start of the program, for `run_program`."""

    def __init__(self, measurer: Measurer, key: InputKey, request: Request) -> None:
        self._measurer = measurer
        self._store = measurer.store
        self._subject = measurer.subject
        self._key = key
        self._request = request
        self._started = 0.0
        self._known = {e.call: e for e in self._store.examples(self._subject, key)}
        self._start = self._store.starts(self._subject, key)

    def handle(self, record: Record) -> None:
        """Keeps a record. Raises ProgramError where the program cannot be trained."""
        match record:
            case Header():
                self._header(record)
            case Call():
                self._call(record)
            case Start():
                self._started = time.monotonic()
                self._measurer.display.variant(record.variant)
            case Sample():
                self._sample(record)
            case Excluded():
                self._verdict(record, "excluded")
            case Failed():
                self._verdict(record, "failed")
            case Measured():
                self._check(record.call)
                self._store.add_verdict(
                    self._subject, self._key, record.call, record.variant, "measured"
                )
            case End():
                self._end(record)
            case Misuse():
                raise ProgramError(f"{self._subject.function!r} cannot be trained: {record.reason}")

    def is_complete(self, example: Example) -> bool:
        """Whether nothing that this run was to bring is missing of a call."""
        offer = self._measurer.offer
        if offer is None:
            return False
        if self._request.mode == "features":
            return example.features.keys() >= set(offer.features)
        return all(variant in example.verdicts for variant in offer.variants)

    def _header(self, header: Header) -> None:
        if header.function != self._subject.function:
            raise ProgramError(
                f"the program was asked to train {self._subject.function!r} but trains "
                f"{header.function!r}"
            )
        self._measurer.take_offer(
            Offer(
                variants=header.variants,
                features=header.features,
                default=header.default,
                unit="s" if self._measurer.returns_seconds else header.unit,
                larger_is_better=header.larger_is_better,
                machine=header.machine,
                parameters=header.parameters,
            )
        )

    def _call(self, call: Call) -> None:
        known = self._known.get(call.call)
        if known and self._request.mode == "measure":
            shared = known.features.keys() & call.features.keys()
            if any(known.features[name] != call.features[name] for name in shared):
                self._measurer.warn(
                    f"{self._request.input}: the features of call {call.call} differ from one "
                    "start of the program to the next"
                )
        self._store.add_call(
            self._subject, self._key, call.call, call.features, call.feature_seconds
        )
        if call.call not in self._known:
            self._known[call.call] = Example(call.call, call.features, call.feature_seconds)

    def _sample(self, sample: Sample) -> None:
        self._check(sample.call)
        self._store.add_samples(
            self._subject, self._key, sample.call, sample.variant, sample.metric, self._start
        )
        self._measurer.spent.variant_runs += len(sample.metric)
        seen = self._measurer.seconds_seen
        # The records are seen with a delay, so this is an upper bound, which is what a limit needs.
        seconds = time.monotonic() - self._started + 2 * POLL_SECONDS
        seen[sample.call] = min(seconds, seen.get(sample.call, seconds))

    def _verdict(self, record: Excluded | Failed, verdict: str) -> None:
        self._check(record.call)
        self._store.add_verdict(
            self._subject,
            self._key,
            record.call,
            record.variant,
            "excluded" if verdict == "excluded" else "failed",
            record.reason,
        )

    def _end(self, end: End) -> None:
        self._check(end.call)
        examples = self._store.examples(self._subject, self._key)
        example = next(e for e in examples if e.call == end.call)
        for variant in self._measurer.offer.variants if self._measurer.offer else ():
            if variant in example.verdicts:
                continue
            if variant in example.samples:
                self._store.add_verdict(self._subject, self._key, end.call, variant, "measured")
            else:
                self._store.add_verdict(
                    self._subject,
                    self._key,
                    end.call,
                    variant,
                    "unmeasured",
                    f"{NOT_RUN}: the call ended ({end.outcome}) before its turn",
                )

    def _check(self, call: int) -> None:
        if call not in self._known:
            raise LogError(
                f"the training log of {self._request.input} speaks of call {call} before it began"
            )
