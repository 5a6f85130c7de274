"""The paper's table V, row by row; the parameters come from the library's own descriptions.

Two differences, which docs/ndp-schedules.md tells: the table leaves execution_resource out, which
table IV lists; and its CUDA row sequential>cooperative has no enable_unroll_1, which algorithm 1
gives every sequential level.
"""

from __future__ import annotations

import pytest
from ndp_samples import sample

CUDA = "block_size_x block_size_y logical_warp_size"
OPENMP = "num_threads enable_nesting"

TABLE_V = [
    (
        "independent>cooperative",
        f"{CUDA} grain_size_1 block_reduce_algo_2",
        f"{OPENMP} omp_schedule_1 chunk_size_1 omp_schedule_2 chunk_size_2",
    ),
    (
        "independent>sequential",
        f"{CUDA} grain_size_1 enable_unroll_2",
        f"{OPENMP} omp_schedule_1 chunk_size_1 enable_unroll_2",
    ),
    (
        "sequential>cooperative",
        f"{CUDA} block_reduce_algo_2",
        f"{OPENMP} omp_schedule_2 chunk_size_2 enable_unroll_1",
    ),
    (
        "sequential>sequential",
        f"{CUDA} enable_unroll_1 enable_unroll_2",
        f"{OPENMP} enable_unroll_1 enable_unroll_2",
    ),
]

ADDED = {
    ("cuda", "independent>cooperative"): {"execution_resource_1", "execution_resource_2"},
    ("cuda", "independent>sequential"): {"execution_resource_1"},
    ("cuda", "sequential>cooperative"): {"execution_resource_2", "enable_unroll_1"},
    ("openmp", "independent>cooperative"): {"execution_resource_2"},
    ("openmp", "sequential>cooperative"): {"execution_resource_2"},
}


@pytest.mark.parametrize(("schedule", "cuda", "openmp"), TABLE_V)
def test_table_v(schedule: str, cuda: str, openmp: str) -> None:
    for platform, row in (("cuda", cuda), ("openmp", openmp)):
        inferred = sample("map>reduce", platform).schedules[schedule]
        added = ADDED.get((platform, schedule), set())
        assert len(inferred) == len(set(inferred))
        assert not added & set(row.split())
        assert set(inferred) == set(row.split()) | added, platform


def test_flattened_is_not_in_the_paper() -> None:
    assert sample("map>reduce", "cuda").schedules["flattened"] == (*CUDA.split(), "grain_size_1")
    assert sample("map>reduce", "openmp").schedules["flattened"] == tuple(OPENMP.split())
