"""Samples of many rows: as large as asked for, the same each time, with every best variant."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.data.row_sample import row_sample
from fettle.data.training_set import TrainingSet


def inputs_of(best: list[int]) -> TrainingSet:
    """One input for each variant that is to be the best; of three."""
    count = len(best)
    costs = np.full((count, 3), 2.0)
    costs[np.arange(count), best] = 1.0
    return TrainingSet(
        "f",
        ("n",),
        ("a", "b", "c"),
        tuple(f"line {i}" for i in range(count)),
        np.arange(count, dtype=float)[:, None],
        costs,
        np.zeros(1),
    )


def test_a_sample_is_of_all_best_variants_and_mostly_as_the_whole() -> None:
    data = inputs_of([0] * 9000 + [1] * 990 + [2] * 10)
    sample = row_sample(data, 300, 0)
    counts = np.bincount(sample.costs.argmin(axis=1))
    assert counts.sum() == len(sample) == 300
    assert counts[2] == 10, "all of a rare one"
    assert 25 <= counts[1] <= 60
    assert sample.values[:, 0].tolist() == sorted(set(sample.values[:, 0]))
    assert sample.inputs[7] == f"line {sample.values[7, 0]:.0f}"


def test_a_sample_depends_on_the_seed_alone() -> None:
    data = inputs_of([0, 1, 2] * 500)
    first, again, other = (row_sample(data, 100, seed).inputs for seed in (3, 3, 4))
    assert first == again
    assert first != other


@pytest.mark.parametrize("rows", [1, 2, 7, 99, 100])
def test_a_sample_is_as_large_as_asked_for(rows: int) -> None:
    assert len(row_sample(inputs_of([0, 1] * 50), rows, 0)) == rows


def test_few_rows_are_all_taken() -> None:
    data = inputs_of([0, 1, 2])
    assert row_sample(data, 3, 0) is data
    with pytest.raises(FettleError, match="a sample of 0 rows"):
        row_sample(data, 0, 0)
