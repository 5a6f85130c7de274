"""A chain of thresholds as what chooses among the versions of a nest, from source to program."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from known_times import replace_times
from programs_build import WITH_LIBRARY
from tuned_program import COMPILER, has_openmp, matrices, run_program, tuner_of

from fettle import ThresholdClassifier
from fettle.cli import main
from fettle.core.errors import FettleError
from fettle.model.model import Model
from fettle.model.model_directory import read_model
from fettle.model.trees import Tree, TreePredictor
from fettle.ndp.manifest import read_manifest
from fettle.ndp.toolchain import include_directory

pytestmark = pytest.mark.skipif(not has_openmp(), reason="needs a compiler with OpenMP")

TOP = "independent>sequential 1.schedule=static"
MIDDLE = "independent>cooperative 1.schedule=static"
FLATTENED = "flattened"
SERIAL = "sequential>sequential"
# Large enough for a team of threads, which fewer elements are not given to.
INPUTS = matrices((1000, 20000), (20, 200), seed=1)
TEST_INPUTS = matrices((1500, 15000), (30,), seed=2)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the nest's versions built and measured, and then given times of `winner`."""
    folder = tmp_path_factory.mktemp("versions")
    tuner = tuner_of(
        folder,
        computations=["spmv"],
        schedules=["independent>*", "sequential*", "flattened"],
        only=[TOP, MIDDLE, FLATTENED, SERIAL],
        inputs=INPUTS,
        test_inputs=TEST_INPUTS,
    )
    tuner.measure(tuner.build())
    (store,) = (folder / "build").glob("*.sqlite")
    variants = replace_times(
        store, lambda variant, _, features: 1e-5 if variant == winner(features) else 3e-5
    )
    assert variants >= {TOP, MIDDLE, FLATTENED, SERIAL}
    return folder


def winner(features: dict[str, float]) -> str:
    """The version that is to be the best on an input with these features."""
    if features["elements"] >= 2_000_000:
        return FLATTENED
    if features["rows"] >= 10_000:
        return TOP
    return MIDDLE if features["average_row_length"] >= 100 else SERIAL


def chain_of(model: Model) -> list[str]:
    """The variants that the deployed tree chooses, guard by guard; it must be a chain."""
    assert isinstance(model.predictor, TreePredictor)
    (tree,) = model.predictor.trees
    node, found = 0, []
    while tree.feature[node] >= 0:
        yes = tree.right[node]
        assert tree.feature[yes] < 0, "a guard that says yes takes one variant"
        found.append(_choice(model, tree, yes))
        node = tree.left[node]
    return [*found, _choice(model, tree, node)]


def _choice(model: Model, tree: Tree, leaf: int) -> str:
    return model.variants[tree.cost[leaf].index(min(tree.cost[leaf]))]


def check_program(folder: Path) -> None:
    """Compiled with what tuning wrote, it loads its models and is right on every input."""
    words = [COMPILER, "-std=c++20", "-O0", "-fopenmp", f"-I{include_directory()}", "-I."]
    words += ["two_computations.cpp", *WITH_LIBRARY, "-o", "deployed"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for given in [*INPUTS[::3], *TEST_INPUTS[::2]]:
        ran = run_program(folder / "deployed", given)
        assert (ran.returncode, ran.stderr) == (0, ""), given


def test_the_command_line_learns_a_chain_and_the_program_uses_it(measured: Path) -> None:
    text = [one.text for one in read_manifest(measured / "build").candidates("spmv.openmp")]
    assert sorted(text) == sorted([TOP, MIDDLE, FLATTENED, SERIAL])
    words = ["ndp", "tune", measured / "two_computations.cpp", "--train-only", "--plain"]
    words += ["--build-directory", measured / "build", "--classifier", "threshold"]
    words += ["--computations", "spmv", "--inputs", *INPUTS, "--test-inputs", *TEST_INPUTS]
    assert main([str(word) for word in words]) == 0
    model = read_model(measured / "fettle_models" / "spmv.openmp")
    assert model.provenance["parameters"].startswith("threshold at most ")
    chosen = chain_of(model)
    # Each wins on two of eight inputs; not every guard is worth its length to cross-validation.
    assert len(chosen) >= 2
    assert len(set(chosen)) == len(chosen)
    assert set(chosen) <= {TOP, MIDDLE, FLATTENED, SERIAL}
    check_program(measured)


def test_a_given_chain_keeps_its_versions_whichever_won(measured: Path, tmp_path: Path) -> None:
    shutil.copytree(measured / "build", tmp_path / "build")
    versions = [(TOP, "rows"), (MIDDLE, "elements")]
    tuner = tuner_of(
        tmp_path,
        computations=["spmv"],
        classifier=ThresholdClassifier(versions, FLATTENED),
        inputs=INPUTS,
        test_inputs=(),
    )
    tuner.train(measure=False)
    model = read_model(tmp_path / "fettle_models" / "spmv.openmp")
    assert set(model.variants) >= {"default", TOP, MIDDLE, FLATTENED}
    assert chain_of(model) == [TOP, MIDDLE, FLATTENED]


def test_a_chain_of_versions_that_there_are_not(measured: Path, tmp_path: Path) -> None:
    shutil.copytree(measured / "build", tmp_path / "build")
    for guards, otherwise, message in (
        ([("nothing", "rows")], TOP, "spmv.openmp has no variant 'nothing', which a threshold"),
        ([(TOP, "columns")], SERIAL, "spmv.openmp has no feature 'columns'"),
    ):
        classifier = ThresholdClassifier(guards, otherwise)
        tuner = tuner_of(
            tmp_path, computations=["spmv"], classifier=classifier, inputs=INPUTS, test_inputs=()
        )
        with pytest.raises(FettleError, match=message):
            tuner.train(measure=False)
