"""D-optimal designs: the runs from which a model's coefficients are estimated most precisely.

A design maximises the determinant of X'X over the valid points (section IV.B of the
design-of-experiments paper). It is built by Fedorov's exchange, one run of the design at a time
(the form of Cook and Nachtsheim, 1980): each run in turn is swapped for the point that raises the
determinant most, until no swap raises it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fettle.core.errors import FettleError
from fettle.search.model_matrix import Floats, ModelMatrix

_RIDGE = 1e-8
_GAIN = 1e-6


@dataclass(frozen=True)
class Design:
    """The chosen rows of the candidates, fixed ones first, and how good they are.

    `log_determinant` is that of X'X / runs; `efficiency` compares designs of one model over the
    same points: the determinant's p-th root, p the number of columns.
    """

    rows: tuple[int, ...]
    fixed: int
    log_determinant: float
    efficiency: float
    passes: int

    @property
    def new_rows(self) -> tuple[int, ...]:
        """Those that were not fixed."""
        return self.rows[self.fixed :]


def d_optimal(
    candidates: ModelMatrix,
    runs: int,
    seed: int | np.random.Generator,
    *,
    fixed: Sequence[int] = (),
    forbidden: Sequence[int] = (),
    passes: int = 20,
) -> Design:
    """A design of `runs` different rows of the candidates that contains all of `fixed`.

    `forbidden` rows are never chosen. Cost: passes x runs x candidates x columns. Raises a
    FettleError where there are fewer runs than columns or too few candidates, and one that names
    the terms that the allowed points cannot tell apart.
    """
    rng = np.random.default_rng(seed)
    kept = list(dict.fromkeys(int(row) for row in fixed))
    allowed = np.ones(len(candidates.values), dtype=bool)
    allowed[np.asarray(forbidden, dtype=np.int64)] = False
    _check(candidates, runs, kept, allowed)
    scaled = _orthonormal(candidates, allowed, kept)
    free = np.flatnonzero(allowed)
    free = free[~np.isin(free, kept)]
    chosen = np.concatenate(
        [np.array(kept, dtype=np.int64), rng.choice(free, size=runs - len(kept), replace=False)]
    )
    done = _exchange(scaled, chosen, len(kept), allowed, passes)
    information = scaled[chosen].T @ scaled[chosen] / runs
    sign, log_determinant = np.linalg.slogdet(information)
    if sign <= 0:
        log_determinant = -np.inf
    efficiency = float(np.exp(log_determinant / scaled.shape[1]))
    return Design(
        tuple(int(row) for row in chosen), len(kept), float(log_determinant), efficiency, done
    )


def _exchange(
    points: Floats,
    chosen: npt.NDArray[np.int64],
    fixed: int,
    allowed: npt.NDArray[np.bool_],
    passes: int,
) -> int:
    """Swaps rows of `chosen` from `fixed` on until nothing is gained; how many passes it took."""
    columns = points.shape[1]
    barred = ~allowed
    for done in range(1, passes + 1):
        design = points[chosen]
        inverse: Floats = np.asarray(
            np.linalg.inv(design.T @ design + _RIDGE * np.eye(columns)), dtype=np.float64
        )
        variance: Floats = np.einsum("ij,ij->i", points @ inverse, points)
        gained = False
        for index in range(fixed, len(chosen)):
            old = points[chosen[index]]
            # det after swapping old for x, over det before: (1 + x'Mx)(1 - o'Mo) + (x'Mo)^2.
            ratio = (1.0 + variance) * (1.0 - variance[chosen[index]])
            ratio += (points @ (inverse @ old)) ** 2
            ratio[barred] = -np.inf
            ratio[chosen] = -np.inf
            best = int(np.argmax(ratio))
            if ratio[best] > 1.0 + _GAIN:
                chosen[index] = best
                inverse = _updated(points, inverse, variance, points[best], 1.0)
                inverse = _updated(points, inverse, variance, old, -1.0)
                gained = True
        if not gained:
            return done
    return passes


def _updated(points: Floats, inverse: Floats, variance: Floats, row: Floats, sign: float) -> Floats:
    """The inverse after a row came (1) or went (-1), by Sherman and Morrison.

    `variance`, x'Mx of each point, is brought up to date in place: a product of the points with one
    vector each time, instead of one with the whole matrix for each run of the design.
    """
    weighted = inverse @ row
    change = sign / (1.0 + sign * float(row @ weighted))
    variance -= change * (points @ weighted) ** 2
    result: Floats = inverse - change * np.outer(weighted, weighted)
    return result


def _orthonormal(
    candidates: ModelMatrix, allowed: npt.NDArray[np.bool_], kept: Sequence[int]
) -> Floats:
    """The candidates in coordinates of unit second moment: the optimum is the same, the numbers
    are of one size."""
    values = candidates.values
    usable = allowed.copy()
    usable[np.asarray(kept, dtype=np.int64)] = True
    scale = np.abs(values).max(axis=0)
    scaled = values[usable] / np.where(scale > 0, scale, 1.0)
    triangle: Floats = np.asarray(np.linalg.qr(scaled, mode="r"))
    diagonal = np.abs(np.diag(triangle))
    bad = [
        label
        for label, size in zip(candidates.column_labels, diagonal, strict=True)
        if size <= 1e-9 * max(1.0, float(diagonal.max()))
    ]
    if bad:
        raise FettleError(
            f"the valid points cannot tell {', '.join(bad)} from the other terms: leave out these "
            "terms, or allow more levels of their factors"
        )
    result: Floats = np.linalg.solve(triangle.T, (values / scale).T).T * np.sqrt(usable.sum())
    return np.ascontiguousarray(result)


def _check(
    candidates: ModelMatrix, runs: int, kept: Sequence[int], allowed: npt.NDArray[np.bool_]
) -> None:
    columns = candidates.values.shape[1]
    if runs < columns:
        raise FettleError(
            f"a design of {runs} runs cannot estimate the {columns} coefficients of "
            f"{candidates.formula}: give at least {columns} runs, or leave out terms"
        )
    both = [row for row in kept if not allowed[row]]
    if both:
        raise FettleError(f"the candidate {both[0]} is both fixed and forbidden: decide on one")
    if runs < len(kept):
        raise FettleError(f"{len(kept)} fixed points do not fit into a design of {runs} runs")
    if int(allowed.sum()) < runs:
        raise FettleError(
            f"a design of {runs} runs needs as many valid points, and there are "
            f"{int(allowed.sum())}: give fewer runs, or measure all of them"
        )
