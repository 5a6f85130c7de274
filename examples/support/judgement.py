"""What was measured on an input and chosen for it, and what many of these come to."""

from __future__ import annotations

import json
import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inputs import family_of
from measured import read_rows, seconds_of, selection_seconds

import fettle

# Features and selection are charged where one call by the best variant takes at least this long;
# below, their cost is that of a call or more, and an application selects once for many calls.
CHARGED_FROM_S = 1e-3


@dataclass(frozen=True)
class Judgement:
    """What the program measured on one input."""

    name: str
    seconds: dict[str, float]
    chosen: str
    reason: str
    selection: float
    tuned: float
    calls: float
    diverging: tuple[str, ...]  # variants that ran and had no result

    @classmethod
    def of(cls, line: str) -> Judgement:
        """From a line of the program's output."""
        row = json.loads(line)
        return cls(
            name=row["input"],
            seconds=seconds_of(row),
            chosen=row["chosen"],
            reason=row["reason"],
            selection=float(row["selection_seconds"]),
            tuned=float(row["tuned_seconds"]),
            calls=float(row["calls"]),
            diverging=tuple(name for name, s in row["seconds"].items() if s == "inf"),
        )

    @property
    def best(self) -> float:
        """Seconds of the best variant; infinite where none has a result."""
        return min(self.seconds.values())

    def share(self, seconds: float) -> float:
        """The share of best of a time."""
        return 0.0 if math.isinf(seconds) else self.best / seconds

    @property
    def free(self) -> float:
        """The share of best of the choice, as if choosing took no time."""
        return self.share(self.tuned)

    @property
    def charged(self) -> float:
        """The same with features and selection, spread over the calls that one choice serves."""
        return self.share(self.tuned + self.selection / self.calls)

    @property
    def headline(self) -> float:
        """With features and selection where a call is long enough, or serves many."""
        is_charged = self.calls > 1 or self.best >= CHARGED_FROM_S
        return self.charged if is_charged else self.free


def fifth_percentile(shares: list[float]) -> float:
    """5 % of the shares are lower."""
    rank = 0.05 * (len(shares) - 1)
    ordered = sorted(shares)
    low = ordered[int(rank)]
    return low + (rank - int(rank)) * (ordered[min(int(rank) + 1, len(ordered) - 1)] - low)


@dataclass(frozen=True)
class Summary:
    """Shares of best over many inputs."""

    fixed: dict[str, list[float]]  # of each variant, if always taken; the best first
    wins: Counter[str]
    chosen: Counter[str]
    free: list[float]
    charged: list[float]
    headline: list[float]
    families: dict[str, float]  # their means

    @classmethod
    def of(cls, judged: Sequence[Judgement]) -> Summary:
        """Of inputs on which some variant has a result."""
        fixed = {v: [j.share(j.seconds[v]) for j in judged] for v in judged[0].seconds}
        families: dict[str, list[float]] = defaultdict(list)
        for one in judged:
            families[family_of(one.name)].append(one.headline)
        return cls(
            dict(sorted(fixed.items(), key=lambda row: -statistics.fmean(row[1]))),
            Counter(min(j.seconds, key=lambda v, j=j: j.seconds[v]) for j in judged),  # type: ignore[misc]
            Counter(j.chosen for j in judged),
            [j.free for j in judged],
            [j.charged for j in judged],
            [j.headline for j in judged],
            {family: statistics.fmean(shares) for family, shares in families.items()},
        )

    @property
    def best_fixed(self) -> str:
        """The variant that is best where one has to be taken always."""
        return next(iter(self.fixed))

    def figures(self) -> dict[str, Any]:
        """For a file."""
        rows = {
            **self.fixed,
            "tuned, selection free": self.free,
            "tuned, selection charged": self.charged,
            "tuned": self.headline,
        }
        return {
            "share": statistics.fmean(self.headline),
            "p5": fifth_percentile(self.headline),
            "worst": min(self.headline),
            "best_fixed": self.best_fixed,
            "best_fixed_share": statistics.fmean(self.fixed[self.best_fixed]),
            "families": self.families,
            "wins": dict(self.wins),
            "chosen": dict(self.chosen),
            "variants": {
                label: {"mean": statistics.fmean(shares), "p5": fifth_percentile(shares)}
                for label, shares in rows.items()
            },
        }


def judge_measured(file: Path, name: str, folder: Path) -> list[Judgement]:
    """What the model in `folder` chooses for the test inputs that measure.py has measured.

    The selection takes the time of the features that the model looks at, as measured there; what
    the model itself takes, some 100 ns, is not in it. Where the choice is excluded or has no
    result, the next best runs, as on_constraint_failure and on_infinite_metric="next_best" have it.
    """
    model = fettle.load(folder / "fettle_models" / name)
    used = {entry.feature for entry in model.model.inputs}
    judged = []
    for row in read_rows(file, "test"):
        seconds = seconds_of(row)
        choice = model.choose({f: float(row["features"][f]) for f in model.features})
        scores = {v: -math.inf if s is None else s for v, s in choice.scores.items()}
        others = sorted(scores, key=lambda v: -scores[v])  # stable: in order of registration
        ranked = [choice.variant, *(v for v in others if v != choice.variant)]
        ranked = [v for v in ranked if row["seconds"][v] != "excluded"]
        lost = [v for v in ranked if math.isinf(seconds[v])]
        tuned = math.inf
        if len(lost) < len(ranked):
            best = next(n for n, v in enumerate(ranked) if not math.isinf(seconds[v]))
            before = sum(row.get("lost_seconds", {}).get(v, 0.0) for v in ranked[:best])
            tuned = seconds[ranked[best]] + before
        judged.append(
            Judgement(
                name=row["input"],
                seconds=seconds,
                chosen=ranked[0],
                reason=choice.reason,
                selection=selection_seconds(row, used),
                tuned=tuned,
                calls=float(row["calls"]),
                diverging=tuple(v for v, s in row["seconds"].items() if s == "inf"),
            )
        )
    return judged
