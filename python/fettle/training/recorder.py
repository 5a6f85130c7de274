"""Keeps what one start of the program says, record by record."""

from __future__ import annotations

import math
import time

from fettle.store.contents import ERROR, Example
from fettle.store.subject import InputKey
from fettle.store.this_run import new_run
from fettle.training.costs import why_no_metric
from fettle.training.deterministic import check_is_compared
from fettle.training.log import LogError
from fettle.training.measured_function import MeasuredFunction
from fettle.training.offered import offer_of
from fettle.training.program import ProgramError
from fettle.training.record import (
    Call,
    End,
    Excluded,
    Failed,
    Header,
    Measured,
    Metered,
    Misuse,
    Record,
    Sample,
    Start,
)
from fettle.training.request import Request
from fettle.training.run import POLL_SECONDS

NOT_RUN = "not run"


class Recorder:
    """The handler of one start of the program, for `run_program`."""

    def __init__(self, measurer: MeasuredFunction, key: InputKey, request: Request) -> None:
        self._measurer = measurer
        self._store = measurer.store
        self._subject = measurer.subject
        self._key = key
        self._request = request
        self._started = 0.0
        self._known = {e.call: e for e in self._store.examples(self._subject, key)}
        self._run = new_run(measurer.device)
        self._run_is_kept = False

    def handle(self, record: Record) -> None:
        """Keeps a record. Raises ProgramError where the program cannot be trained."""
        if isinstance(record, Sample | Metered | Excluded | Failed | Measured | End):
            self.keep_run()
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
            case Metered():
                self._metered(record)
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

    def keep_run(self) -> None:
        """Keeps that there was this start, once."""
        if not self._run_is_kept:
            self._store.add_run(self._subject, self._key, self._run)
            self._run_is_kept = True

    def is_complete(self, example: Example) -> bool:
        """Whether nothing that this run was to bring is missing of a call."""
        offer = self._measurer.offer
        if offer is None:
            return False
        if self._request.mode == "features":
            return example.features.keys() >= set(offer.features)
        return all(variant in example.verdicts for variant in offer.variants)

    def _header(self, header: Header) -> None:
        measurer = self._measurer
        function, options = self._subject.function, measurer.options
        offer = offer_of(header, function, options, returns_seconds=measurer.returns_seconds)
        measurer.take_offer(offer)

    def _call(self, call: Call) -> None:
        known = self._known.get(call.call)
        if known and self._request.mode == "measure":
            shared = known.features.keys() & call.features.keys()
            if any(_differ(known.features[name], call.features[name]) for name in shared):
                self._measurer.warn(
                    f"{self._request.input}: the features of call {call.call} differ from one "
                    "start of the program to the next"
                )
        # One start that only asks what the program offers must not change what is learned from.
        if self._request.mode == "measure" or known is None or not _has_features(known, call):
            self._store.add_call(
                self._subject, self._key, call.call, call.features, call.feature_seconds
            )
        if call.call not in self._known:
            self._known[call.call] = Example(call.call, call.features, call.feature_seconds)
        if call.feature_problems:
            name, problem = next(iter(call.feature_problems.items()))
            self._without_features(call.call, f"feature {name} {problem}")

    def _without_features(self, call: int, reason: str) -> None:
        """The call teaches nothing, and no variant runs on it."""
        self._measurer.warn(f"{self._request.input}: call {call}: {reason}")
        for variant in self._measurer.offer.variants if self._measurer.offer else ():
            self._store.add_verdict(self._subject, self._key, call, variant, "featureless", reason)

    def _sample(self, sample: Sample) -> None:
        self._check(sample.call)
        offer = self._measurer.offer
        wrong = offer and why_no_metric(sample.metric, offer)
        if wrong:
            self._store.add_verdict(
                self._subject, self._key, sample.call, sample.variant, "failed", wrong
            )
            return
        self._store.add_samples(
            self._subject, self._key, sample.call, sample.variant, sample.metric, self._run
        )
        for name, values in sample.others.items():
            self._store.add_samples(
                self._subject,
                self._key,
                sample.call,
                sample.variant,
                values,
                self._run,
                metric=name,
            )
        if sample.error is not None:
            self._store.add_samples(
                self._subject,
                self._key,
                sample.call,
                sample.variant,
                (sample.error,),
                self._run,
                metric=ERROR,
            )
        if sample.bitwise is not None:
            self._store.add_output(
                self._subject, self._key, sample.call, sample.variant, sample.bitwise
            )
        self._measurer.spent.variant_runs += len(sample.metric)
        if sample.lost_seconds is not None:  # it may have been over at once: no measure of others
            self._store.add_lost_seconds(
                self._subject, self._key, sample.call, sample.variant, sample.lost_seconds
            )
            return
        seen = self._measurer.seconds_seen
        # The records are seen with a delay, so this is an upper bound, which is what a limit needs.
        seconds = time.monotonic() - self._started + 2 * POLL_SECONDS
        seen[sample.call] = min(seconds, seen.get(sample.call, seconds))

    def _metered(self, metered: Metered) -> None:
        """Keeps each reading, and beside it how it came about; says what cannot be known."""
        self._check(metered.call)
        where = self._subject, self._key, metered.call, metered.variant
        for metric, one in metered.readings.items():
            if one.refused:
                self._measurer.warn(
                    f"{self._subject.function}: {metric} cannot be known here, and nothing is "
                    f"learned from it: {one.refused}"
                )
            self._store.add_samples(*where, (one.value,), self._run, metric=metric)
            window = one.window_seconds, one.resolution
            self._store.add_samples(*where, window, self._run, metric=one.how(metric))

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
        if self._measurer.deterministic and self._measurer.offer:
            [known] = [
                e for e in self._store.examples(self._subject, self._key) if e.call == end.call
            ]
            check_is_compared(
                self._subject.function, self._request.input, self._measurer.offer, known
            )

    def _check(self, call: int) -> None:
        if call not in self._known:
            raise LogError(
                f"the training log of {self._request.input} speaks of call {call} before it began"
            )


def _has_features(known: Example, call: Call) -> bool:
    """Whether all features of a call are known, with the same values."""
    return all(
        name in known.features and repr(known.features[name]) == repr(value)
        for name, value in call.features.items()
    )


def _differ(one: float, other: float) -> bool:
    """Whether two values of a feature contradict each other; no value contradicts none."""
    return one != other and not math.isnan(one) and not math.isnan(other)
