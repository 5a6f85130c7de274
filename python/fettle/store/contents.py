"""What a store gives back of an input: its runs with their samples, and what came of variants.

`Contents` are as they were brought, `Example` is what the tuner learns from.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Literal

# measured: has samples and needs no more. unmeasured: the call's budget ended before its turn.
# featureless: a feature of the call has no value, so that no variant ran; the reason says which.
Verdict = Literal["measured", "excluded", "failed", "unmeasured", "featureless"]

ERROR = "error"  # the metric of approximate variants


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
