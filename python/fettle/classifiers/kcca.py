"""KccaClassifier: kernel canonical correlation analysis of inputs' features and variants' times.

A. Ganapathi, K. Datta, A. Fox and D. Patterson, "A case for machine learning to optimize multicore
performance", HotPar 2009, which dissertation 7.2.1 names for models of parameters. It finds
directions in which similar features go with similar shares of best of all variants and points. An
unseen input is projected by its features, and expected to do as its nearest neighbours there do.
What is deployed is one tree that imitates this, since neighbours would take long to find.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fettle.classifiers.base import SearchingClassifier
from fettle.classifiers.imitation import imitate
from fettle.classifiers.judging import Judged, judge, some_of
from fettle.classifiers.regret import wanted_shares
from fettle.classifiers.regret_trees import Columns, Forest
from fettle.classifiers.scaling import InputSet, searched_sets
from fettle.data.training_set import Floats, TrainingSet

MOST_INPUTS = 500  # the analysis takes their number cubed
DIRECTIONS = 8
NEIGHBOURS = 3
PENALTY = 0.1  # on the directions, of a kernel's mean diagonal
LEAVES = 256


@dataclass(frozen=True)
class Correlated:
    """Features and shares of inputs, and their common directions."""

    rows: Floats
    middle: Floats
    scale: Floats
    width: float
    directions: Floats
    shares: Floats

    @staticmethod
    def of(table: Floats, shares: Floats) -> Correlated:
        """The analysis of rows of features and rows of shares."""
        middle, scale = table.mean(axis=0), table.std(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        rows = (table - middle) / scale
        width, other_width = _width(rows), _width(shares)
        of_features = _centred(_kernel(rows, rows, width))
        of_shares = _centred(_kernel(shares, shares, other_width))
        ridge = PENALTY * np.eye(len(rows))
        # max corr(Kx a, Ky b), as an eigenvalue problem in a.
        one = np.linalg.solve(of_features + ridge * max(np.trace(of_features), 1e-9), of_shares)
        other = np.linalg.solve(of_shares + ridge * max(np.trace(of_shares), 1e-9), of_features)
        return Correlated(rows, middle, scale, width, _first_vectors(one @ other), shares)

    def predict(self, table: Floats) -> Floats:
        """The shares expected of rows of features: the mean over the nearest neighbours."""
        near = self._projected((table - self.middle) / self.scale)
        known = self._projected(self.rows)
        between = ((near[:, None, :] - known[None, :, :]) ** 2).sum(axis=2)
        nearest = between.argsort(axis=1, kind="stable")[:, :NEIGHBOURS]
        found: Floats = self.shares[nearest].mean(axis=1)
        return found

    def _projected(self, rows: Floats) -> Floats:
        kernel = _kernel(self.rows, self.rows, self.width)
        between = _kernel(rows, self.rows, self.width)
        centred = between - between.mean(axis=1, keepdims=True) - kernel.mean(axis=0)
        found: Floats = (centred + kernel.mean()) @ self.directions
        return found


def _first_vectors(matrix: Floats) -> Floats:
    """The eigenvectors of the largest eigenvalues, which are real."""
    from scipy.sparse.linalg import eigs

    if len(matrix) > 4 * DIRECTIONS:
        values, vectors = eigs(matrix, k=DIRECTIONS, v0=np.ones(len(matrix)))
    else:
        values, vectors = np.linalg.eig(matrix)
    found: Floats = vectors[:, np.argsort(-values.real)[:DIRECTIONS]].real
    return found


def _width(rows: Floats) -> float:
    """The median of the squared distances between different rows."""
    between = _squared(rows, rows)
    apart = between[between > 0]
    return float(np.median(apart)) if apart.size else 1.0


def _kernel(rows: Floats, others: Floats, width: float) -> Floats:
    found: Floats = np.exp(-_squared(rows, others) / width)
    return found


def _squared(rows: Floats, others: Floats) -> Floats:
    found: Floats = ((rows[:, None, :] - others[None, :, :]) ** 2).sum(axis=2)
    return found


def _centred(kernel: Floats) -> Floats:
    means = kernel.mean(axis=0)
    found: Floats = kernel - means - means[:, None] + kernel.mean()
    return found


@dataclass(frozen=True)
class KccaRecipe:
    """The analysis on these inputs, imitated by a tree."""

    inputs: InputSet

    def train(self, data: TrainingSet, seed: int) -> Forest:
        """Analyse at most MOST_INPUTS inputs, and grow the tree."""
        data = some_of(data, MOST_INPUTS, seed)
        columns = Columns.of(data, self.inputs)
        found = Correlated.of(columns.table(data.values), wanted_shares(data))
        return imitate(Forest(columns, tuple, found.predict), data, seed, LEAVES)

    def __str__(self) -> str:
        return f"{NEIGHBOURS} neighbours in {DIRECTIONS} directions, on {self.inputs}, imitated"


class KccaClassifier(SearchingClassifier):
    """Neighbours in the directions of a kernel canonical correlation analysis, as one tree.

    Searches nothing. Training takes some seconds for 500 inputs, of which it uses no more. For
    variants with parameters, each point a class, it is what dissertation 7.2.1 suggests.
    """

    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """The one there is."""
        recipe = KccaRecipe(searched_sets(data)[0])
        return (judge("kcca", recipe, data, self.calls, self.seed),)
