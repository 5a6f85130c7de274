"""What the samples of one call say: which points may be the best, and which have to run again.

The best of many points that ran a few times is one that was lucky. So the points whose samples
leave it open are measured again, the most promising first, until they can be distinguished, or are
equal, or the budget is spent; and points that cannot be distinguished count as (nearly) equal.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.costs import sample_costs

SURE = 2.0
"""Standard errors between two points from which on they can be distinguished."""
INDIFFERENCE = 0.01
"""Points whose costs differ by less are equal, once both have `ENOUGH` samples."""
ENOUGH = 8
"""More than the program takes at a time: samples that are taken together are disturbed together."""
ENOUGH_OF_LONG, LONG_SECONDS = 3, 0.01
"""As many do where a run is long: what disturbs it for a while does so to each."""
LEADERS = 4
"""So many of the best have `ENOUGH` samples before any two are believed to differ."""
MOST_SAMPLES = 30
"""As in the program's race; points that cannot be distinguished by so many are equal."""
HOPELESS = 1.5
"""A point this many times as expensive as the best is not a rival, however few samples it has."""
SHARE_OF_BUDGET = 3
"""One part in so many of what is left of the budget goes into the next round."""
HALVES = 1.5958  # of the mean distance of the medians of two halves, in errors of the whole's
UNKNOWN_NOISE = 0.1  # where no point has enough samples to tell
LEAST_NOISE = 1e-4  # equal samples are of a clock that is too coarse, or are worked out


class Session(Protocol):
    """Who measures: PointSession."""

    def example(self) -> Example:
        """What is known of the call."""
        ...

    def again(self, names: Sequence[str]) -> None:
        """More samples of points that are known."""
        ...


@dataclass(frozen=True)
class Standing:
    """The samples of the points of one call, as logarithms of costs; only of those that work."""

    samples: dict[str, list[float]]
    are_seconds: bool = False

    @staticmethod
    def of(example: Example, names: Iterable[str], offer: Offer) -> Standing:
        """Of the points of `names` that were measured."""
        found = {name: sample_costs(example, name, offer) for name in names}
        return Standing(
            {
                name: [math.log(cost) for cost in costs]
                for name, costs in found.items()
                if costs and all(map(math.isfinite, costs))
            },
            are_seconds=offer.unit == "s",
        )

    @cached_property
    def medians(self) -> dict[str, float]:
        """The logarithm of each point's cost, the best first."""
        middle = {name: statistics.median(logs) for name, logs in self.samples.items()}
        return dict(sorted(middle.items(), key=lambda one: one[1]))

    @property
    def best(self) -> str:
        """The point with the smallest median. There must be one."""
        return next(iter(self.medians))

    @cached_property
    def noise(self) -> float:
        """The standard error of a median, times the root of its number of samples.

        From each point's earlier samples against its later ones, not from one to the next: a busy
        neighbour slows a point down for many samples on end, and then another.
        """
        limit = self.medians[self.best] + math.log(HOPELESS)
        distances = []
        for name, logs in self.samples.items():
            if len(logs) >= self._enough(name) and self.medians[name] <= limit:
                half = len(logs) // 2
                distance = statistics.median(logs[:half]) - statistics.median(logs[-half:])
                distances.append(abs(distance) * math.sqrt(len(logs)))
        if not distances:
            return LEAST_NOISE if self._is_constant else UNKNOWN_NOISE
        return max(sum(distances) / len(distances) / HALVES, LEAST_NOISE)

    @cached_property
    def _is_constant(self) -> bool:
        """Whether all samples of each point are equal: metrics that are worked out."""
        return max(map(len, self.samples.values())) > 1 and all(
            min(logs) == max(logs) for logs in self.samples.values()
        )

    def _enough(self, name: str) -> int:
        is_long = self.are_seconds and self.medians[name] > math.log(LONG_SECONDS)
        return ENOUGH_OF_LONG if is_long else ENOUGH

    def gap(self, name: str) -> float:
        """How much more than the best a point costs, as a logarithm."""
        return self.medians[name] - self.medians[self.best]

    def error(self, name: str) -> float:
        """The standard error of `gap`."""
        counts = (len(self.samples[name]), len(self.samples[self.best]))
        return self.noise * math.sqrt(sum(1 / count for count in counts))

    def undecided(self) -> list[str]:
        """The points that more samples may tell apart, the best first; empty: all is settled."""
        if len(self.samples) < 2 or self._is_constant:
            return []
        leaders = list(self.medians)[:LEADERS]
        found = [n for n in self.medians if self._is_open(n) or (n in leaders and self._is_new(n))]
        if found and self.best not in found and len(self.samples[self.best]) < MOST_SAMPLES:
            found.insert(0, self.best)
        return found

    def _is_new(self, name: str) -> bool:
        """By chance alone the best of many look too good."""
        few = len(self.samples[name]) < self._enough(name)
        return few and self.gap(name) <= math.log(HOPELESS)

    def _is_open(self, name: str) -> bool:
        gap = self.gap(name)
        if name == self.best or len(self.samples[name]) >= MOST_SAMPLES:
            return False
        if gap > min(SURE * self.error(name), math.log(HOPELESS)):
            return False
        return gap > INDIFFERENCE or self._is_new(name) or self._is_new(self.best)

    def shrunk(self, name: str) -> float:
        """A point's cost, nearer to the best's the less they can be distinguished.

        As James and Stein shrink what was measured towards what is likely: a gap of no more than
        its standard error is none, and one of many stays.
        """
        gap = self.gap(name)
        left = 1.0 - (self.error(name) / gap) ** 2 if gap > INDIFFERENCE else 0.0
        return math.exp(self.medians[self.best] + gap * max(left, 0.0))


def race(
    session: Session,
    names: Sequence[str],
    offer: Offer,
    budget: int,
    is_late: Callable[[], bool] = lambda: False,
) -> None:
    """Runs the points of a call again that may be its best, `budget` times at most.

    Each round is for a third of what is left of the budget, the best points first, so that the
    field gets smaller and the samples of the leaders more. None is begun when it `is_late`.
    """
    wanted = list(names)
    while budget > 0 and not is_late():
        standing = Standing.of(session.example(), wanted, offer)
        asked = standing.undecided()[: max(2, budget // SHARE_OF_BUDGET)][:budget]
        if not asked:
            return
        session.again(asked)
        budget -= len(asked)
        now = session.example().samples
        # One that fails when it runs again would be asked for until the budget is spent.
        stuck = [name for name in asked if len(now[name]) <= len(standing.samples[name])]
        wanted = [name for name in wanted if name not in stuck]


def levelled(example: Example, names: Iterable[str], offer: Offer) -> Example:
    """The call with the costs of points that tie with its best one nearer to that."""
    standing = Standing.of(example, names, offer)
    if len(standing.samples) < 2:
        return example
    samples = dict(example.samples)
    for name in standing.samples:
        if name != standing.best:
            cost = standing.shrunk(name)
            samples[name] = [1.0 / cost if offer.larger_is_better else cost]
    return replace(example, samples=samples)
