"""The measuring with a stand-in for the CUDA driver: what it does when kernels fail."""

import math
import os
import subprocess
from pathlib import Path

import pytest
from compiling import nvrtc_path
from gpu import Device
from measuring import OnGpu
from shapes import kernel_named

pytestmark = pytest.mark.skipif(nvrtc_path() is None, reason="no CUDA toolkit with NVRTC is here")
HERE = Path(__file__).parent
KERNEL = kernel_named("dense_1d_x_r1")


@pytest.fixture(scope="module")
def measuring(tmp_path_factory):
    """Measures on the stand-in."""
    library = tmp_path_factory.mktemp("stencil") / "stand_in.so"
    command = [os.environ.get("FETTLE_CXX", "c++"), "-std=c++20", "-shared", "-fPIC", "-isystem"]
    command += [str(nvrtc_path().parents[1] / "include"), str(HERE / "stand_in_driver.cpp")]
    subprocess.run([*command, "-o", str(library)], check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FETTLE_CUDA_DRIVER", str(library))
        made = OnGpu(sides=(32, 32, 32), jobs=1)
        yield made
        made.compilers.close()


def point_of(threads):
    """A configuration with so many threads."""
    point = {"loading": "global", "vector_width": 1}
    for axis in "xyz":
        point |= {f"{factor}_{axis}": 1 for factor in ("work_group", "block_merge", "cyclic_merge")}
    return {**point, "work_group_x": min(threads, 32), "work_group_y": max(1, threads // 32)}


def measured(measuring, threads, repeats=None):
    """Seconds and reason."""
    [(_, compiled)] = measuring.compilers.compile({0: measuring.source(KERNEL, point_of(threads))})
    seconds, spent, reason = measuring.device.measure(KERNEL, point_of(threads), compiled, repeats)
    assert spent > 0
    return seconds, reason


def test_the_median_of_the_launches_after_the_first_counts(measuring):
    assert measured(measuring, 64) == (pytest.approx(3e-3), "")
    assert measured(measuring, 64, 3) == (pytest.approx(4e-3), "")
    assert measuring.device.name == "stand-in"


def test_a_batch_has_values_and_costs_in_its_order(measuring):
    hopeless = {**point_of(32), **{f"cyclic_merge_{axis}": 256 for axis in "xyz"}}
    batch = [(KERNEL.name, point) for point in (hopeless, point_of(64), point_of(1024))]
    none, found, failed = measuring.batch(batch)
    assert (none.value, none.seconds) == (math.inf, 0)
    assert found.value == pytest.approx(3e-3)
    assert math.isinf(failed.value)
    assert min(found.seconds, failed.seconds) > 0
    assert measuring.reasons["cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"] == 1


def test_winners_are_measured_again_in_turn(measuring):
    assert measuring.again(KERNEL, [point_of(64), point_of(32)]) == pytest.approx([3e-3, 3e-3])


def test_what_is_far_slower_than_the_best_is_launched_once(measuring):
    assert measured(measuring, 64)[1] == ""
    assert measured(measuring, 128) == (pytest.approx(1.0), "")
    assert measured(measuring, 128, 3) == (pytest.approx(1.0), "")


def test_wrong_outputs_are_counted(measuring):
    assert measured(measuring, 256) == (math.inf, "3 of 32768 outputs are wrong")


def test_a_launch_that_fails_is_named(measuring):
    reason = "cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
    assert measured(measuring, 1024) == (math.inf, reason)


def test_after_a_ruined_context_it_goes_on(measuring):
    reason = "cuEventSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS"
    assert measured(measuring, 512) == (math.inf, reason)
    assert measured(measuring, 32)[1] == ""


def test_after_the_time_limit_nothing_is_measured(measuring, monkeypatch):
    monkeypatch.setattr(measuring, "_deadline", 0.0)
    assert measuring.batch([(KERNEL.name, point_of(64))]) == [None]
    assert measuring.again(KERNEL, [point_of(64)]) == []


def test_without_a_driver_it_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("FETTLE_CUDA_DRIVER", str(tmp_path / "none.so"))
    with pytest.raises(SystemExit, match="there is no CUDA driver"):
        Device((32, 32, 32))
