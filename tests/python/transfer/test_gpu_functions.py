"""Functions of a GPU: filed by it, with its device features, and carried to other GPUs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from stored_machines import costs, measure, tune

from fettle import Autotuner, CodeVariant, TreeClassifier
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.data.training_set import TrainingWarning
from fettle.model.deployed import load
from fettle.store.sqlite import SqliteStore
from fettle.training.gpu_program import uses_gpu
from fettle.training.program import Program
from fettle.training.subject import measured_machine
from fettle.transfer.gpu_benchmarks import measured_gpu
from fettle.transfer.similarity import similarity
from fettle.transfer.target_machine import record_machine
from fettle.transfer.this_machine import NOTE, known_machines, known_with_gpus

OF_GPU = {"speed": 4.0, "cuda_cores": 640.0}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """An executable with a section of device code, as nvcc makes it."""
    (tmp_path / "app.cpp").write_text(
        '__attribute__((section(".nv_fatbin"), used)) int code = 1;\nint main() { return 0; }\n'
    )
    command = [shutil.which("c++") or "c++", "app.cpp", "-o", "app"]
    subprocess.run(command, cwd=tmp_path, check=True)
    return tmp_path / "app"


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("training.subject", "transfer.target_machine", "transfer.this_machine"):
        monkeypatch.setattr(f"fettle.{module}.gpu_name", lambda: "GPU G")
    for module in ("training.subject", "transfer.target_machine", "transfer.this_machine"):
        monkeypatch.setattr(f"fettle.{module}.machine_name", lambda: "P, 8 cores")
    found = {"P, 8 cores": {"cores": 8.0}, "GPU G": OF_GPU}
    monkeypatch.setattr("fettle.transfer.this_machine.device_features", lambda: found)


def test_a_program_with_code_for_a_gpu_is_known_as_one(program: Path, tmp_path: Path) -> None:
    assert uses_gpu(program)
    script, cut = tmp_path / "app.sh", tmp_path / "cut"
    script.write_text("#!/bin/sh\n")
    cut.write_bytes(program.read_bytes()[:80])
    assert not any(uses_gpu(one) for one in (script, cut, tmp_path, tmp_path / "none"))
    assert not uses_gpu(Path(shutil.which("true") or "/bin/true").resolve())


def test_its_measurements_are_filed_by_the_gpu(program: Path, gpu: None) -> None:
    assert measured_machine(Program("app", program.parent)) == "P, 8 cores, GPU G"
    assert measured_machine(Program("none", program.parent)) == "P, 8 cores"
    (program.parent / "none").write_text("#!/bin/sh\n")
    (program.parent / "none").chmod(0o755)
    assert measured_machine(Program("none", program.parent)) == "P, 8 cores"


def test_record_keeps_the_features_of_the_gpu(
    program: Path, gpu: None, here: Path, tmp_path: Path
) -> None:
    function = CodeVariant("f", record=True, device_id="gtx_480")
    settings = Autotuner(program).settings
    record_machine(settings, [function])
    with SqliteStore(here / "fettle.sqlite") as store:
        assert known_with_gpus(store)["gtx_480"] == OF_GPU
        assert known_machines(store)["gtx_480"] == {"cores": 8.0}
    record_machine(settings, [CodeVariant("f", record=True)])
    with SqliteStore(here / "fettle.sqlite") as store:
        assert known_with_gpus(store)["P, 8 cores, GPU G"] == OF_GPU


def sources(path: Path) -> None:
    """Two hosts that are alike, with GPUs that are not."""
    kept = {}
    with SqliteStore(path) as store, store.together():
        for gpu, speed in (("A", 1.0), ("B", 2.0), ("D", 8.0)):
            host = f"P{gpu}, 8 cores"
            kept[host] = {"features": {"cores": 8.0}, "gpu": f"GPU {gpu}"}
            kept[f"GPU {gpu}"] = {"features": {"speed": speed, "cuda_cores": 640.0 * speed}}
            measure(store, gpu, filed_as=f"{host}, GPU {gpu}")
        store.set_note(NOTE, json.dumps(kept))


def test_a_model_for_this_gpu_comes_from_those_of_others(gpu: None, here: Path) -> None:
    sources(here / "fettle.sqlite")
    tuner = Autotuner("app", display=Silence())
    [found] = tuner.tune_from_source([CodeVariant("f", 3, classifier=TreeClassifier())])
    assert found.machine == "P, 8 cores, GPU G"
    assert found.sources == ("PA, 8 cores, GPU A", "PB, 8 cores, GPU B", "PD, 8 cores, GPU D")
    model = load(found.directory)
    for size in (2.0, 4000.0):
        each = costs("here", size)
        assert model.choose(size=size).variant == min(each, key=each.__getitem__)


def test_a_machine_without_a_gpu_is_told(
    gpu: None, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources(here / "fettle.sqlite")
    monkeypatch.setattr("fettle.transfer.target_machine.gpu_name", lambda: "")
    tuner = Autotuner("app", display=Silence())
    with pytest.raises(FettleError, match=r"f ran on the GPUs of the sources, and this machine sh"):
        tuner.tune_from_source([CodeVariant("f", 3)])
    assert tune("PA, 8 cores, GPU A").sources[0].startswith("PB")


def test_processors_and_gpus_are_compared_apart() -> None:
    names, table = similarity(
        {
            "G1": {"cuda_cores": 1.0, "a": 2.0},
            "G2": {"cuda_cores": 2.0, "a": 2.0},
            "P1": {"cores": 1.0},
        }
    )
    assert names == ["G1", "G2", "P1"]
    assert table[2] == [None, None, 1.0]
    assert table[0][:2] == pytest.approx([1.0, -1.0])


def test_micro_benchmarks_need_nvcc_and_are_told_where_they_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    assert measured_gpu() == {}
    (tmp_path / "bin").mkdir()
    nvcc = tmp_path / "bin" / "nvcc"

    def compiles(program: str) -> None:
        lines = ["#!/bin/sh", 'while [ "$1" != -o ]; do shift; done', f"printf '{program}' > $2"]
        nvcc.write_text("\n".join([*lines, "chmod +x $2"]) + "\n")
        nvcc.chmod(0o755)

    compiles(r"#!/bin/sh\necho copy_gbps 3000.5\necho gather_gbps nan\necho l2_gbps 0\n")
    assert measured_gpu() == {"copy_gbps": 3000.5}
    compiles(r"#!/bin/sh\nexit 2\n")
    with pytest.warns(TrainingWarning, match="are left out: they ended with status 2"):
        assert measured_gpu() == {}
    nvcc.write_text("#!/bin/sh\necho no such architecture\nexit 1\n")
    with pytest.warns(TrainingWarning, match=r"(?s)cannot be compiled by .*no such architecture"):
        assert measured_gpu() == {}
