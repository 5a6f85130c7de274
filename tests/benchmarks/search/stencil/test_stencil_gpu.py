"""The measuring program with a stand-in for the CUDA driver: what it does when kernels fail."""

import math
import os
import subprocess
from pathlib import Path

import pytest
from gpu import Measuring
from programs import toolkit
from shapes import kernel_named

pytestmark = pytest.mark.skipif(toolkit() is None, reason="no CUDA toolkit with NVRTC is here")
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def measuring(tmp_path_factory):
    """The program, built, with the stand-in."""
    folder = tmp_path_factory.mktemp("stencil")
    library = folder / "stand_in.so"
    command = [os.environ.get("FETTLE_CXX", "c++"), "-std=c++20", "-shared", "-fPIC", "-isystem"]
    command += [str(toolkit() / "include"), str(HERE / "stand_in_driver.cpp"), "-o", str(library)]
    subprocess.run(command, check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FETTLE_CUDA_DRIVER", str(library))
        with Measuring(folder=folder, elements=32, jobs=1) as made:
            yield made


def point_of(threads):
    """A configuration with so many threads."""
    point = {"loading": "global", "vector_width": 1}
    for axis in "xyz":
        point |= {f"{factor}_{axis}": 1 for factor in ("work_group", "block_merge", "cyclic_merge")}
    return {**point, "work_group_x": min(threads, 32), "work_group_y": max(1, threads // 32)}


def measured(measuring, threads):
    return measuring.submit(kernel_named("dense_1d_x_r1"), point_of(threads)).result()


def test_the_median_of_the_launches_after_the_first_counts(measuring):
    found = measured(measuring, 64)
    assert (found.seconds, found.launches) == (pytest.approx(3e-3), 5)
    assert (found.registers, found.local_bytes, found.reason) == (40, 0, "")
    assert measuring.about["device"] == "stand-in"


def test_so_many_launches_as_are_asked_for(measuring):
    found = measuring.again(kernel_named("dense_1d_x_r1"), point_of(64), 10)
    assert (found.seconds, found.launches) == (pytest.approx(3e-3), 10)


def test_what_is_hopeless_is_launched_once(measuring):
    assert measured(measuring, 64).launches == 5
    found = measured(measuring, 128)
    assert (found.seconds, found.launches) == (pytest.approx(1.0), 1)


def test_wrong_outputs_are_counted(measuring):
    found = measured(measuring, 256)
    assert math.isinf(found.seconds)
    assert found.reason == "3 of 32768 outputs are wrong"


def test_a_launch_that_fails_is_named(measuring):
    found = measured(measuring, 1024)
    assert math.isinf(found.seconds)
    assert found.reason == "cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"


def test_after_a_ruined_context_it_goes_on(measuring):
    found = measured(measuring, 512)
    assert math.isinf(found.seconds)
    assert found.reason == "running it: CUDA_ERROR_ILLEGAL_ADDRESS"
    assert measured(measuring, 32).reason == ""


def test_without_a_driver_it_says_so(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("FETTLE_CUDA_DRIVER", str(tmp_path / "none.so"))
    with pytest.raises(SystemExit, match="ended with status 1"):
        Measuring(folder=tmp_path)
    assert "there is no CUDA driver" in capfd.readouterr().err
