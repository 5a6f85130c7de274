"""Figures 2.2 and 2.3 of the dissertation, run with only include and import lines changed."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from known_times import replace_times

SOURCE = Path(os.environ.get("FETTLE_SOURCE_DIR", Path(__file__).parents[3]))

FIGURE_2_2 = """
void SparseMatVec(HostMatrix *matrix) {
typedef thrust::tuple<HostMatrix *> ArgTuple;
context cx;
code_variant<tuning_policies::spmv, ArgTuple> spmv(cx);
csr_vector_type<HostMatrix> __csr_vector;
dia_type<HostMatrix> __dia;
spmv.add_variant(&__csr_vector);
spmv.add_variant(&__dia);
spmv.set_default(&__csr_vector);
nnz_type<HostMatrix> __nnz;
num_rows_type<HostMatrix> __num_rows;
spmv.add_input_feature(&__nnz);
spmv.add_input_feature(&__num_rows);
dia_cutoff_type __dia_cutoff;
spmv.add_constraint(&__dia, &__dia_cutoff);
spmv(matrix);
"""

FIGURE_2_3 = """
import glob
spmv = code_variant("spmv", 6)
spmv.classifier = svm_classifier()
spmv.constraints = False
spmv.parallel_feature_evaluation = False
spmv.constraints = True
spmv.async_feature_eval = False
tuner = autotuner("spmv")
matrices = glob.glob("inputs/training/*.mtx")
tuner.set_training_args(matrices)
tuner.set_build_command("make")
tuner.set_clean_command("make clean")
tuner.tune([spmv])
"""


def statements(path: Path) -> list[str]:
    """The lines of a file without comments, indentation and blank lines."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith(("#", "//"))]


def in_order(wanted: list[str], lines: list[str]) -> bool:
    rest = iter(lines)
    return all(line in rest for line in wanted)


def test_the_listings_are_the_papers() -> None:
    example = SOURCE / "examples/paper_spmv"
    figure = FIGURE_2_2.strip().splitlines()
    assert in_order(figure, statements(example / "sparse_mat_vec.cpp"))
    figure = FIGURE_2_3.strip().splitlines()
    script = [line for line in statements(example / "tune.py") if not line.startswith("from ")]
    assert script == figure


def matrix_market(rows: int, entries: dict[tuple[int, int], float]) -> str:
    lines = ["%%MatrixMarket matrix coordinate real general", f"{rows} {rows} {len(entries)}"]
    lines += [f"{i + 1} {j + 1} {value!r}" for (i, j), value in sorted(entries.items())]
    return "\n".join([*lines, ""])


def banded(rows: int, width: int) -> dict[tuple[int, int], float]:
    """A matrix that DIA suits."""
    return {
        (i, j): 1.0 + i % 5
        for i in range(rows)
        for j in range(max(0, i - width), min(rows, i + width + 1))
    }


def scattered(rows: int, mean: int, seed: int) -> dict[tuple[int, int], float]:
    """A matrix that DIA's constraint excludes."""
    draw = random.Random(seed)
    return {(i, draw.randrange(rows)): draw.random() for i in range(rows) for _ in range(mean)}


def checksum(entries: dict[tuple[int, int], float]) -> float:
    """What the program prints: the sum of y = A x with x[j] = 1 + j % 7."""
    return sum(value * (1 + j % 7) for (_, j), value in entries.items())


def seconds(variant: str, matrix: str, _: dict[str, float]) -> float:
    """What a product is to take: DIA is the best where it suits, the vector kernel elsewhere."""
    best = "dia_type" if "banded" in matrix else "csr_vector_type"
    return 1e-5 if variant == best else 3e-5


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of the example in a folder of its own, beside the reader that it shares."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    for name in ("paper_spmv", "spmv"):
        shutil.copytree(SOURCE / "examples" / name, tmp_path / name)
    training = tmp_path / "paper_spmv/inputs/training"
    training.mkdir(parents=True)
    for k in range(4):
        banded_matrix = banded(300 << k, 1 + k)
        (training / f"banded{k}.mtx").write_text(matrix_market(300 << k, banded_matrix))
        scattered_matrix = scattered(200 << k, 6, seed=k)
        (training / f"scattered{k}.mtx").write_text(matrix_market(200 << k, scattered_matrix))
    return tmp_path / "paper_spmv"


def test_tune_build_and_run(example: Path) -> None:
    environment = {
        **os.environ,
        "FETTLE": str(SOURCE / "include"),
        "CXX": os.environ.get("FETTLE_CXX", "c++"),
        "NO_COLOR": "1",
    }

    def tune(*command: str) -> None:
        tuned = subprocess.run(
            [sys.executable, *command, "tune.py"],
            cwd=example,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert tuned.returncode == 0, tuned.stdout + tuned.stderr

    tune()
    variants = replace_times(example / "fettle.sqlite", seconds)
    assert len(variants) == 6
    # Of these times: nothing is left to be measured, and the real ones may gain nothing.
    tune("-m", "fettle", "tune", "--no-compare")
    assert "struct spmv" in (example / "fettle_config.hpp").read_text()
    assert (example / "fettle_models/spmv/model.txt").is_file()

    trace = example / "trace.jsonl"
    held_out = {"banded": banded(500, 2), "scattered": scattered(500, 5, seed=99)}
    for name, entries in held_out.items():
        matrix = example / f"{name}.mtx"
        matrix.write_text(matrix_market(500, entries))
        run = subprocess.run(
            ["./spmv", matrix.name],
            cwd=example,
            env={**environment, "FETTLE_TRACE": str(trace)},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        assert run.stderr == ""
        assert float(run.stdout) == pytest.approx(checksum(entries), rel=1e-9)
    decisions = [json.loads(line) for line in trace.read_text().splitlines()]
    assert [(one["variant"], one["reason"]) for one in decisions] == [
        ("dia_type", "model"),
        ("csr_vector_type", "model"),
    ]
