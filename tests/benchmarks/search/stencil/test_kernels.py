"""The kernels' source: its values, run on the host, and that NVRTC compiles it."""

import ctypes
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from compiling import Compilers, Source, nvrtc_path
from gpu import is_hopeless
from shapes import MAX_RADIUS, kernel_named
from source import FOLDER, PAD, input_size, macros, terms
from space import LOADING, random_points

HERE = Path(__file__).parent
ELEMENTS = 8
COMPILER = os.environ.get("FETTLE_CXX", "c++")
NAMES = ("star_2d_xz_r2", "no_corners_3d_r1", "thumbtack_3d_y_r5", "dense_1d_x_r3", "dense_0d_r0")


def aligned(count):
    """An array of NaN at the beginning of a cache line."""
    memory = np.full(count + 64, np.nan, np.float32)
    first = -memory.ctypes.data % 64 // memory.itemsize
    return memory[first : first + count]


def reference(kernel, values, elements):
    """The stencil in double precision, one shifted copy of the input per term."""
    rows = elements + 2 * MAX_RADIUS
    cube = values.reshape(rows, rows, elements + 2 * PAD).astype(np.float64)
    found = np.zeros((elements,) * 3)
    for (dx, dy, dz), weight in zip(kernel.offsets, kernel.weights, strict=True):
        z, y, x = (
            slice(pad + d, pad + d + elements)
            for pad, d in ((MAX_RADIUS, dz), (MAX_RADIUS, dy), (PAD, dx))
        )
        found += weight * cube[z, y, x]
    return found


def run_on_host(kernel, point, folder, values):
    """The output of a configuration, its threads run one after the other."""
    (folder / "stencil_terms.inc").write_text(terms(kernel), encoding="utf-8")
    library = folder / "stencil.so"
    command = [COMPILER, "-std=c++17", "-O0", "-shared", "-fPIC", "-w"]
    command += [
        *macros(kernel, point, ELEMENTS),
        "-I",
        str(folder),
        "-I",
        str(FOLDER),
        str(HERE / "on_host.cpp"),
    ]
    subprocess.run([*command, "-o", str(library)], check=True)
    output = aligned(ELEMENTS**3)
    tile = aligned((ELEMENTS + 10) ** 3)
    run = ctypes.CDLL(str(library)).run_stencil
    run(*(ctypes.c_void_p(array.ctypes.data) for array in (values, tile, output)))
    return output.reshape((ELEMENTS,) * 3)


@pytest.fixture(scope="module")
def values():
    """An input."""
    made = aligned(input_size(ELEMENTS))
    made[:] = np.random.default_rng(5).uniform(-1, 1, len(made))
    return made


@pytest.mark.parametrize("loading", LOADING)
@pytest.mark.parametrize("name", NAMES)
def test_each_loading_technique_computes_the_stencil(name, loading, values, tmp_path):
    kernel = kernel_named(name)
    [point] = random_points(kernel, 1, seed=7, loading=[loading], elements=ELEMENTS)
    found = run_on_host(kernel, point, tmp_path, values)
    expected = reference(kernel, values, ELEMENTS)
    assert np.abs(found - expected).max() <= kernel.tolerance, point


def test_a_weight_that_is_off_is_beyond_the_tolerance(values):
    kernel = kernel_named("dense_3d_r5")
    expected = reference(kernel, values, ELEMENTS)
    beside = kernel.offsets[0]
    wrong = expected + 0.01 * kernel.weights[0] * beside[0]
    assert np.abs(wrong - expected).max() > kernel.tolerance


def test_block_merging_in_y_and_z_computes_the_stencil(values, tmp_path):
    kernel = kernel_named("star_3d_r2")
    for loading, width in (("vector", 4), ("local", 1)):
        point = {"loading": loading, "vector_width": width}
        for axis in "xyz":
            point |= {f"work_group_{axis}": 1, f"block_merge_{axis}": 2, f"cyclic_merge_{axis}": 2}
        point["block_merge_x"] = width
        folder = tmp_path / loading
        folder.mkdir()
        found = run_on_host(kernel, point, folder, values)
        expected = reference(kernel, values, ELEMENTS)
        assert np.abs(found - expected).max() <= kernel.tolerance


def test_only_what_cannot_compete_is_hopeless():
    kernel = kernel_named("star_3d_r1")
    one = {f"{f}_{a}": 1 for a in "xyz" for f in ("work_group", "block_merge", "cyclic_merge")}
    assert not is_hopeless(kernel, one, 256)
    assert not is_hopeless(kernel, {**one, "cyclic_merge_y": 256}, 256)
    assert is_hopeless(kernel, {**one, **{f"cyclic_merge_{a}": 256 for a in "xyz"}}, 256)


needs_nvrtc = pytest.mark.skipif(nvrtc_path() is None, reason="no CUDA toolkit with NVRTC is here")


@needs_nvrtc
def test_nvrtc_compiles_every_loading_technique():
    kernel = kernel_named("diamond_2d_yz_r2")
    sources = {}
    for i, way in enumerate(LOADING):
        some = random_points(kernel, 10, seed=1, loading=[way])
        point = next(point for point in some if not is_hopeless(kernel, point, 256))
        options = [*macros(kernel, point, 256), "--gpu-architecture=sm_90"]
        sources[i] = Source(FOLDER / "stencil.cu", terms(kernel), options)
    sources[len(LOADING)] = Source(sources[0].path, "no C++", sources[0].options)
    compilers = Compilers(2)
    found = dict(compilers.compile(sources))
    compilers.close()
    assert sorted(found) == sorted(sources)
    assert [found[i].reason for i in range(len(LOADING))] == [""] * len(LOADING)
    assert all(found[i].binary.startswith(b"\x7fELF") for i in range(len(LOADING)))
    assert all(one.seconds > 0 for one in found.values())
    assert found[len(LOADING)].reason.startswith("it does not compile: ")


class CrashingSource(Source):
    """Kills the process that unpickles it."""

    def __reduce__(self):
        return os.abort, ()


@needs_nvrtc
def test_a_compiler_that_crashes_takes_one_configuration_with_it():
    kernel = kernel_named("dense_0d_r0")
    [point] = random_points(kernel, 1, seed=1, loading=["global"])
    options = [*macros(kernel, point, 256), "--gpu-architecture=sm_90"]
    sources = {i: Source(FOLDER / "stencil.cu", terms(kernel), options) for i in range(3)}
    sources[1] = CrashingSource(*vars(sources[1]).values())
    compilers = Compilers(1)
    found = dict(compilers.compile(sources))
    compilers.close()
    assert [found[i].reason for i in range(3)] == ["", "the compiler crashed", ""]
