"""A few inputs measured on the target, added to what the sources' models say of it.

The sources' weights are fitted anew, towards those from the device features (ridge regression); a
constant for each variant and a forest learn what they leave over, the less the fewer inputs there
are, so that a handful of measurements does no harm. How much less is found between the sources:
each in turn is the target, with as many of its inputs measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from fettle.core.randomised_trees import RandomisedTrees, randomised_trees
from fettle.data.training_set import Floats
from fettle.transfer.columns import tree_columns
from fettle.transfer.method import masked_share
from fettle.transfer.source_models import SourceModels
from fettle.transfer.sources import WORST, Measured

FOLDS = 5
FEWEST = 15  # to judge whether to trust a model of a machine unlike the sources
TREES = 60
BONUS = 1.0
"""Of the best fixed variant in a model of so many inputs alone, as a gain, over their number."""

Scores = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Shrinkage:
    """How much is believed before anything is measured."""

    prior: float = 0.01
    """The variance of a source's weight around the one from the device features."""
    constants: float = 10.0
    """Inputs that say that the variants' constants are 0."""
    forest: float = 10.0
    """Inputs that say that nothing is left over for the forest."""


PRIORS = (0.003, 0.01, 0.03)
INPUTS = (3.0, 10.0, 30.0)
GRID = tuple(Shrinkage(*one) for one in product(PRIORS, INPUTS, INPUTS))


@dataclass(frozen=True)
class Correction:
    """What was learned on the target beyond the sources' weights from the device features."""

    weights: Floats
    shift: Floats
    """The mean that is left over, of each variant."""
    forest: RandomisedTrees
    """Of what is left over."""
    count: int

    def scores(self, values: Floats, of_sources: Floats, shrinkage: Shrinkage) -> Floats:
        """Centred gains from feature values and what the sources' models say, (m, n, k)."""
        blend = np.tensordot(self.weights, of_sources, 1)
        return self.combined(blend, self.left_over(values, of_sources, blend), shrinkage)

    def left_over(self, values: Floats, of_sources: Floats, blend: Floats) -> Floats:
        """What the forest says that the blend leaves over, (n, k)."""
        left = self.forest.predict(correction_columns(values, of_sources, blend))
        return np.asarray(left).reshape(blend.shape)

    def combined(self, blend: Floats, left: Floats, shrinkage: Shrinkage) -> Floats:
        """The blend, the constants, and of the forest what the constants do not say."""
        shift = self.shift * self.count / (self.count + shrinkage.constants)
        trust = self.count / (self.count + shrinkage.forest)
        found: Floats = blend + shift + trust * (left - shift)
        return found


def corrected(
    of_sources: Floats, here: Measured, wanted: Floats, prior: Floats, variance: float, seed: int
) -> Correction:
    """Learns from measured inputs; `prior` are the sources' weights, `wanted` the gains."""
    weights = _weights(of_sources, wanted, prior, variance)
    blend = np.tensordot(weights, of_sources, 1)
    left = wanted - blend
    columns = correction_columns(here.values, of_sources, blend)
    forest = randomised_trees(columns, left, seed, count=TREES, smallest=1, max_features=0.5)
    return Correction(weights, left.mean(axis=0), forest, len(here))


def refined(
    models: SourceModels,
    prior: Floats,
    here: Measured,
    lacking: NDArray[np.bool_],
    seed: int,
    shrinkage: Shrinkage = Shrinkage(),  # a constant
) -> Scores:
    """A score for each variant from feature values, after measuring the inputs `here`.

    `prior` are the sources' weights. The variants `lacking` are not looked at.
    """
    present = np.flatnonzero(~lacking)
    of_sources = centred(models.gains(here.values)[:, :, present])
    wanted = centred(here.gains()[:, present])
    learned = corrected(of_sources, here, wanted, prior, shrinkage.prior, seed)

    def choose(values: Floats) -> Floats:
        found = np.full((len(values), len(lacking)), -1e9)
        predicted = centred(models.gains(values)[:, :, present])
        found[:, present] = learned.scores(values, predicted, shrinkage)
        return found

    return choose


@dataclass(frozen=True, eq=False)
class OwnModel:
    """A forest of what was measured on the target alone, to which the sources are features."""

    forest: RandomisedTrees
    bonus: Floats
    """Of the best fixed variant, the less the more inputs were measured, (present variants,)."""

    def scores(self, values: Floats, of_sources: Floats) -> Floats:
        """A score for each variant from feature values and what the sources' models say."""
        learned = self.forest.predict(own_columns(values, of_sources))
        return np.asarray(learned).reshape(len(values), -1) + self.bonus


def own_columns(values: Floats, of_sources: Floats) -> Floats:
    """What `OwnModel` sees of each input."""
    return correction_columns(values, of_sources, of_sources.mean(axis=0))


def own_model(of_sources: Floats, here: Measured, gains: Floats, seed: int) -> OwnModel:
    """Learns from `here`, whose gains those of the variants that the target has are."""
    bonus = np.zeros(gains.shape[1])
    bonus[best_column(gains)] = BONUS / len(here)
    columns = own_columns(here.values, of_sources)
    forest = randomised_trees(columns, gains, seed, count=TREES, smallest=2, max_features=0.5)
    return OwnModel(forest, bonus)


def best_column(gains: Floats) -> int:
    """The variant with the best mean share."""
    return int(((gains / WORST + 1) ** 2).mean(axis=0).argmax())


def own_or_fixed(
    models: SourceModels, here: Measured, lacking: NDArray[np.bool_], seed: int
) -> Scores | None:
    """For a machine unlike the sources: a model of `here`, where it beats the best fixed variant.

    None where it does not on the measured inputs, cross-validated.
    """
    if len(here) < FEWEST:
        return None
    present = np.flatnonzero(~lacking)
    of_sources = models.gains(here.values)[:, :, present]
    gains, costs = here.gains()[:, present], here.costs[:, present]
    shares = (gains / WORST + 1) ** 2
    folds = np.random.default_rng(seed).permutation(len(here)) % FOLDS
    gained = 0.0
    for fold in range(FOLDS):
        rest, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        learned = own_model(of_sources[:, rest], here.rows(rest), gains[rest], seed)
        scores = learned.scores(here.values[held], of_sources[:, held])
        fixed = shares[held, best_column(gains[rest])]
        gained += float((masked_share(scores, costs[held]) - fixed).sum())
    if gained <= 0:
        return None
    learned = own_model(of_sources, here, gains, seed)

    def choose(values: Floats) -> Floats:
        found = np.full((len(values), len(lacking)), -1e9)
        found[:, present] = learned.scores(values, models.gains(values)[:, :, present])
        return found

    return choose


def centred(gains: Floats) -> Floats:
    """Gains of each input around their mean over the variants."""
    found: Floats = gains - gains.mean(axis=-1, keepdims=True)
    return found


def _weights(of_sources: Floats, wanted: Floats, prior: Floats, variance: float) -> Floats:
    """The sources' weights: the most probable ones, given the prior and the measured inputs."""
    flat = of_sources.reshape(len(prior), -1)
    left = wanted.reshape(-1) - prior @ flat
    noise = max(float((left**2).mean()), 1e-4)
    matrix = flat @ flat.T / noise + np.eye(len(prior)) / variance
    return np.asarray(prior + np.linalg.solve(matrix, flat @ left / noise))


def correction_columns(values: Floats, of_sources: Floats, blend: Floats) -> Floats:
    """What the forest sees of each input."""
    flat = np.moveaxis(of_sources, 0, 1).reshape(len(values), -1)
    return np.hstack([tree_columns(values), flat, blend])
