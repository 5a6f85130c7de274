"""The records of a training log, as values: what a program says while it is trained."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Header:
    """First line of a log: what the program offers for tuning."""

    function: str
    variants: tuple[str, ...]
    features: tuple[str, ...]
    default: str
    unit: str
    larger_is_better: bool
    machine: dict[str, str]
    program: str
    parameters: dict[str, Any] = field(default_factory=dict)  # of variants that have any
    versions: dict[str, str] = field(default_factory=dict)  # of variants that state one
    policy: dict[str, object] = field(default_factory=dict)  # the options compiled in
    metrics: dict[str, str] = field(default_factory=dict)  # several: their names and units
    quality: dict[str, Any] = field(default_factory=dict)  # `approximate` variants and the `bound`


@dataclass(frozen=True)
class Call:
    """A call of the function begins; the values of its features and what they took, in seconds."""

    call: int
    input: str
    features: dict[str, float]
    feature_seconds: dict[str, float]
    feature_problems: dict[str, str] = field(default_factory=dict)  # why a feature has no value


@dataclass(frozen=True)
class Start:
    """A batch of runs of a variant begins and may take `limit_seconds`."""

    call: int
    variant: str
    limit_seconds: float


@dataclass(frozen=True)
class Sample:
    """A batch of runs has ended; one metric value a run, and one of each other metric.

    `bitwise`: whether the first run's output was the default's bit by bit; None: not compared.
    """

    call: int
    variant: str
    metric: tuple[float, ...]
    lost_seconds: float | None = None  # of a run that came to an infinite metric
    bitwise: bool | None = None
    others: dict[str, tuple[float, ...]] = field(default_factory=dict)  # of several metrics
    error: float | None = None  # of an approximate variant's output


@dataclass(frozen=True)
class Reading:
    """What a meter says of a run by one metric, and how it knows; `refused`: why it does not."""

    value: float
    sensor: str
    method: str
    window_seconds: float
    resolution: float
    note: str = ""
    refused: str = ""

    def how(self, metric: str) -> str:
        """The name under which the store keeps how the values of a metric came about."""
        said = f"refused: {self.refused}" if self.refused else self.method
        said += f" ({self.note})" if self.note else ""
        return f"{metric} by {self.sensor or 'no sensor'}: {said}"


@dataclass(frozen=True)
class Metered:
    """Meters have run around a variant: a reading by each of their metrics."""

    call: int
    variant: str
    readings: dict[str, Reading]


@dataclass(frozen=True)
class Excluded:
    """A constraint rules the variant out for this call."""

    call: int
    variant: str
    reason: str


@dataclass(frozen=True)
class Failed:
    """The variant threw, or its result is wrong."""

    call: int
    variant: str
    reason: str


@dataclass(frozen=True)
class Measured:
    """A point of a variant's parameters has all its samples."""

    call: int
    variant: str


@dataclass(frozen=True)
class End:
    """The call is completely measured."""

    call: int
    outcome: str
    best: str


@dataclass(frozen=True)
class Misuse:
    """The program cannot be trained as it is written."""

    reason: str


Record: TypeAlias = (
    Header | Call | Start | Sample | Metered | Excluded | Failed | Measured | End | Misuse
)
