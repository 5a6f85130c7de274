"""Screening designs of Plackett and Burman: n main effects of two levels from about n + 1 runs.

Section IV.A of the design-of-experiments paper. A design is a Hadamard matrix without its first
column: all columns are balanced and orthogonal to each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fettle.core.errors import FettleError

Signs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ScreeningDesign:
    """One row a run, -1 (low) and 1 (high); dummy columns d1, d2, ... fill the design up."""

    columns: tuple[str, ...]
    dummies: int
    runs: Signs

    def __str__(self) -> str:
        lines = [" ".join(f"{name:>4}" for name in self.columns)]
        lines += [
            " ".join(
                f"{sign:>{max(4, len(name))}}" for name, sign in zip(self.columns, run, strict=True)
            )
            for run in self.runs
        ]
        return "\n".join(lines)


def plackett_burman(factors: Sequence[str], seed: int | None = None) -> ScreeningDesign:
    """The smallest design that screens these factors; with a seed its runs are shuffled.

    Cost: runs squared. Raises FettleError without factors, or where one is given twice.
    """
    if not factors:
        raise FettleError("a screening design needs at least one factor")
    twice = next((name for name in factors if list(factors).count(name) > 1), None)
    if twice is not None:
        raise FettleError(f"the factor {twice!r} is given twice")
    size = 4 * (len(factors) // 4 + 1)
    matrix = _hadamard(size)
    while matrix is None:
        size += 4
        matrix = _hadamard(size)
    runs = (matrix * matrix[:, :1])[:, 1:]
    if seed is not None:
        runs = runs[np.random.default_rng(seed).permutation(size)]
    dummies = size - 1 - len(factors)
    names = (*factors, *(f"d{i + 1}" for i in range(dummies)))
    return ScreeningDesign(names, dummies, runs)


def _hadamard(size: int) -> Signs | None:
    """A Hadamard matrix by Paley's two constructions and by doubling; None: none of them."""
    if size in (1, 2):
        return np.array([[1, 1], [1, -1]], dtype=np.int64)[:size, :size]
    prime = size - 1
    if prime % 4 == 3 and _is_prime(prime):
        skew = np.zeros((size, size), dtype=np.int64)
        skew[0, 1:], skew[1:, 0] = 1, -1
        skew[1:, 1:] = _jacobsthal(prime)
        return skew + np.eye(size, dtype=np.int64)
    half = _hadamard(size // 2) if size % 8 == 0 or size == 4 else None
    if half is not None:
        return np.kron(np.array([[1, 1], [1, -1]], dtype=np.int64), half)
    prime = size // 2 - 1
    if prime % 4 == 1 and _is_prime(prime):
        symmetric = np.zeros((size // 2, size // 2), dtype=np.int64)
        symmetric[0, 1:] = symmetric[1:, 0] = 1
        symmetric[1:, 1:] = _jacobsthal(prime)
        identity = np.eye(size // 2, dtype=np.int64)
        plus = np.array([[1, 1], [1, -1]], dtype=np.int64)
        minus = np.array([[1, -1], [-1, -1]], dtype=np.int64)
        return np.kron(symmetric, plus) + np.kron(identity, minus)
    return None


def _jacobsthal(prime: int) -> Signs:
    """Which differences are squares modulo a prime: 1, -1, and 0 on the diagonal."""
    character = np.full(prime, -1, dtype=np.int64)
    character[[(i * i) % prime for i in range(1, prime)]] = 1
    character[0] = 0
    index = np.arange(prime)
    table: Signs = character[(index[:, None] - index[None, :]) % prime]
    return table


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % d for d in range(2, int(number**0.5) + 1))
