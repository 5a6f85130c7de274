"""Spaces of policies: sizes counted by hand, every point once, the default rules' choices in it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ndp_samples import sample, samples

from fettle.core.errors import FettleError
from fettle.ndp.base.computation import Computation
from fettle.ndp.candidate import Candidate
from fettle.ndp.policies import approximate_candidates, candidates, policy_space


def sizes(computation: Computation, size: str = "full") -> dict[str, int]:
    """The number of points of each schedule, by its initials: "i>c"."""
    return {
        ">".join(kind[0] for kind in schedule.split(">")): len(
            policy_space(computation, schedule, size)
        )
        for schedule in computation.schedules
    }


def texts(computation: Computation, size: str = "full") -> list[str]:
    return [candidate.text for candidate in candidates(computation, size)]


# CUDA. Blocks are of 64, 128, 256 or 512 threads; one that works alone of 256 or 512.

BLOCKS, WARPS, GRAINS, UNROLLS = 4, 5, 3, 5
REDUCE_ALGOS, SCAN_ALGOS, SCAN_GRAINS = 3, 3, 3
ALONE = 2


def test_map_reduce_on_cuda() -> None:
    assert sizes(sample("map>reduce", "cuda")) == {
        # a row a warp; a row a block; blocks that take rows as a whole
        "i>c": BLOCKS * WARPS * GRAINS + BLOCKS * REDUCE_ALGOS + 1,
        # a row a thread; rows staged by a block
        "i>s": BLOCKS * GRAINS * UNROLLS + BLOCKS * GRAINS,
        # of 64 and 128 threads three sizes of a share, of 256 two, of 512 one: then memory is full
        "f": 3 + 3 + 2 + 1,
        # one block, or one warp
        "s>c": ALONE * REDUCE_ALGOS + 1,
        "s>s": UNROLLS,
    }
    assert sum(sizes(sample("map>reduce", "cuda")).values()) == 166


def test_map_scan_on_cuda() -> None:
    assert sizes(sample("map>scan", "cuda")) == {
        "i>c": BLOCKS * WARPS * GRAINS + BLOCKS * SCAN_ALGOS * SCAN_GRAINS,
        "i>s": BLOCKS * GRAINS * UNROLLS,
        "f": 3 + 3 + 2 + 1,
        "s>c": ALONE * SCAN_ALGOS * SCAN_GRAINS + 1,
        "s>s": UNROLLS,
    }


def test_reduce_by_key_map_on_cuda() -> None:
    assert sizes(sample("reduce_by_key>map", "cuda")) == {
        # x of 16, 32, 64, 128 and y of 1, 2, 4, 8, 16, but 16 * 1 (no whole warp) and 128 * 16
        # (too many threads)
        "c>i": 4 * 5 - 2,
        "c>s": 0,  # the same
        # x alone, and 16 is not a whole warp
        "s>i": 3,
        "s>s": 0,
    }


def test_map_map_reduce_on_cuda() -> None:
    assert sizes(sample("map>map>reduce", "cuda")) == {
        "i>i>s": BLOCKS * WARPS * GRAINS * UNROLLS + BLOCKS * UNROLLS,
        "i>s>s": BLOCKS * GRAINS * UNROLLS,
        "s>i>s": ALONE * UNROLLS + UNROLLS,
        "s>s>s": UNROLLS,
    }


def test_one_level_on_cuda() -> None:
    assert sizes(sample("reduce", "cuda")) == {
        # the device; one block; one warp
        "c": BLOCKS * REDUCE_ALGOS + ALONE * REDUCE_ALGOS + 1,
        "s": UNROLLS,
    }
    assert sizes(sample("scan", "cuda")) == {
        "c": (BLOCKS + ALONE) * SCAN_ALGOS * SCAN_GRAINS + 1,
        "s": UNROLLS,
    }
    assert sizes(sample("map", "cuda")) == {"i": BLOCKS * GRAINS, "s": UNROLLS}
    assert sizes(sample("reduce_by_key", "cuda")) == {"c": 1, "s": 1}
    assert sizes(sample("reduce>map", "cuda"))["c>i"] == BLOCKS * REDUCE_ALGOS


# OpenMP. Static, dynamic and guided with four chunks each for rows; all threads, half, or one.

DEALT = 3 * 4
UNROLL = 5  # the compiler's choice, 1, 2, 4, 8


@pytest.mark.parametrize(("threads", "teams"), [(2, 1), (16, 2)])
def test_map_reduce_on_openmp(threads: int, teams: int) -> None:
    nested = DEALT if threads >= 4 else 0
    assert sizes(sample("map>reduce", "openmp", threads)) == {
        "i>c": teams * DEALT + 1 + nested,
        "i>s": (teams * DEALT + 1) * UNROLL,
        "f": teams,
        "s>c": teams,
        "s>s": UNROLL,
    }


def test_map_scan_on_openmp() -> None:
    assert sizes(sample("map>scan", "openmp")) == {
        "i>c": DEALT + 1,
        "i>s": DEALT * UNROLL,
        "f": 1,
        "s>c": 3,  # sizes of the pieces
        "s>s": UNROLL,
    }


def test_reduce_by_key_map_on_openmp() -> None:
    assert sizes(sample("reduce_by_key>map", "openmp")) == {
        "c>i": 1,
        "c>s": 0,  # the same
        "s>i": 3 * 2,  # how columns are dealt
        "s>s": 1,
    }


def test_map_map_reduce_on_openmp() -> None:
    deep = sample("map>map>reduce", "openmp")
    assert sizes(deep) == {
        "i>i>c": DEALT + 1,
        "i>i>s": (DEALT + 1) * UNROLL,
        "i>s>c": 0,  # without nested teams: i>i>c
        "s>i>c": DEALT,
        "i>s>s": 0,  # i>i>s
        "s>i>s": DEALT * UNROLL,
        "s>s>c": 1,
        "s>s>s": UNROLL,
    }
    assert sizes(replace(deep, limits={"threads": 16})) == {
        "i>i>c": 2 * DEALT + 1 + DEALT,
        "i>i>s": (2 * DEALT + 1 + DEALT) * UNROLL,
        "i>s>c": DEALT,
        "s>i>c": 2 * DEALT + DEALT,
        "i>s>s": 0,
        "s>i>s": 2 * DEALT * UNROLL,
        "s>s>c": 2,
        "s>s>s": UNROLL,
    }


def test_one_level_on_openmp() -> None:
    dealt = 3 * 3
    assert sizes(sample("reduce", "openmp")) == {"c": dealt + 1, "s": UNROLL}
    assert sizes(sample("scan", "openmp")) == {"c": 3 + 1, "s": UNROLL}
    assert sizes(sample("map", "openmp")) == {"i": dealt + 1, "s": UNROLL}
    assert sizes(sample("reduce_by_key", "openmp")) == {"c": 1 + 1, "s": 1}


def test_spmv_is_as_large_as_can_be_built() -> None:
    assert len(texts(sample("map>reduce", "cuda"))) <= 250
    assert len(texts(sample("map>reduce", "openmp", threads=16))) <= 180
    assert len(texts(sample("map>reduce", "cuda"), "small")) <= 31
    assert len(texts(sample("map>reduce", "openmp"), "small")) <= 15


@pytest.mark.parametrize("size", ["small", "full"])
@pytest.mark.parametrize("threads", [1, 2, 16])
def test_every_point_once_and_all_accounted_for(size: str, threads: int) -> None:
    for computation in samples(threads):
        names = texts(computation, size)
        assert names
        assert len(set(names)) == len(names)
        for schedule in computation.schedules:
            space = policy_space(computation, schedule, size)
            assert len(space) + sum(space.pruned.values()) == space.product


def test_a_small_space_is_in_the_full_one() -> None:
    # But for chunks of rows, or grains: a small space has one in place of three.
    chunks = ("chunk_size=64", ".grain_size=64")
    for computation in samples():
        small = {
            name
            for name in texts(computation, "small")
            if not any(chunk in name for chunk in chunks)
        }
        assert small <= set(texts(computation))


@pytest.mark.parametrize("size", ["small", "full"])
def test_what_the_default_rules_choose_is_among_the_candidates(size: str) -> None:
    # row_rule.hpp
    spmv = texts(sample("map>reduce", "cuda"), size)
    for lanes in (2, 4, 16):
        name = f"independent>cooperative logical_warp_size={lanes} 2.resource=warp"
        assert name in spmv
    assert "independent>cooperative 2.resource=warp" in spmv
    assert "independent>cooperative block_size_x=128 2.resource=block" in spmv
    assert "independent>cooperative 1.resource=block" in spmv
    assert "independent>sequential 1.resource=thread" in spmv
    assert {"flattened", "flattened block_size_x=128"} <= set(spmv)
    # untuned.cuh
    assert "cooperative block_size_x=512" in texts(sample("reduce", "cuda"), size)
    assert "cooperative" in texts(sample("reduce", "cuda"), size)
    scan = "cooperative block_size_x=512 1.block_scan_grain_size=8"
    assert scan in texts(sample("scan", "cuda"), size)
    wide = "cooperative block_size_x=128 1.block_scan_grain_size=4"
    assert wide in texts(sample("scan", "cuda", value_bytes=64), size)
    assert {"independent", "independent 1.grain_size=2"} <= set(texts(sample("map", "cuda"), size))
    by_key = "cooperative>independent block_size_x=32 block_size_y=8"
    assert by_key in texts(sample("reduce_by_key>map", "cuda"), size)
    # host/dispatch/default_rule.hpp
    spmv = texts(sample("map>reduce", "openmp"), size)
    assert {"flattened", "independent>cooperative num_threads=1", "sequential>cooperative"} <= set(
        spmv
    )
    assert "independent>cooperative 1.schedule=dynamic" in spmv
    assert "independent>cooperative 1.schedule=static" in spmv


def test_rows_that_lie_nowhere_are_not_staged() -> None:
    spmv = sample("map>reduce", "cuda")
    by_rows = {name: its for name, its in spmv.schedules.items() if name != "flattened"}
    scattered = replace(spmv, schedules=by_rows, pruned=(("flattened", "no rows"),))
    assert not [name for name in texts(scattered) if "1.resource=block" in name]
    assert [name for name in texts(spmv) if "1.resource=block" in name]


@pytest.mark.parametrize(("expression", "more"), [("map>reduce", 1), ("map>scan", 0)])
def test_a_block_that_takes_rows_as_a_whole_has_nothing_to_set(expression: str, more: int) -> None:
    before = sample(expression, "cuda")
    by_rows = "independent>cooperative"
    parameters = tuple({*before.schedules[by_rows], "execution_resource_1"})
    after = replace(before, schedules={**before.schedules, by_rows: parameters})
    before = replace(
        before,
        schedules={**before.schedules, by_rows: tuple({*parameters} - {"execution_resource_1"})},
    )
    added = set(texts(after)) - set(texts(before))
    assert added == ({f"{by_rows} 1.resource=block"} if more else set())


def test_an_operator_that_does_not_commute() -> None:
    commuting = sample("reduce", "cuda")
    names = set(texts(replace(commuting, commutative=False)))
    assert names < set(texts(commuting))
    assert not [name for name in names if "commutative" in name]


def test_why_points_are_cut() -> None:
    space = policy_space(sample("map>reduce", "cuda"), "independent>cooperative")
    assert space.pruned["logical_warp_size has no effect on blocks"] > 0
    assert space.pruned["a thread a row is independent>sequential"] > 0
    space = policy_space(sample("scan", "cuda", value_bytes=32), "cooperative")
    assert [reason for reason in space.pruned if "more shared memory" in reason]
    space = policy_space(sample("map>reduce", "openmp"), "independent>cooperative")
    assert [reason for reason in space.pruned if "set enable_nesting" in reason]


def test_some_schedules_only() -> None:
    spmv = sample("map>reduce", "openmp")
    assert candidates(spmv, schedules=["flattened"]) == [Candidate("openmp", "flattened")]


def test_what_is_no_space() -> None:
    deep = sample("map>map>reduce", "cuda")
    with pytest.raises(FettleError, match="cannot run as independent>flattened: flattened must be"):
        policy_space(deep, "independent>flattened")
    with pytest.raises(FettleError, match="has no schedule 'cooperative'; there are independent"):
        policy_space(deep, "cooperative")
    with pytest.raises(FettleError, match="no space of size 'huge': use small or full"):
        policy_space(deep, "independent>independent>sequential", "huge")


# Knobs, which approximate.


@pytest.mark.parametrize("platform", ["openmp", "cuda", "tbb"])
def test_exact_candidates_set_no_knob(platform: str) -> None:
    its = replace(sample("map>reduce", platform), knobs=("sample", "perforate", "accumulation"))
    assert not any(one.is_approximate for one in candidates(its))


@pytest.mark.parametrize("platform", ["openmp", "cuda", "tbb"])
def test_approximate_candidates_set_one_knob_each(platform: str) -> None:
    its = replace(sample("map>reduce", platform), knobs=("sample", "perforate", "accumulation"))
    found = approximate_candidates(its, "small")
    assert all(one.is_approximate for one in found)
    assert len(set(found)) == len(found)
    texts = [one.text.removeprefix(one.schedule) for one in found if one.schedule == "flattened"]
    # flattened takes contiguous rows, of which perforate would leave some out
    for value in (4, 16, 64):
        assert any(f"sample={value}" in text.split() for text in texts)
    assert not any("perforate" in text for text in texts)
    assert any("accumulation=single" in text for text in texts)
    assert any("perforate=8" in one.text for one in found)
    for one in found:
        knobs = {"sample", "perforate", "accumulation"} & one.policy.keys()
        assert len(knobs) == 1
    assert len(approximate_candidates(its, "full")) <= 6 * len(its.schedules) * 7


def test_a_computation_without_knobs_has_no_approximate_candidates() -> None:
    assert approximate_candidates(replace(sample("map>reduce", "openmp"), knobs=())) == []
