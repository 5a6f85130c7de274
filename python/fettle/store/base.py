"""What the tuner asks of a store of measurements, and the values that it gives back.

A store keeps each record the moment it arrives, so that a tuner killed at any time, or a power cut,
loses nothing but what the program wrote since the tuner last looked. Records of one `Subject` never
mix with those of another.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from fettle.core.errors import FettleError

# measured: has samples and needs no more. unmeasured: the call's budget ended before its turn.
# featureless: a feature of the call has no value, so that no variant ran; the reason says which.
Verdict = Literal["measured", "excluded", "failed", "unmeasured", "featureless"]


ERROR = "error"  # the metric of approximate variants


class StoreError(FettleError):
    """The store cannot be read or written; what it held before stays."""


@dataclass(frozen=True)
class Subject:
    """What measurements are of: program, function, machine, and the policy that bears on them."""

    program: str
    function: str
    machine: str
    conditions: str


@dataclass(frozen=True)
class InputKey:
    """An input: the arguments as one text, and a digest of the files that they name."""

    arguments: str
    content: str


@dataclass(frozen=True)
class Offer:
    """What the program offered for tuning when it was last seen."""

    variants: tuple[str, ...]
    features: tuple[str, ...]
    default: str
    unit: str
    larger_is_better: bool
    machine: dict[str, str]
    parameters: dict[str, Any] = field(default_factory=dict)  # as the log's header says them
    versions: dict[str, str] = field(default_factory=dict)  # of variants that state one
    metrics: dict[str, str] = field(default_factory=dict)  # several: names, the own first; units
    quality: dict[str, Any] = field(default_factory=dict)  # `approximate` variants and the `bound`

    @property
    def approximate(self) -> tuple[str, ...]:
        """The variants whose output may differ from the default's."""
        return tuple(self.quality.get("approximate", ()))

    @property
    def bound(self) -> float | None:
        """The largest error of a result; None where the program gives none."""
        found: float | None = self.quality.get("bound")
        return found


@dataclass(frozen=True)
class Run:
    """One start of the program, in whatever store: what tells it from all others, where it was.

    `host` is the machine's name in the network, `device` the GPU by its UUID (empty: none is used),
    `fettle` the version of the tuner, `began` the host's own time in ISO 8601.
    """

    guid: str = field(default_factory=lambda: uuid.uuid4().hex)
    host: str = ""
    device: str = ""
    fettle: str = ""
    began: str = ""


@dataclass(frozen=True)
class Row:
    """What one record brought: values of a metric of a variant; the metric "" is the function's.

    `number` is its index in its run, which it keeps when others are deleted.
    """

    number: int
    call: int
    variant: str
    metric: str
    values: tuple[float, ...]


@dataclass
class StoredRun:
    """A run with its samples. `count` is how many rows it has ever had, deleted ones included."""

    run: Run
    count: int = 0
    rows: list[Row] = field(default_factory=list)


@dataclass
class Contents:
    """All that a store holds of an input, as it was brought: plain data, equal in all stores."""

    calls: int | None = None
    features: dict[int, tuple[dict[str, float], dict[str, float]]] = field(default_factory=dict)
    verdicts: dict[tuple[int, str], tuple[Verdict, str]] = field(default_factory=dict)
    bitwise: dict[tuple[int, str], bool] = field(default_factory=dict)
    lost_seconds: dict[tuple[int, str], float] = field(default_factory=dict)
    runs: dict[str, StoredRun] = field(default_factory=dict)  # by guid, in the order of arrival


@dataclass
class Example:
    """One call on one input: features, and what is known of each variant.

    Samples of several starts of the program are as `starts.comparable` makes them.
    """

    call: int
    features: dict[str, float]
    feature_seconds: dict[str, float]
    samples: dict[str, list[float]] = field(default_factory=dict)
    verdicts: dict[str, tuple[Verdict, str]] = field(default_factory=dict)  # with the reason
    bitwise: dict[str, bool] = field(default_factory=dict)  # is its output the default's?
    lost_seconds: dict[str, float] = field(default_factory=dict)  # of runs to an infinite metric
    others: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    """The samples of each variant by metrics other than the function's own, as they were taken."""

    @property
    def featureless(self) -> str:
        """Why the call has no features to learn from; empty where it has."""
        reasons = (why for verdict, why in self.verdicts.values() if verdict == "featureless")
        return next(reasons, "")


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
        """Says what came of a variant; the first holds, but for a failure when it runs again."""

    def add_output(
        self, subject: Subject, given: InputKey, call: int, variant: str, same_bits: bool
    ) -> None:
        """Says whether a variant's output was the default's bit by bit; once it was not stays."""

    def forget_verdicts(
        self, subject: Subject, given: InputKey, call: int, variants: Sequence[str]
    ) -> None:
        """Drops what came of variants; their samples stay, and they are to be measured again."""

    def finish(self, subject: Subject, given: InputKey, calls: int) -> None:
        """Says that the program ran to its end with this number of calls."""

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
