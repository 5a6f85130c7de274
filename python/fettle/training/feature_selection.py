"""Which features are worth their evaluation time (dissertation 2.4.3, figure 2.7).

`feature_curve` adds features in order of cost; `select_features` drops those that the model does
better without once their time is charged. Both by cross-validation: one search for parameters, with
all features, and about d*d/2 fits with those parameters for d features.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fettle.classifiers.regret import NEGLIGIBLE
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import CurvePoint, FeatureCurve
from fettle.training.trainer import Learned, Trainer


def select_features(
    trainer: Trainer,
    data: TrainingSet,
    *,
    tell: Callable[[str], None] = lambda _: None,
) -> FeatureCurve | None:
    """The curve of figure 2.7 and the features to keep; None with too few inputs to judge.

    A feature's time is spread over the calls that share a selection (`calls` of the classifier).
    Where costs are not seconds it counts nothing. `tell` hears of each step.
    """
    judge = _Judge(trainer, data)
    by_cost = tuple(data.features[i] for i in np.argsort(data.feature_seconds, kind="stable"))
    points = []
    for count in range(1, len(by_cost) + 1):
        features = _ordered(data, by_cost[:count])
        scored = judge.score(features)
        if scored is None:
            return None
        tell(f"features: {', '.join(features)}: share of best {scored.net:.4f}")
        point = CurvePoint(
            by_cost[count - 1], features, judge.seconds(features), scored.share, scored.net
        )
        points.append(point)
    if not points:
        return None
    kept = _best_set(judge, data, [point.features for point in points])
    scored = judge.score(kept)
    assert scored is not None
    return FeatureCurve(tuple(points), kept, scored.net)


@dataclass(frozen=True)
class _Score:
    share: float
    net: float


@dataclass
class _Judge:
    """Scores sets of features, each once."""

    trainer: Trainer
    data: TrainingSet
    known: dict[frozenset[str], _Score | None] = field(default_factory=dict)

    @cached_property
    def whole(self) -> Learned:
        """What is learned with all features."""
        return self.trainer.learn(self.data)

    def score(self, features: tuple[str, ...]) -> _Score | None:
        key = frozenset(features)
        if key not in self.known:
            learned = self.whole
            if key != frozenset(self.data.features):
                learned = self.trainer.learn(self.data, features, self.whole)
            score = learned.score
            self.known[key] = None if score is None else _Score(score.mean, learned.net)
        return self.known[key]

    def net(self, features: tuple[str, ...]) -> float:
        scored = self.score(features)
        return scored.net if scored else 0.0

    def seconds(self, features: tuple[str, ...]) -> float:
        return float(np.median(self.data.evaluation_seconds(features)))


def _best_set(judge: _Judge, data: TrainingSet, curve: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Backward elimination, then forward steps, from the whole set; or a better curve point."""
    kept = _backward(judge, data, data.features)
    kept = _forward(judge, data, kept)
    # Ties go to the set that costs less time.
    return max(
        [kept, *curve],
        key=lambda features: (round(judge.net(features) / NEGLIGIBLE), -judge.seconds(features)),
    )


def _backward(judge: _Judge, data: TrainingSet, kept: tuple[str, ...]) -> tuple[str, ...]:
    while len(kept) > 1:
        smaller = [tuple(f for f in kept if f != dropped) for dropped in kept]
        best = max(smaller, key=lambda s: (judge.net(s), -judge.seconds(s)))
        if judge.net(best) < judge.net(kept) - NEGLIGIBLE:
            break
        kept = best
    return kept


def _forward(judge: _Judge, data: TrainingSet, kept: tuple[str, ...]) -> tuple[str, ...]:
    while len(kept) < len(data.features):
        larger = [_ordered(data, (*kept, f)) for f in data.features if f not in kept]
        best = max(larger, key=judge.net)
        if judge.net(best) <= judge.net(kept) + NEGLIGIBLE:
            break
        kept = best
    return kept


def _ordered(data: TrainingSet, features: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in data.features if name in features)
