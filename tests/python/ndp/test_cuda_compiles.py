"""CUDA without a GPU: a program is analysed, and a header with its candidates compiles."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from cuda_program import NVCC, PROGRAM, quick_flags
from programs_build import INCLUDE, WITH_LIBRARY

from fettle.code_variant import CodeVariant
from fettle.ndp.analyze import analyze
from fettle.ndp.base.computation import Computation
from fettle.ndp.header import TunedComputation
from fettle.ndp.policies import candidates
from fettle.ndp.toolchain import toolchain_of
from fettle.training.policy_header import policy_header

pytestmark = pytest.mark.skipif(NVCC is None, reason="there is no nvcc")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Computation:
    source = tmp_path_factory.mktemp("program") / "row_sums.cu"
    shutil.copy(PROGRAM, source)
    toolchain = toolchain_of("cuda", flags=WITH_LIBRARY, compiler=NVCC, architecture="sm_90")
    (its,) = analyze(source, toolchain, seconds=60)
    return its


def compiled(folder: Path, computation: Computation) -> subprocess.CompletedProcess[str]:
    """Compiles the program as a shard, with a candidate of each schedule."""
    first = {one.schedule: one for one in reversed(candidates(computation, "small"))}
    tuned = TunedComputation(computation, tuple(first.values()), "fettle ndp tune row_sums.cu")
    text = policy_header(
        [CodeVariant("spmv.cuda", list(tuned.variants))],
        folder,
        computations={"spmv.cuda": tuned},
        defines=["FETTLE_NDP_SHARD"],
    )
    (folder / "fettle_config.hpp").write_text(text)
    shutil.copy(PROGRAM, folder)
    command = [NVCC or "", "-std=c++20", *quick_flags(), "-arch=sm_90", "-DFETTLE_COMPILED"]
    command += [f"-I{INCLUDE}", "-c"]
    command += [str(folder / PROGRAM.name), "-o", str(folder / "spmv.o")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_program_is_analysed(found: Computation) -> None:
    assert found.function == "spmv.cuda"
    assert found.signature == "map>reduce irregular double double"
    assert found.limits == {
        "threads_per_block": 1024,
        "block_dimension": 1024,
        "shared_bytes": 48 * 1024,
    }
    assert len(candidates(found)) > 100


def test_a_candidate_of_each_schedule_compiles(found: Computation, tmp_path: Path) -> None:
    done = compiled(tmp_path, found)
    assert done.returncode == 0, done.stderr
    kernels = subprocess.run(
        ["nm", "-C", tmp_path / "spmv.o"], capture_output=True, text=True, check=True
    ).stdout
    for kernel in ("rows_kernel<", "sequential_kernel<", "single_kernel<", "flattened_reduce"):
        assert kernel in kernels
    assert "fettle_ndp_shard_table" in kernels


def test_a_header_of_another_program_does_not_compile(found: Computation, tmp_path: Path) -> None:
    done = compiled(tmp_path, replace(found, signature="map>reduce irregular float,int32 float"))
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "spmv is no longer the computation that was tuned" in said
    assert "fettle ndp tune row_sums.cu" in said
