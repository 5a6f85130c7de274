"""A few inputs measured on the target, added to what the sources' models say of it.

The sources' weights are fitted anew, towards those from the device features (ridge regression); a
constant for each variant and a forest learn what they leave over, the less the fewer inputs there
are, so that a handful of measurements does no harm.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import Floats
from fettle.transfer.columns import tree_columns
from fettle.transfer.method import masked_share
from fettle.transfer.source_models import SourceModels
from fettle.transfer.sources import Measured

PRIOR = 0.01
"""The variance of a source's weight around the one from the device features."""
FOLDS = 5
FEWEST = 15  # to judge whether to trust a model of a machine unlike the sources
TREES = 60
SHRUNK_BY = 10.0  # inputs that say that nothing is left over: for the constants
FOREST_SHRUNK_BY = 3.0

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

    weights = _weights(of_sources, wanted, prior)
    blend = np.tensordot(weights, of_sources, 1)
    shift = (wanted - blend).mean(axis=0) * len(here) / (len(here) + SHRUNK_BY)
    forest = _forest(_columns(here.values, of_sources, blend), wanted - blend - shift, seed)
    trust = len(here) / (len(here) + FOREST_SHRUNK_BY)

    def choose(values: Floats) -> Floats:
        found = np.full((len(values), len(lacking)), -1e9)
        predicted = _centred(models.gains(values)[:, :, present])
        blend = np.tensordot(weights, predicted, 1)
        left = forest.predict(_columns(values, predicted, blend)).reshape(blend.shape)
        found[:, present] = blend + shift + trust * left
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


def _weights(of_sources: Floats, wanted: Floats, prior: Floats) -> Floats:
    """The sources' weights: the most probable ones, given the prior and the measured inputs."""
    flat = of_sources.reshape(len(prior), -1)
    left = wanted.reshape(-1) - prior @ flat
    noise = max(float((left**2).mean()), 1e-4)
    matrix = flat @ flat.T / noise + np.eye(len(prior)) / PRIOR
    return np.asarray(prior + np.linalg.solve(matrix, flat @ left / noise))


def _forest(columns: Floats, left: Floats, seed: int) -> Any:
    """A forest on an input's features and what the sources' models say of it."""
    from sklearn.ensemble import ExtraTreesRegressor

    return ExtraTreesRegressor(TREES, max_features=0.5, random_state=seed, n_jobs=1).fit(
        columns, left
    )


def _columns(values: Floats, of_sources: Floats, blend: Floats) -> Floats:
    flat = np.moveaxis(of_sources, 0, 1).reshape(len(values), -1)
    return np.hstack([tree_columns(values), flat, blend])


def _centred(gains: Floats) -> Floats:
    found: Floats = gains - gains.mean(axis=-1, keepdims=True)
    return found
