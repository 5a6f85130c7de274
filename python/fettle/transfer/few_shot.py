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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import Floats
from fettle.transfer.columns import tree_columns
from fettle.transfer.method import masked_share
from fettle.transfer.source_models import SourceModels
from fettle.transfer.sources import Measured

FOLDS = 5
FEWEST = 15  # to judge whether to trust a model of a machine unlike the sources
TREES = 60

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
    forest: Any
    """Of what is left over."""
    count: int

    def scores(self, values: Floats, of_sources: Floats, shrinkage: Shrinkage) -> Floats:
        """Centred log shares from feature values and what the sources' models say, (m, n, k)."""
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
    """Learns from measured inputs; `prior` are the sources' weights, `wanted` the log shares."""
    from sklearn.ensemble import ExtraTreesRegressor

    weights = _weights(of_sources, wanted, prior, variance)
    blend = np.tensordot(weights, of_sources, 1)
    left = wanted - blend
    forest = ExtraTreesRegressor(TREES, max_features=0.5, random_state=seed, n_jobs=1).fit(
        correction_columns(here.values, of_sources, blend), left
    )
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


def own_or_fixed(
    models: SourceModels, prior: Floats, here: Measured, lacking: NDArray[np.bool_], seed: int
) -> Scores | None:
    """For a machine unlike the sources: `refined`, where it surely beats the best fixed variant.

    None where it does not on the measured inputs, cross-validated.
    """
    folds = np.random.default_rng(seed).permutation(len(here)) % min(FOLDS, len(here))
    if len(here) < FEWEST:
        return None
    gained = np.zeros(len(here))
    shares = here.shares()
    for fold in range(FOLDS):
        rest, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        scores = refined(models, prior, here.rows(rest), lacking, seed)
        reached = masked_share(scores(here.values[held]), here.costs[held])
        fixed = int(shares[rest].mean(axis=0).argmax())
        gained[held] = reached - shares[held, fixed]
    error = gained.std() / np.sqrt(len(gained))
    if gained.mean() <= error:
        return None
    return refined(models, prior, here, lacking, seed)


def centred(gains: Floats) -> Floats:
    """Log shares of each input around their mean over the variants."""
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
