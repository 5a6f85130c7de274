"""The kernels' source: its values, run on the host, and that NVRTC compiles it."""

import ctypes
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import openmp
import pytest
from gpu import Measuring, is_hopeless
from openmp_space import openmp_space, options_of
from programs import toolkit
from samples import random_points
from shapes import kernel_named
from source import FOLDER, input_size, macros, terms
from space import LOADING

from fettle.search.points import points_of

HERE = Path(__file__).parent
ELEMENTS = 8
COMPILER = os.environ.get("FETTLE_CXX", "c++")
NAMES = ("star_2d_xz_r2", "no_corners_3d_r1", "thumbtack_3d_y_r5", "dense_1d_x_r3", "dense_0d_r0")


def run_on_host(kernel, point, folder, values):
    """The output of a configuration, its threads run one after the other."""
    (folder / "stencil_terms.inc").write_text(terms(kernel), encoding="utf-8")
    given = [f"-D{name}={value}" for name, value in macros(kernel, point, ELEMENTS).items()]
    library = folder / "stencil.so"
    command = [COMPILER, "-std=c++17", "-O0", "-shared", "-fPIC", "-w", *given]
    command += ["-I", str(folder), "-I", str(FOLDER), str(HERE / "on_host.cpp")]
    subprocess.run([*command, "-o", str(library)], check=True)
    output = openmp.aligned(ELEMENTS**3)
    tile = openmp.aligned((ELEMENTS + 10) ** 3)
    run = ctypes.CDLL(str(library)).run_stencil
    run(*(ctypes.c_void_p(array.ctypes.data) for array in (values, tile, output)))
    return output.reshape((ELEMENTS,) * 3)


@pytest.fixture(scope="module")
def values():
    """An input."""
    made = openmp.aligned(input_size(ELEMENTS))
    made[:] = np.random.default_rng(5).uniform(-1, 1, len(made))
    return made


@pytest.mark.parametrize("loading", LOADING)
@pytest.mark.parametrize("name", NAMES)
def test_each_loading_technique_computes_the_stencil(name, loading, values, tmp_path):
    kernel = kernel_named(name)
    [point] = random_points(kernel, 1, seed=7, loading=[loading], elements=ELEMENTS)
    found = run_on_host(kernel, point, tmp_path, values)
    expected = openmp.reference(kernel, values, ELEMENTS)
    assert np.abs(found - expected).max() <= openmp.tolerance(kernel), point


def test_a_weight_that_is_off_is_beyond_the_tolerance(values):
    kernel = kernel_named("dense_3d_r5")
    expected = openmp.reference(kernel, values, ELEMENTS)
    beside = kernel.offsets[0]
    wrong = expected + 0.01 * kernel.weights[0] * beside[0]
    assert np.abs(wrong - expected).max() > openmp.tolerance(kernel)


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
        expected = openmp.reference(kernel, values, ELEMENTS)
        assert np.abs(found - expected).max() <= openmp.tolerance(kernel)


def test_only_what_cannot_compete_is_hopeless():
    kernel = kernel_named("star_3d_r1")
    one = {f"{f}_{a}": 1 for a in "xyz" for f in ("work_group", "block_merge", "cyclic_merge")}
    assert not is_hopeless(kernel, one, 256)
    assert not is_hopeless(kernel, {**one, "cyclic_merge_y": 256}, 256)
    assert is_hopeless(kernel, {**one, **{f"cyclic_merge_{a}": 256 for a in "xyz"}}, 256)


@pytest.mark.skipif(toolkit() is None, reason="no CUDA toolkit with NVRTC is here")
def test_nvrtc_compiles_every_loading_technique_and_the_cache_keeps_it(tmp_path):
    kernel = kernel_named("diamond_2d_yz_r2")
    points = []
    for way in LOADING:
        some = random_points(kernel, 10, seed=1, loading=[way])
        points.append(next(point for point in some if not is_hopeless(kernel, point, 256)))
    spoilt = {**points[LOADING.index("vector")], "vector_width": "nonsense"}
    first = None
    for _ in range(2):
        with Measuring(folder=tmp_path, devices=0, jobs=2) as measuring:
            found = measuring.measure_all({kernel.name: [*points, spoilt]})[kernel.name]
            assert [one.reason for one in found[:-1]] == ["compiled, not measured"] * len(points)
            assert "does not compile" in found[-1].reason
            times = [one.compile_seconds for one in found]
            assert times == pytest.approx(first or times, rel=1e-4)
            first = times
    kept = [path for path in (tmp_path / "compiled").rglob("*") if path.is_file()]
    assert len(kept) == len(points) + 1


def test_openmp_computes_the_stencils(tmp_path):
    points = points_of(openmp_space(ELEMENTS))
    some = [points.point(key) for key in list(points)[:: len(points) // 4]]
    names = ["dense_1d_z_r1", "diamond_2d_xy_r2", "star_3d_r1"]
    with openmp.OpenMP(folder=tmp_path, elements=ELEMENTS) as measured:
        found = measured.measure_all(dict.fromkeys(names, some))
    for name in names:
        assert [one.reason for one in found[name]] == [""] * len(some)
        assert all(0 < one.seconds < math.inf for one in found[name])


def test_openmp_reports_wrong_outputs_and_failed_compilations(tmp_path, monkeypatch):
    kernel = kernel_named("dense_1d_y_r1")
    point = next(iter(openmp_space(ELEMENTS)))
    # The output of another kernel's terms is wrong for this one.
    monkeypatch.setattr(openmp, "terms", lambda _: terms(kernel_named("dense_1d_z_r1")))
    with openmp.OpenMP(folder=tmp_path / "a", elements=ELEMENTS) as measured:
        [found] = measured.measure_all({kernel.name: [point]})[kernel.name]
    assert math.isinf(found.seconds)
    assert "512 of 512 outputs are wrong" in found.reason
    monkeypatch.setattr(openmp, "terms", lambda _: "no C++")
    with openmp.OpenMP(folder=tmp_path / "b", elements=ELEMENTS) as measured:
        [found] = measured.measure_all({kernel.name: [point]})[kernel.name]
    assert math.isinf(found.seconds)
    assert "does not compile" in found.reason


def test_openmp_compiles_a_configuration_once(tmp_path, monkeypatch):
    kernel = kernel_named("dense_1d_y_r1")
    point = next(iter(openmp_space(ELEMENTS)))
    with openmp.OpenMP(folder=tmp_path, elements=ELEMENTS) as measured:
        first = measured.compile(kernel, point)
        monkeypatch.setattr(measured, "compiler", "no-such-compiler")
        assert measured.compile(kernel, point)[0] == first[0]
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".so", ".txt"]
    assert "-fno-tree-vectorize" in options_of({**point, "vectorization": "none"}, ELEMENTS)
