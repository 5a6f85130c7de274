"""Candidates are cut into shards of about equal cost, in their order."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.ndp.candidate import Candidate
from fettle.ndp.platforms import platform_named
from fettle.ndp.shards import SHARD_SECONDS, Unit, cut, divide


def units(platform: str, count: int, seed: int = 0) -> list[Unit]:
    """Candidates of three schedules, in the order in which they are built."""
    random = np.random.default_rng(seed)
    field = "num_threads" if platform == "openmp" else "block_size_x"
    names = sorted(random.choice(["flattened", "independent", "sequential"], count))
    return [
        ("f", Candidate(platform, str(name), {field: 32 * (index + 1)}))
        for index, name in enumerate(names)
    ]


@pytest.mark.parametrize("platform", ["openmp", "cuda"])
@pytest.mark.parametrize("jobs", [1, 2, 3, 16])
@pytest.mark.parametrize("count", [1, 2, 7, 40, 300])
def test_nothing_is_lost_and_nothing_is_empty(platform: str, jobs: int, count: int) -> None:
    given = units(platform, count, seed=count)
    shards = divide(given, jobs)
    assert [unit for shard in shards for unit in shard] == given
    assert all(shards)
    assert len(shards) % jobs == 0 or len(shards) == count


def test_all_compilers_are_busy_for_about_as_long() -> None:
    given = units("cuda", 100)
    sizes = [len(shard) for shard in cut(given, 4)]
    assert max(sizes) - min(sizes) <= 3


def test_more_shards_where_they_would_last_too_long() -> None:
    given = units("cuda", 1200)
    rounds = len(divide(given, 2)) / 2
    cost = platform_named("cuda").compiling.cost.candidate
    expected = 1200 * cost / 2 / SHARD_SECONDS
    assert rounds == pytest.approx(expected, abs=1)
    assert len(divide(units("openmp", 300), 2)) == 2


def test_as_many_pieces_as_units_is_one_each() -> None:
    given = units("openmp", 5)
    assert cut(given, 5) == [[unit] for unit in given]
