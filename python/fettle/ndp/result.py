"""How good a tuned computation is: against every candidate on every input, and the default rule."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.data.delivered_text import delivered_sentence
from fettle.data.failed_text import failed_lines
from fettle.data.score import Score
from fettle.data.tuning_result import FailedVariant, TuningResult
from fettle.ndp.header import DEFAULT
from fettle.training.steadiness import SURE

RESULT = "result.json"  # in the build directory


@dataclass(frozen=True)
class JudgedInput:
    """One input that the model was not fitted on; times in seconds."""

    name: str
    default: float
    tuned: float  # the chosen variant, with the features evaluated for this call
    exhaustive: float  # the best of all candidates, chosen and timed by different samples
    features: float  # what of `tuned` goes to the features
    chosen: str
    best: str  # the chosen one, where it ties with the best
    spread: float = 0.0  # the standard error of the chosen one's time, as a fraction of it


@dataclass(frozen=True)
class Outcome:
    """One computation: what table 5.7 of the dissertation lists, and how good the choices are."""

    function: str
    expression: str
    candidates: int  # that were measured, the default not counted
    dropped: int  # that could not be compiled
    winners: tuple[str, ...]  # the variants of the tuned program, the default first
    features: tuple[str, ...]  # that the model uses
    features_known: tuple[str, ...]
    feature_seconds: float  # of one evaluation of those used
    training_inputs: int
    judged_by: str  # "held-out" or "cross-validated"; "" where there are too few inputs
    inputs: tuple[JudgedInput, ...]
    measuring_seconds: float
    failed: tuple[FailedVariant, ...] = ()  # candidates that are not chosen, as they failed
    unsteady: str = ""  # why nothing is deployed of it, and what stays; empty where it is

    @property
    def share_of_best(self) -> Score:
        """Exhaustive over tuned time, the features not counted."""
        return self._score(1.0)

    @property
    def charged_share_of_best(self) -> Score:
        """The same with the features charged to every call."""
        return self._score(0.0)

    @property
    def over_default(self) -> float:
        """Default over tuned time, geometric mean, the features charged to every call."""
        return _geometric_mean([one.default / one.tuned for one in self.inputs])

    @property
    def possible_over_default(self) -> float:
        """Default over exhaustive time, geometric mean: what a perfect choice would gain."""
        return _geometric_mean([one.default / one.exhaustive for one in self.inputs])

    @property
    def spread(self) -> float:
        """By how much the mean of `share_of_best` may be off: twice its standard error."""
        return SURE * math.sqrt(sum(one.spread**2 for one in self.inputs)) / len(self.inputs)

    def _score(self, without_features: float) -> Score:
        exhaustive = np.array([one.exhaustive for one in self.inputs])
        tuned = np.array([one.tuned - without_features * one.features for one in self.inputs])
        best = np.array([one.chosen == one.best for one in self.inputs])
        return Score.of("tuned", exhaustive / tuned, best)


@dataclass(frozen=True)
class NdpResult:
    """The outcome of tuning a program's computations."""

    platform: str
    header: Path
    build_seconds: float
    outcomes: tuple[Outcome, ...]
    results: tuple[TuningResult, ...]  # of the expert layer, in the same order

    def text(self) -> str:
        """For people; ends with a newline."""
        headlines = [line for line in map(delivered_sentence, self.results) if line is not None]
        parts = [_outcome_text(outcome) for outcome in self.outcomes]
        gap = [""] if headlines else []
        end = f"{self.header} is written; compile the program again with it\n"
        if self.outcomes and all(outcome.unsteady for outcome in self.outcomes):
            end = f"{self.header} stays as it was\n"
        return "\n".join([*headlines, *gap, *parts, end])

    @property
    def unsteady(self) -> bool:
        """Whether the machine was too busy for some of the computations."""
        return any(outcome.unsteady for outcome in self.outcomes)

    def json(self) -> str:
        """Everything, as JSON."""
        return json.dumps(
            {
                "fettle_ndp_result": 1,
                "platform": self.platform,
                "header": str(self.header),
                "build_seconds": self.build_seconds,
                "computations": [_outcome_record(outcome) for outcome in self.outcomes],
            },
            indent=1,
        )


def read_outcomes(path: Path) -> tuple[Outcome, ...]:
    """The computations of a result that was written as JSON."""
    record = json.loads(path.read_text(encoding="utf-8"))
    if record.get("fettle_ndp_result") != 1:
        raise FettleError(f"{path} is not a result of tuning, or one of another version")
    return tuple(_outcome_read(written) for written in record["computations"])


def _outcome_read(written: Mapping[str, Any]) -> Outcome:
    known: dict[str, Any] = {}
    for name in (one.name for one in fields(Outcome)):
        # older results name neither failures nor why nothing was deployed
        value = written.get(name, "" if name == "unsteady" else ())
        known[name] = tuple(value) if isinstance(value, list) else value
    known["inputs"] = tuple(JudgedInput(**one) for one in known["inputs"])
    known["failed"] = tuple(FailedVariant(**one) for one in known["failed"])
    return Outcome(**known)


def _geometric_mean(ratios: Sequence[float]) -> float:
    finite = [ratio for ratio in ratios if np.isfinite(ratio) and ratio > 0]
    return float(np.exp(np.mean(np.log(finite)))) if finite else float("nan")


def _outcome_text(outcome: Outcome) -> str:
    count = counted(outcome.candidates, "candidate")
    if outcome.dropped:
        count += f" ({outcome.dropped} more did not compile)"
    lines = [
        *failed_lines(outcome.function, outcome.failed),
        f"{outcome.function} ({outcome.expression}): {count}, "
        f"{outcome.training_inputs} training inputs, {len(outcome.winners) - 1} winners",
        *(f"  {name}" for name in outcome.winners if name != DEFAULT),
        f"  features: {', '.join(outcome.features) or 'none'} "
        f"({outcome.feature_seconds * 1e9:.0f} ns)",
    ]
    if len(outcome.winners) == 1:
        lines[-1:] = ["  the default rule runs always: nothing is selected at run time"]
    if outcome.unsteady:
        lines[1:] = [f"  {outcome.unsteady}"]
    if not outcome.inputs:
        return "\n".join([*lines, "  too few inputs to judge the model", ""])
    share, charged = outcome.share_of_best, outcome.charged_share_of_best
    qualified = ", of which these figures say nothing" if outcome.unsteady else ""
    impossible = ""
    if share.mean > 1 + outcome.spread:
        impossible = f" (above 1 is an error of measuring, here by {share.mean - 1:.3f})"
    lines += [
        f"  {counted(len(outcome.inputs), f'{outcome.judged_by} input')}{qualified}:",
        f"    tuned / exhaustive: mean {share.mean:.3f}, 5th percentile {share.p5:.3f}, worst "
        f"{share.worst:.3f}; with the features charged {charged.mean:.3f}{impossible}",
        f"    tuned / default: {outcome.over_default:.3f}x (geometric mean, features charged; "
        f"possible {outcome.possible_over_default:.3f}x)",
        "",
    ]
    return "\n".join(lines)


def _outcome_record(outcome: Outcome) -> dict[str, object]:
    record = asdict(outcome)
    if outcome.inputs:
        record["share_of_best"] = asdict(outcome.share_of_best)
        record["charged_share_of_best"] = asdict(outcome.charged_share_of_best)
        record["over_default"] = outcome.over_default
        record["possible_over_default"] = outcome.possible_over_default
    return record
