"""What the samples of one call say: which points may be the best, and which have to run again.

The best of many points that ran a few times is one that was lucky. So the points whose samples
leave it open are measured again, the most promising first, until they are told apart, or are equal,
or the budget is spent; and points that were not told apart count as (nearly) equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from fettle.store.base import Example, Offer
from fettle.training.examples import sample_costs

SURE = 2.0
"""Standard errors between two points that are told apart."""
INDIFFERENCE = 0.01
"""Points whose costs differ by less are equal, once both have `ENOUGH` samples."""
ENOUGH = 8
MOST_SAMPLES = 30
"""As in the program's own race; who is not told apart by so many is equal."""
HOPELESS = 1.5
"""A point this many times as expensive as the best is no rival, however few samples it has."""
SHARE_OF_BUDGET = 3
"""One part in so many of what is left of the budget goes into the next round."""
MEDIAN_ERROR = 1.2533  # of a median's standard error, times that of a mean of normal samples
MEDIAN_DISTANCE = 0.9539  # of the median distance of two normal samples, in standard deviations
UNKNOWN_NOISE = 0.05  # where no point has two samples
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

    @staticmethod
    def of(example: Example, names: Iterable[str], offer: Offer) -> Standing:
        """Of the points of `names` that were measured."""
        found = {name: sample_costs(example, name, offer) for name in names}
        return Standing(
            {
                name: [math.log(cost) for cost in costs]
                for name, costs in found.items()
                if costs and all(map(math.isfinite, costs))
            }
        )

    @cached_property
    def medians(self) -> dict[str, float]:
        """The logarithm of each point's cost, the best first."""
        middle = {name: float(np.median(logs)) for name, logs in self.samples.items()}
        return dict(sorted(middle.items(), key=lambda one: one[1]))

    @property
    def best(self) -> str:
        """The point with the smallest median. There must be one."""
        return next(iter(self.medians))

    @cached_property
    def noise(self) -> float:
        """The standard deviation of a sample, relative to its cost, among the best points.

        From a point's earlier samples against its later ones: those of one batch are alike.
        """
        distances: list[float] = []
        limit = self.medians[self.best] + math.log(HOPELESS)
        for name, logs in self.samples.items():
            half = len(logs) // 2
            if half and self.medians[name] <= limit:
                distances += [abs(a - b) for a, b in zip(logs, logs[-half:], strict=False)]
        if not distances:
            return UNKNOWN_NOISE
        return max(float(np.median(distances)) / MEDIAN_DISTANCE, LEAST_NOISE)

    def gap(self, name: str) -> float:
        """How much more than the best a point costs, as a logarithm."""
        return self.medians[name] - self.medians[self.best]

    def error(self, name: str) -> float:
        """The standard error of `gap`."""
        counts = (len(self.samples[name]), len(self.samples[self.best]))
        return MEDIAN_ERROR * self.noise * math.sqrt(sum(1 / count for count in counts))

    def undecided(self) -> list[str]:
        """The points that more samples may tell apart, the best first; empty: all is settled."""
        if len(self.samples) < 2:
            return []
        found = [name for name in self.medians if name != self.best and self._is_open(name)]
        count = len(self.samples[self.best])
        if count < (MOST_SAMPLES if found else ENOUGH) and not self._is_exact(self.best):
            found.insert(0, self.best)  # by chance alone the best of many looks too good
        return found

    def _is_open(self, name: str) -> bool:
        counts = (len(self.samples[name]), len(self.samples[self.best]))
        gap = self.gap(name)
        if counts[0] >= MOST_SAMPLES or gap > min(SURE * self.error(name), math.log(HOPELESS)):
            return False
        return gap > INDIFFERENCE or (min(counts) < ENOUGH and not self._is_exact(name))

    def _is_exact(self, name: str) -> bool:
        """Whether chance plays no part in a point's cost."""
        return self.noise / math.sqrt(len(self.samples[name])) < INDIFFERENCE / SURE

    def shrunk(self, name: str) -> float:
        """A point's cost, nearer to the best's the less it can be told from it.

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
    """The call with the costs of points that cannot be told from its best one nearer to that."""
    standing = Standing.of(example, names, offer)
    if len(standing.samples) < 2:
        return example
    samples = dict(example.samples)
    for name in standing.samples:
        if name != standing.best:
            cost = standing.shrunk(name)
            samples[name] = [1.0 / cost if offer.larger_is_better else cost]
    return replace(example, samples=samples)
