"""Which kernel a schedule has on CUDA, what it reads, and how large its tiles are."""

from __future__ import annotations

import pytest
from ndp_samples import sample

from fettle.core.errors import FettleError
from fettle.core.native import native
from fettle.ndp.platforms import platform_named
from fettle.ndp.platforms._cuda_kernel import kernel_of

BLOCKS = {"block_size_x", "logical_warp_size"}


@pytest.mark.parametrize(
    ("expression", "schedule", "name", "fields"),
    [
        ("reduce_by_key>map", "cooperative>independent", "vectors by key", "block_size_x _y"),
        ("reduce_by_key>map", "sequential>independent", "vectors by key", "block_size_x"),
        ("reduce_by_key", "cooperative", "runs", ""),
        ("reduce>map", "cooperative>independent", "vectors", "block_size_x 1.block_reduce_algo"),
        ("reduce>map", "sequential>independent", "vectors", ""),
        ("map>reduce", "flattened", "flattened", "block_size_x 1.grain_size"),
        ("map", "independent", "threads", "block_size_x 1.grain_size"),
        (
            "map>reduce",
            "independent>sequential",
            "threads",
            "block_size_x 1.grain_size 1.resource 2.unroll",
        ),
        ("map>reduce", "sequential>sequential", "one thread", "2.unroll"),
    ],
)
def test_kernels(expression: str, schedule: str, name: str, fields: str) -> None:
    kernel = kernel_of(sample(expression, "cuda"), schedule)
    assert kernel.name == name
    assert kernel.fields == set(fields.replace(" _y", " block_size_y").split())


def test_what_warps_and_blocks_combine_by() -> None:
    reduce = kernel_of(sample("reduce", "cuda"), "cooperative")
    assert reduce.name == "device"
    assert reduce.fields == BLOCKS | {"1.resource", "1.block_reduce_algo"}
    scan = kernel_of(sample("map>scan", "cuda"), "sequential>cooperative")
    assert scan.name == "one by one"
    assert scan.fields == BLOCKS | {"2.resource", "2.block_scan_algo", "2.block_scan_grain_size"}
    rows = kernel_of(sample("map>map>reduce", "cuda"), "independent>independent>sequential")
    assert rows.name == "rows"
    both = {f"{level}.{name}" for level in (1, 2) for name in ("grain_size", "resource")}
    assert rows.fields == BLOCKS | both | {"3.unroll"}


def test_every_field_is_one_of_the_policys() -> None:
    known = platform_named("cuda").fields.keys()
    for expression in ("map", "scan", "map>reduce", "map>scan", "map>map>reduce", "reduce>map"):
        computation = sample(expression, "cuda")
        for schedule in computation.schedules:
            assert kernel_of(computation, schedule).fields <= known


def test_steps_of_a_flattened_tile() -> None:
    steps = native().cuda_steps_per_thread
    assert steps(128, 1, 8) == 11
    assert steps(128, 2, 8) == 21, "odd, so that threads use different banks"
    assert steps(1024, 4, 8) == 3, "no more than memory has room for"
    assert steps(32, 8, 4) == 31, "no more than there are bits"
    assert steps(1024, 1, 40) == 1


def test_the_grain_of_an_untuned_scan() -> None:
    assert [native().cuda_scan_grain(size) for size in (4, 8, 16, 64, 4096)] == [8, 8, 4, 4, 1]


@pytest.mark.parametrize("schedule", ["", "parallel", "independent>", ">".join(17 * ["flattened"])])
def test_what_is_not_a_schedule(schedule: str) -> None:
    with pytest.raises(FettleError, match=r"not a schedule of a level|16 nested levels at most"):
        native().CudaKernel(["map"], schedule)
