"""Programs under tuning run on all cores that the tuner was started with."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fettle.core import cores
from fettle.training.build import run_command
from fettle.training.run import run_program

pytestmark = pytest.mark.skipif(len(cores.AT_START) < 2, reason="needs two cores")


@pytest.fixture
def bound(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """This thread is bound to one core, as by an OpenMP library."""
    monkeypatch.setenv("OMP_PROC_BIND", "true")
    core = min(cores.AT_START)
    os.sched_setaffinity(0, {core})
    yield core
    os.sched_setaffinity(0, cores.AT_START)


def cores_of_a_program(folder: Path) -> int:
    """How many a program may use that is started as one to be measured is."""
    program = folder / "program"
    program.write_text(
        f"#!{sys.executable}\nimport os\n"
        f"open({str(folder / 'cores')!r}, 'w').write(str(len(os.sched_getaffinity(0))))\n"
    )
    program.chmod(0o755)
    run_program(
        [str(program)],
        directory=folder,
        environment=dict(os.environ),
        log=folder / "log",
        handle=lambda record: None,
        silence_seconds=60,
    )
    return int((folder / "cores").read_text())


def test_a_program_gets_the_cores_that_openmp_took_from_the_tuner(
    bound: int, tmp_path: Path
) -> None:
    assert cores_of_a_program(tmp_path) == len(cores.AT_START)


def test_so_does_a_build(bound: int, tmp_path: Path) -> None:
    run_command("build", "nproc > cores", directory=tmp_path, environment=dict(os.environ))
    assert int((tmp_path / "cores").read_text()) == len(cores.AT_START)


def test_jobs_are_as_many_as_these_cores(bound: int) -> None:
    assert cores.core_count() == len(cores.AT_START)


def test_who_binds_the_tuner_without_openmp_means_it(
    bound: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMP_PROC_BIND")
    assert cores_of_a_program(tmp_path) == 1
    assert cores.core_count() == 1


def test_the_cores_are_known_before_an_openmp_library_takes_them() -> None:
    script = (
        "from fettle import AutoClassifier, cores\n"
        "import sklearn.ensemble\n"
        "print(len(cores.own_cores()), len(cores.AT_START), cores.core_count())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "OMP_PROC_BIND": "true"},
        capture_output=True,
        text=True,
        check=True,
    )
    before, known, after = map(int, done.stdout.split())
    assert before <= known == after == len(cores.AT_START)
