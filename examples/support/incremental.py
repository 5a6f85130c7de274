"""How many measured inputs a model needs: the tuner's order of inputs beside a random one."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from measured import Row, seconds_of

from fettle import TreeClassifier
from fettle.classifiers.base import Fit
from fettle.data.score import Score
from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.training.active import Goal, Learner
from fettle.training.program import Input
from fettle.training.trainer import Learned, Trainer

FULL = 0.01  # of the share of best that all inputs give may be lacking


class RandomOrder(Learner):
    """Measures inputs in the order in which they are given."""

    def _farthest(self) -> int:
        return self._pool[0]

    def _most_uncertain(self, model: object) -> int:
        return self._pool[0]


@dataclass(frozen=True)
class FixedTrainer(Trainer):
    """Fits a tree with the parameters that a search on all inputs has found, without a search."""

    full: Fit | None = None

    def learn(
        self,
        data: TrainingSet,
        features: tuple[str, ...] | None = None,
        like: Learned | None = None,
    ) -> Learned:
        """A model, not judged."""
        assert self.full is not None
        fitted = self.full.searched.recipe.train(data, self.seed)
        model = replace(self.full.model, inputs=fitted.inputs, predictor=fitted.predictor)
        return Learned(model, None, 0.0)


class Replay:
    """Learns again and again from measurements that are there already, and judges each model."""

    def __init__(self, data: TrainingSet, test: Sequence[Row]) -> None:
        self.data = data
        tree = TreeClassifier()
        self.trainer = FixedTrainer(tree, full=tree.fit_and_judge(data))
        seconds = np.array([list(seconds_of(row).values()) for row in test])
        solved = np.isfinite(seconds).any(axis=1)
        self.seconds = seconds[solved]
        values = [[float(row["features"][f]) for f in data.features] for row in test]
        self.values = np.array(values)[solved]

    def judge(self, learned: Learned) -> Score:
        """The shares of best on the test inputs; 0 where the choice has no result."""
        chosen = self.trainer.choose(learned.model, self.values)
        shares = self.seconds.min(axis=1) / self.seconds[np.arange(len(chosen)), chosen]
        return Score.of("chosen", shares, shares == 1.0)

    def full(self) -> float:
        """The mean share of best of a model that has learned from all inputs."""
        return self.judge(self.trainer.learn(self.data)).mean

    def curve(self, kind: type[Learner], seed: int) -> dict[int, float]:
        """The mean share of best after each number of measured inputs, up to about half of them,
        which a seed puts in order."""
        order = np.random.default_rng(seed).permutation(len(self.data))
        data = self.data.rows(order)
        places = {name: place for place, name in enumerate(data.inputs)}
        learner = kind(
            [Input(name, (name,)) for name in data.inputs],
            [row[None, :] for row in data.values],
            (),
            list,
            lambda given: data.rows([places[one.name] for one in given]),
            self.trainer,
            self.judge,
            lambda _: None,
        )
        learner.learn(Goal(len(data) // 2, None))
        return {step.inputs: step.share_of_best for step in learner.steps}


def mean_curve(curves: Sequence[dict[int, float]]) -> list[tuple[int, float]]:
    """The mean of curves, where all of them have values."""
    first = max(min(curve) for curve in curves)
    last = min(max(curve) for curve in curves)
    return [
        (count, float(np.mean([c[max(n for n in c if n <= count)] for c in curves])))
        for count in range(first, last + 1)
    ]


def inputs_for(curve: Sequence[tuple[int, float]], quality: float) -> int | None:
    """After how many inputs the curve reaches `quality`; None where it does not."""
    return next((count for count, share in curve if share >= quality), None)


def incremental(data: TrainingSet, test: Sequence[Row], repetitions: int) -> dict[str, object]:
    """Both curves, and how many inputs full quality takes in either order."""
    warnings.simplefilter("ignore", TrainingWarning)  # few inputs teach little
    replay = Replay(data, test)
    curves = {
        name: mean_curve([replay.curve(kind, seed) for seed in range(repetitions)])
        for name, kind in (("itune", Learner), ("random", RandomOrder))
    }
    full = replay.full()
    return {
        "repetitions": repetitions,
        "inputs": len(data),
        "full": full,
        "needed": {name: inputs_for(curve, full - FULL) for name, curve in curves.items()},
        "curves": curves,
    }
