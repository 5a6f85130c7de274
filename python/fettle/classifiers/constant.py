"""One variant always: the model where there is nothing to choose by, or choosing does not pay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fettle.classifiers.regret import Indices, best_fixed, shares_of
from fettle.data.training_set import Floats, TrainingSet
from fettle.model.model import ModelInput
from fettle.model.trees import TreePredictor, one_leaf


@dataclass(frozen=True)
class Constant:
    """One variant, whatever the input: a recipe and its own result."""

    variant: int
    costs: tuple[float, ...]

    inputs: tuple[ModelInput, ...] = ()

    def train(self, data: TrainingSet, seed: int) -> Constant:
        """The best fixed variant of `data`."""
        return always_the_best(data)

    @property
    def predictor(self) -> TreePredictor:
        """A tree of one leaf."""
        return one_leaf(self.costs)

    def choose(self, values: Floats) -> Indices:
        """The variant, once a row."""
        return np.full(len(values), self.variant, dtype=np.intp)

    def __str__(self) -> str:
        return "one variant always"


def always_the_best(data: TrainingSet) -> Constant:
    """The best fixed variant as a model."""
    shares = shares_of(data)
    return Constant(best_fixed(data), tuple((1 - shares.mean(axis=0)).tolist()))


@dataclass(frozen=True)
class Always(Constant):
    """A certain variant, whatever is learned."""

    def train(self, data: TrainingSet, seed: int) -> Always:
        """The same."""
        return self


def always_the_default(data: TrainingSet) -> Always | None:
    """The default variant as a model; None where it is not known, or fails on some input."""
    if data.default not in data.variants:
        return None
    default = data.variants.index(data.default)
    shares = shares_of(data)
    if not (shares[:, default] > 0).all():
        return None
    costs = (1 - shares.mean(axis=0)).tolist()
    return Always(default, tuple(0.0 if k == default else 1.0 + c for k, c in enumerate(costs)))
