"""One-against-one SVMs weighted by regret, and their assembly into one ordinary libsvm model.

For each pair (i, j) of variants a binary C-SVC learns on all inputs which of the two is better; the
weight of an input is what choosing the worse of the two would lose there. libsvm's own multi-class
machine is a set of such pairs, stored so that a support vector listed under class i has one
coefficient for every other class j. Nothing in the format asks that the vector be *of* class i: it
contributes to the pairs that have i in them, with any sign. So each pair's vectors can be
listed under either of its classes, and one listing serves several pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fettle.classifiers.regret import Indices
from fettle.core.scikit_learn import without_checks
from fettle.data.training_set import Floats

NEAR_TIE = 0.02
"""Inputs on which two variants differ by less say nothing about the pair."""


@dataclass(frozen=True)
class PairMachine:
    """The decision between variants i and j: sum of coefficient * kernel, less rho; > 0 is i."""

    vectors: Indices
    """Rows of the training table."""
    coefficients: Floats
    rho: float


@dataclass(frozen=True)
class PairwiseSvm:
    """All pairs of the variants `classes` (ascending), with one RBF kernel exp(-gamma |x-y|^2)."""

    classes: tuple[int, ...]
    gamma: float
    table: Floats
    """The scaled training inputs that `vectors` point into."""
    machines: tuple[PairMachine, ...]
    """In libsvm's order: (0, 1), (0, 2), ..., (1, 2), ..."""

    def choose(self, rows: Floats) -> Indices:
        """The variant with most votes for each scaled row, the first of equals, as libsvm does."""
        squares = (
            (rows**2).sum(axis=1)[:, None] + (self.table**2).sum(axis=1) - 2 * rows @ self.table.T
        )
        kernel = np.exp(-self.gamma * np.maximum(squares, 0.0))
        votes = np.zeros((len(rows), len(self.classes)), dtype=np.intp)
        pairs = combinations(range(len(self.classes)), 2)
        for (i, j), machine in zip(pairs, self.machines, strict=True):
            first = kernel[:, machine.vectors] @ machine.coefficients - machine.rho > 0
            votes[:, i] += first
            votes[:, j] += ~first
        chosen: Indices = np.array(self.classes, dtype=np.intp)[votes.argmax(axis=1)]
        return chosen

    def distinct_vectors(self) -> int:
        """How many training inputs are support vectors of some pair."""
        return len({int(row) for machine in self.machines for row in machine.vectors})

    def text(self) -> str:
        """The model as a libsvm model file (`svm_load_model`, `svm_predict`)."""
        return _libsvm_text(self)


@without_checks()
def train_pairs(
    table: Floats, shares: Floats, classes: Sequence[int], *, c: float, gamma: float
) -> PairwiseSvm:
    """Train every pair of `classes` on scaled inputs `table` and (smoothed) shares of best."""
    machines = []
    for i, j in combinations(classes, 2):
        gain = shares[:, i] - shares[:, j]
        rows = np.flatnonzero(np.abs(gain) > NEAR_TIE)
        machines.append(_train_pair(table, gain, rows, c, gamma))
    return PairwiseSvm(tuple(classes), gamma, table, tuple(machines))


def _train_pair(table: Floats, gain: Floats, rows: Indices, c: float, gamma: float) -> PairMachine:
    from sklearn.svm import SVC

    first = gain[rows] > 0
    if first.all() or not first.any():  # one of the two is never the better one
        total = gain[rows].sum() if rows.size else gain.sum()
        none = np.zeros(0, dtype=np.intp)
        return PairMachine(none, np.zeros(0), -1.0 if total > 0 else 1.0)
    machine = SVC(C=c, gamma=gamma, cache_size=100).fit(
        table[rows], first.astype(np.int64), sample_weight=np.abs(gain[rows])
    )
    # scikit-learn decides for its larger class, 1: the first variant.
    return PairMachine(
        rows[machine.support_], machine.dual_coef_[0].astype(np.float64), -machine.intercept_[0]
    )


@dataclass(frozen=True)
class _Listing:
    """A support vector under a class: one coefficient for each other class."""

    row: int
    coefficients: Floats


def _listings(svm: PairwiseSvm) -> list[list[_Listing]]:
    """Under each class, the vectors that the pairs need there: few, each pair's term once."""
    k = len(svm.classes)
    terms: dict[bytes, dict[tuple[int, int], float]] = {}
    row_of: dict[bytes, int] = {}
    for pair, machine in zip(combinations(range(k), 2), svm.machines, strict=True):
        for row, coefficient in zip(machine.vectors, machine.coefficients, strict=True):
            key = svm.table[row].tobytes()  # inputs with the same features are one vector
            row_of.setdefault(key, int(row))
            wanted = terms.setdefault(key, {})
            wanted[pair] = wanted.get(pair, 0.0) + float(coefficient)
    under: list[list[_Listing]] = [[] for _ in range(k)]
    for key, wanted in sorted(terms.items(), key=lambda item: row_of[item[0]]):
        left = {pair: value for pair, value in wanted.items() if value != 0.0}
        while left:
            # The class that serves most of the pairs left, greedily: a small vertex cover.
            home = max(range(k), key=lambda c: sum(c in pair for pair in left))
            coefficients = np.zeros(k - 1)
            for i, j in [pair for pair in left if home in pair]:
                coefficients[j - 1 if home == i else i] = left.pop((i, j))
            under[home].append(_Listing(row_of[key], coefficients))
    return under


def _libsvm_text(svm: PairwiseSvm) -> str:
    under = _listings(svm)
    lines = [
        "svm_type c_svc",
        "kernel_type rbf",
        f"gamma {svm.gamma:.17g}",
        f"nr_class {len(svm.classes)}",
        f"total_sv {sum(map(len, under))}",
        "rho " + " ".join(f"{machine.rho:.17g}" for machine in svm.machines),
        "label " + " ".join(map(str, svm.classes)),
        "nr_sv " + " ".join(str(len(listed)) for listed in under),
        "SV",
    ]
    for listing in (one for listed in under for one in listed):
        words = [f"{value:.17g}" for value in listing.coefficients]
        words += [f"{j}:{value:.17g}" for j, value in enumerate(svm.table[listing.row], 1)]
        lines.append(" ".join(words) + " ")
    return "\n".join(lines) + "\n"
