"""The kernels' source: its values, run on the host, and that NVRTC compiles it."""

import ctypes
import os
import subprocess
from math import prod
from pathlib import Path

import numpy as np
import pytest
from compiling import Compilers, Source, nvrtc_path
from gpu import is_hopeless
from shapes import MAX_RADIUS, kernel_named
from source import FOLDER, PAD, input_size, macros, terms, threads
from space import LOADING, random_points

HERE = Path(__file__).parent
SIDES = (8, 8, 8)
FLAT = (32, 8, 2)
COMPILER = os.environ.get("FETTLE_CXX", "c++")
NAMES = ("star_2d_xz_r2", "no_corners_3d_r1", "thumbtack_3d_y_r5", "dense_1d_x_r3", "dense_0d_r0")


def aligned(count):
    """An array of NaN at the beginning of a cache line."""
    memory = np.full(count + 64, np.nan, np.float32)
    first = -memory.ctypes.data % 64 // memory.itemsize
    return memory[first : first + count]


def reference(kernel, values, sides):
    """The stencil in double precision, one shifted copy of the input per term."""
    pads = (MAX_RADIUS, MAX_RADIUS, PAD)
    shape = sides[::-1]
    whole = [side + 2 * pad for side, pad in zip(shape, pads, strict=True)]
    array = values.reshape(whole).astype(np.float64)
    found = np.zeros(shape)
    for offset, weight in zip(kernel.offsets, kernel.weights, strict=True):
        z, y, x = (
            slice(pad + d, pad + d + side)
            for pad, d, side in zip(pads, offset[::-1], shape, strict=True)
        )
        found += weight * array[z, y, x]
    return found


def run_on_host(kernel, point, folder, values, sides=SIDES, fixed=True):
    """The output of a configuration, its threads run one after the other."""
    (folder / "stencil_terms.inc").write_text(terms(kernel), encoding="utf-8")
    library = folder / "stencil.so"
    command = [COMPILER, "-std=c++17", "-O0", "-shared", "-fPIC", "-w"]
    command += [
        *macros(kernel, point, sides, fixed=fixed),
        "-I",
        str(folder),
        "-I",
        str(FOLDER),
        str(HERE / "on_host.cpp"),
    ]
    subprocess.run([*command, "-o", str(library)], check=True)
    output = aligned(prod(sides))
    tile = aligned(prod(side + 10 for side in sides))
    run = ctypes.CDLL(str(library)).run_stencil
    group = [point[f"work_group_{axis}"] for axis in "xyz"]
    run(*(ctypes.c_void_p(array.ctypes.data) for array in (values, tile, output)), *group)
    return output.reshape(sides[::-1])


def input_for(sides):
    """Random numbers."""
    made = aligned(input_size(sides))
    made[:] = np.random.default_rng(5).uniform(-1, 1, len(made))
    return made


@pytest.fixture(scope="module")
def values():
    """An input."""
    return input_for(SIDES)


@pytest.mark.parametrize("loading", LOADING)
@pytest.mark.parametrize("name", NAMES)
def test_each_loading_technique_computes_the_stencil(name, loading, values, tmp_path):
    kernel = kernel_named(name)
    [point] = random_points(kernel, 1, seed=7, loading=[loading], sides=SIDES)
    found = run_on_host(kernel, point, tmp_path, values)
    expected = reference(kernel, values, SIDES)
    assert np.abs(found - expected).max() <= kernel.tolerance, point


@pytest.mark.parametrize("loading", LOADING)
@pytest.mark.parametrize("sides", [SIDES, FLAT])
def test_work_groups_of_the_size_of_the_launch_compute_the_stencil(
    loading, sides, values, tmp_path
):
    kernel = kernel_named("thumbtack_3d_y_r1")
    some = random_points(kernel, 40, seed=3, loading=[loading], sides=sides)
    point = max(some, key=lambda one: sum(one[f"work_group_{axis}"] > 1 for axis in "xyz"))
    given = values if sides == SIDES else input_for(sides)
    found = run_on_host(kernel, point, tmp_path, given, sides, fixed=False)
    assert np.abs(found - reference(kernel, given, sides)).max() <= kernel.tolerance, point


@pytest.mark.parametrize("loading", LOADING)
def test_an_array_that_is_no_cube_is_computed(loading, tmp_path):
    kernel = kernel_named("diamond_3d_r2")
    values = input_for(FLAT)
    [point] = random_points(kernel, 1, seed=4, loading=[loading], sides=FLAT)
    found = run_on_host(kernel, point, tmp_path, values, FLAT)
    assert np.abs(found - reference(kernel, values, FLAT)).max() <= kernel.tolerance, point


def test_only_kernels_of_a_fixed_work_group_size_are_compiled_for_it():
    kernel = kernel_named("star_3d_r1")
    one, other = random_points(kernel, 300, seed=1, loading=["global"])[:2]
    other = {**one, **{f"work_group_{axis}": other[f"work_group_{axis}"] for axis in "xyz"}}
    assert macros(kernel, one, SIDES) != macros(kernel, other, SIDES)
    assert macros(kernel, one, SIDES, fixed=False) == macros(kernel, other, SIDES, fixed=False)
    point = {"work_group_x": 8, "work_group_y": 4, "work_group_z": 2}
    assert threads(point) == (64, 1, 1)
    assert threads(point, fixed=False) == (8, 4, 2)


def test_a_weight_that_is_off_is_beyond_the_tolerance(values):
    kernel = kernel_named("dense_3d_r5")
    expected = reference(kernel, values, SIDES)
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
        expected = reference(kernel, values, SIDES)
        assert np.abs(found - expected).max() <= kernel.tolerance


def test_only_what_cannot_compete_is_hopeless():
    kernel = kernel_named("star_3d_r1")
    one = {f"{f}_{a}": 1 for a in "xyz" for f in ("work_group", "block_merge", "cyclic_merge")}
    assert not is_hopeless(kernel, one, (256, 256, 256))
    assert not is_hopeless(kernel, {**one, "cyclic_merge_y": 256}, (256, 256, 256))
    assert is_hopeless(
        kernel, {**one, **{f"cyclic_merge_{a}": 256 for a in "xyz"}}, (256, 256, 256)
    )


needs_nvrtc = pytest.mark.skipif(nvrtc_path() is None, reason="no CUDA toolkit with NVRTC is here")


@needs_nvrtc
def test_nvrtc_compiles_every_loading_technique():
    kernel = kernel_named("diamond_2d_yz_r2")
    sources = {}
    for i, way in enumerate(LOADING):
        some = random_points(kernel, 10, seed=1, loading=[way])
        point = next(point for point in some if not is_hopeless(kernel, point, (256, 256, 256)))
        options = [
            *macros(kernel, point, (256, 256, 256), fixed=i % 2 == 0),
            "--gpu-architecture=sm_90",
        ]
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
    options = [*macros(kernel, point, (256, 256, 256)), "--gpu-architecture=sm_90"]
    sources = {i: Source(FOLDER / "stencil.cu", terms(kernel), options) for i in range(3)}
    sources[1] = CrashingSource(*vars(sources[1]).values())
    compilers = Compilers(1)
    found = dict(compilers.compile(sources))
    compilers.close()
    assert [found[i].reason for i in range(3)] == ["", "the compiler crashed", ""]
