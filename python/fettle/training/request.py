"""What the tuner asks a program to measure, as the environment variables that the program reads.

The one writer of FETTLE_TRAINING (docs/formats.md). An option that is None is not sent, so that the
C++ library's own default holds; the defaults stand in one place only.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Literal
from urllib.parse import quote

from fettle.core.errors import FettleError
from fettle.core.numbers import is_number, is_whole

# Everything printable but the four characters that the format itself uses.
_SAFE = "!\"#$&'()*+-./:;<>?@[\\]^_`{|}~"


# The least value of what is counted.
_WHOLE = {"warm_up": 0, "minimum_samples": 1, "maximum_samples": 1, "max_calls": 1}


@dataclass(frozen=True)
class Measuring:
    """How carefully each variant is measured; None leaves the program's default.

    A sample is one run, or the mean of as many as last `sample_s` seconds. Samples are repeated
    until the order of the two best variants is settled at `confidence` (or they differ by less
    than `indifference`), or `budget_s` seconds of one call are spent. A variant may take `limit`
    times as long as the best so far, but always `limit_floor_s` seconds, and `timeout_s` while
    there is no best yet. With `race=False` every variant gets all its samples.
    """

    warm_up: int | None = None
    sample_s: float | None = None
    minimum_samples: int | None = None
    maximum_samples: int | None = None
    budget_s: float | None = None
    limit: float | None = None
    limit_floor_s: float | None = None
    timeout_s: float | None = None
    confidence: float | None = None
    indifference: float | None = None
    race: bool | None = None
    max_calls: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            name, value = field.name, getattr(self, field.name)
            if value is None:
                continue
            if name == "race":
                right, what = isinstance(value, bool), "True or False"
            elif name in _WHOLE:
                least = _WHOLE[name]
                right, what = is_whole(value, least), f"a whole number from {least} on"
            elif name == "confidence":
                right, what = is_number(value) and 0 < value < 1, "a number between 0 and 1"
            else:
                right, what = is_number(value) and value >= 0, "a number >= 0"
            if not right:
                raise FettleError(f"Measuring: {name} must be {what}, not {value!r}")
        fewest, most = self.minimum_samples, self.maximum_samples
        if fewest is not None and most is not None and fewest > most:
            raise FettleError(
                f"Measuring: minimum_samples is {fewest}, more than maximum_samples, {most}"
            )


@dataclass(frozen=True)
class Request:
    """One start of the program: which function, from which call on, without which variants."""

    function: str
    input: str
    mode: Literal["measure", "features", "compare"] = "measure"
    first_call: int = 0
    clocks: tuple[int, ...] = ()  # MHz at which each variant is measured, too
    skip: tuple[str, ...] = ()  # variants of call first_call that are done
    best_seconds: float | None = None  # what the best of the skipped variants takes
    last_call: int | None = None  # no call after this one is measured
    profiler: str | None = None  # to profile in place of measuring: "cuda", or perf's pipes' folder
    points_from: str | None = None  # a pipe with the points of parameters to measure
    candidate: str | None = None  # to compare: the directory of the new model
    deployed: str | None = None  # and of the one that is deployed
    charge: bool = False  # what variants return is a time, to which the selection's is added
    measuring: Measuring = Measuring()

    def text(self) -> str:
        """The value of FETTLE_TRAINING."""
        parts = {
            "function": encoded(self.function),
            "mode": self.mode,
            "clocks": ",".join(map(str, self.clocks)),
            "first_call": str(self.first_call),
            "skip": ",".join(encoded(name) for name in self.skip),
            "best_s": None if self.best_seconds is None else repr(self.best_seconds),
            "profiler": None if self.profiler is None else encoded(self.profiler),
            "points_from": None if self.points_from is None else encoded(self.points_from),
            "candidate": None if self.candidate is None else encoded(self.candidate),
            "deployed": None if self.deployed is None else encoded(self.deployed),
            "charge": "1" if self.charge else None,
            "input": encoded(self.input),
        }
        measuring = self.measuring
        if self.last_call is not None:
            measuring = replace(measuring, max_calls=self.last_call + 1)
        for field in fields(measuring):
            value = getattr(measuring, field.name)
            parts[field.name] = None if value is None else repr(_plain(value))
        return " ".join(f"{key}={value}" for key, value in parts.items() if value)

    def environment(self, log: str) -> dict[str, str]:
        """The variables to add to the program's environment."""
        return {"FETTLE_TRAINING_LOG": log, "FETTLE_TRAINING": self.text()}


def _plain(value: float) -> float:
    return int(value) if isinstance(value, bool) else value


def encoded(text: str) -> str:
    """A name as the program reads it: percent-encoded."""
    return quote(text, safe=_SAFE, errors="surrogateescape")
