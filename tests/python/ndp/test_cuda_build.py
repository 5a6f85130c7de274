"""CUDA without a GPU: candidates are generated and compiled, all but measured."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest
from cuda_program import NVCC, PROGRAM, quick_flags
from programs_build import WITH_LIBRARY
from tuned_program import tuner_of

from fettle.core.errors import FettleError
from fettle.ndp.manifest import read_manifest

pytestmark = pytest.mark.skipif(NVCC is None, reason="needs nvcc")


class Entry(ctypes.Structure):
    """fettle_ndp_shard_entry of include/fettle/ndp/tuned/shard_table.hpp."""

    _fields_ = [
        ("computation", ctypes.c_char_p),
        ("platform", ctypes.c_char_p),
        ("expression", ctypes.c_char_p),
        ("destination", ctypes.c_char_p),
        ("variant", ctypes.c_char_p),
        ("call", ctypes.c_void_p),
        ("policy", ctypes.c_void_p),
        ("condition", ctypes.c_void_p),
        ("is_approximate", ctypes.c_bool),
    ]


class Table(ctypes.Structure):
    """fettle_ndp_shard."""

    _fields_ = [
        ("version", ctypes.c_uint),
        ("count", ctypes.c_size_t),
        ("entries", ctypes.POINTER(Entry)),
    ]


def variants_in(shard: Path) -> list[str]:
    """The names of the candidates that a shard lists itself."""
    function = ctypes.CDLL(str(shard)).fettle_ndp_shard_table
    function.restype = ctypes.POINTER(Table)
    table = function().contents
    assert table.version == 3
    entries = [table.entries[place] for place in range(table.count)]
    assert {entry.platform for entry in entries} == {b"cuda"}
    return [entry.variant.decode() for entry in entries]


def test_a_small_space_is_generated_and_compiled(tmp_path: Path) -> None:
    tuner = tuner_of(
        tmp_path,
        PROGRAM,
        platform="cuda",
        compiler=NVCC,
        architecture="sm_90",
        flags=[*quick_flags(), *WITH_LIBRARY],
        computations=["spmv"],
        schedules=["independent>sequential", "flattened"],
        only=["* block_size_x=128*", "flattened"],
    )
    manifest = tuner.build()
    assert read_manifest(tmp_path / "build").shards == manifest.shards
    built = manifest.candidates("spmv.cuda")
    assert {one.schedule for one in built} == {"independent>sequential", "flattened"}
    assert manifest.dropped == ()
    listed = [
        name for shard in manifest.shards for name in variants_in(tmp_path / "build" / shard.file)
    ]
    assert listed == [one.text for one in built]
    assert (tmp_path / "build" / manifest.program).exists()
    if subprocess.run(["sh", "-c", "nvidia-smi -L"], capture_output=True).returncode != 0:
        with pytest.raises(FettleError, match="no GPU here to measure on"):
            tuner.measure()
