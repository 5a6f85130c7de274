"""What the tuner asks of a store of measurements, whatever keeps them.

A store keeps each record the moment it arrives, so that a tuner killed at any time, or a power cut,
loses nothing but what the program wrote since the tuner last looked. Records of one `Subject` never
mix with those of another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from fettle.core.errors import FettleError
from fettle.store.contents import Contents, Example, Run, StoredRun, Verdict
from fettle.store.subject import InputKey, Offer, Subject


class StoreError(FettleError):
    """The store cannot be read or written; what it held before stays."""


class Store(Protocol):
    """Where measurements live. Every method may raise StoreError; writes are durable on return.

    Not for use by several threads at a time. A context manager that closes it.
    """

    @property
    def place(self) -> str:
        """Where it is, for people: a file, or a server without its password."""

    @property
    def guid(self) -> str:
        """What tells this store from all others; a copy of it has the same."""

    def subjects(self) -> list[Subject]:
        """What there are measurements of, in the order in which they were first seen."""

    def inputs(self, subject: Subject) -> list[InputKey]:
        """The inputs of a subject, in the order in which they were first seen."""

    def examples(self, subject: Subject, given: InputKey) -> list[Example]:
        """All calls of an input so far, by number."""

    def finished_calls(self, subject: Subject, given: InputKey) -> int | None:
        """How many calls the input makes; None while the program has not yet run to its end."""

    def starts(self, subject: Subject, given: InputKey) -> int:
        """How many runs (starts of the program) have brought samples of an input."""

    def contents(self, subject: Subject, given: InputKey) -> Contents:
        """All that is held of an input, as `fettle.store.merge` and `export` pass it on."""

    def add_call(
        self,
        subject: Subject,
        given: InputKey,
        call: int,
        features: Mapping[str, float],
        feature_seconds: Mapping[str, float],
    ) -> None:
        """Keeps the features of a call, in place of what was known of them."""

    def add_run(self, subject: Subject, given: InputKey, run: Run) -> None:
        """Keeps a run, which may bring verdicts without samples; nothing where it is known."""

    def add_rows(self, subject: Subject, given: InputKey, stored: StoredRun) -> None:
        """Keeps a run of another store with its rows, under their numbers; known rows stay."""

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
        """Keeps more samples of a variant, in a run: without one, in the last run of the input.

        `metric` names what was measured beside the function's own metric, which is "".
        """

    def add_lost_seconds(
        self, subject: Subject, given: InputKey, call: int, variant: str, seconds: float
    ) -> None:
        """Keeps the time of a run in which a variant returned an infinite metric."""

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

    def add_output(
        self, subject: Subject, given: InputKey, call: int, variant: str, same_bits: bool
    ) -> None:
        """Keeps whether a variant's output equals the default's bit by bit; one False stays."""

    def forget_verdicts(
        self, subject: Subject, given: InputKey, call: int, variants: Sequence[str]
    ) -> None:
        """Drops verdicts of variants, which are measured again then; their samples stay."""

    def finish(self, subject: Subject, given: InputKey, calls: int) -> None:
        """Keeps that the program ran to its end with this number of calls."""

    def forget_failures(self, subject: Subject) -> None:
        """Drops failed variants with their samples, and calls without features: both come again."""

    def forget_variants(
        self, subject: Subject, variants: Sequence[str], with_points: Sequence[str]
    ) -> None:
        """Drops what is known of variants on all inputs, of those `with_points` all points too.

        With it go notes whose keys name the subject and then one of its inputs: searches and second
        rounds are run again.
        """

    def forget_features(self, subject: Subject) -> None:
        """Drops all features, and all that is known of inputs that make several calls.

        Which calls are alike, so that one of them is measured, depends on the features. Notes go as
        with `forget_variants`.
        """

    def forget(self, subject: Subject) -> None:
        """Drops everything that is known of a subject, notes whose key names it included."""

    def offer(self, subject: Subject) -> Offer | None:
        """What the program offered when it was last seen."""

    def set_offer(self, subject: Subject, offer: Offer) -> None:
        """Keeps what the program offers."""

    def note(self, key: str) -> str | None:
        """A small fact kept between runs of the tuner."""

    def set_note(self, key: str, value: str | None) -> None:
        """Keeps a small fact; None drops it. A fact of a subject has `str(subject)` in its key."""

    def notes(self) -> dict[str, str]:
        """All small facts, without those of the store itself (its format, its guid)."""

    def forgotten(self) -> set[str]:
        """The guids of runs that were deleted here: they do not come back from other stores."""

    def digest(self, path: Path) -> str:
        """A digest of a file's content, remembered while its size and time of change stay."""

    def together(self) -> AbstractContextManager[None]:
        """What is written within is durable at the end of it, at the cost of one write."""

    def other_tuners(self) -> list[str]:
        """Other tuners that work with this store now, each as a text for people."""

    def warnings(self) -> list[str]:
        """What is to be feared for measurements in this store, each as a text for people."""

    def close(self) -> None:
        """Ends the use of the store."""

    def __enter__(self) -> Store:
        """The store."""

    def __exit__(self, *_: object) -> None:
        """Ends the use of the store."""
