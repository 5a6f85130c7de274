"""A few inputs measured on the target, added to what the sources' models say of it.

The sources' weights are fitted anew, towards those from the device features (ridge regression); a
forest learns what they leave over. What is taken is cross-validated on the measured inputs: it has
to beat what is there without them, so that a handful of measurements does no harm.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import Floats
from fettle.transfer.columns import tree_columns
from fettle.transfer.method import masked_share
from fettle.transfer.source_models import SourceModels
from fettle.transfer.sources import Measured

PRIOR = 0.1
"""The variance of a source's weight around the one from the device features."""
FOLDS = 5
FEWEST_FOR_FOREST = 15
TREES = 60

Scores = Callable[[Floats], Floats]


def refined(
    models: SourceModels, prior: Floats, here: Measured, lacking: NDArray[np.bool_], seed: int
) -> Scores:
    """A score for each variant from feature values, after measuring the inputs `here`.

    `prior` are the sources' weights. The variants `lacking` are not looked at.
    """
    present = np.flatnonzero(~lacking)
    wanted = _centred(here.gains()[:, present])
    of_sources = _centred(models.gains(here.values)[:, :, present])

    def learned(rows: NDArray[np.intp], with_forest: bool) -> Callable[[Floats, Floats], Floats]:
        weights = _weights(of_sources[:, rows], wanted[rows], prior)
        shift = (wanted[rows] - np.tensordot(weights, of_sources[:, rows], 1)).mean(axis=0)
        shift *= len(rows) / (len(rows) + 10)
        forest = None
        if with_forest:
            forest = _forest(here.values[rows], of_sources[:, rows], wanted[rows], seed)

        def scores(values: Floats, predicted: Floats) -> Floats:
            found: Floats = np.tensordot(weights, predicted, 1) + shift
            if forest is not None:
                found = (found + 2 * forest(values, predicted)) / 3
            return found

        return scores

    with_forest = len(here) >= FEWEST_FOR_FOREST
    final = learned(np.arange(len(here)), with_forest)

    def choose(values: Floats) -> Floats:
        found = np.full((len(values), len(lacking)), -1e9)
        predicted = _centred(models.gains(values)[:, :, present])
        found[:, present] = final(values, predicted)
        return found

    return choose


def own_or_fixed(
    models: SourceModels, prior: Floats, here: Measured, lacking: NDArray[np.bool_], seed: int
) -> Scores | None:
    """For a machine unlike the sources: `refined`, where it surely beats the best fixed variant.

    None where it does not on the measured inputs, cross-validated.
    """
    folds = np.random.default_rng(seed).permutation(len(here)) % min(FOLDS, len(here))
    if len(here) < FEWEST_FOR_FOREST:
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


def _weights(of_sources: Floats, wanted: Floats, prior: Floats) -> Floats:
    """The sources' weights: the most probable ones, given the prior and the measured inputs."""
    flat = of_sources.reshape(len(prior), -1)
    left = wanted.reshape(-1) - prior @ flat
    noise = max(float((left**2).mean()), 1e-4)
    matrix = flat @ flat.T / noise + np.eye(len(prior)) / PRIOR
    return np.asarray(prior + np.linalg.solve(matrix, flat @ left / noise))


def _forest(
    values: Floats, of_sources: Floats, wanted: Floats, seed: int
) -> Callable[[Floats, Floats], Floats]:
    """A forest on an input's features and what the sources' models say of it."""
    from sklearn.ensemble import ExtraTreesRegressor

    def table(some: Floats, predicted: Floats) -> Floats:
        flat = np.moveaxis(predicted, 0, 1).reshape(len(some), -1)
        return np.hstack([tree_columns(some), flat])

    grown = ExtraTreesRegressor(
        TREES, min_samples_leaf=2, max_features=0.5, random_state=seed, n_jobs=1
    ).fit(table(values, of_sources), wanted)
    width = wanted.shape[1]
    return lambda some, predicted: grown.predict(table(some, predicted)).reshape(len(some), width)


def _centred(gains: Floats) -> Floats:
    found: Floats = gains - gains.mean(axis=-1, keepdims=True)
    return found
