"""Each option of a code variant changes what a real program does, in training or deployed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from programs_build import build_command, has_header, run
from quick_classifier import QuickClassifier

from fettle.autotuner import Autotuner, Measuring
from fettle.classifiers import TreeClassifier
from fettle.code_variant import CodeVariant
from fettle.core.progress import Silence
from fettle.data.tuning_result import TuningResult

pytestmark = pytest.mark.skipif(
    not has_header("oneapi/tbb/task_group.h"), reason="needs a C++ compiler and oneTBB"
)

TRAINED_ON = [*range(1, 8), *range(10, 31, 4)]  # above 8 only even ones: picky always wins there

FUNCTIONS = [
    CodeVariant("plain", classifier=TreeClassifier()),
    CodeVariant("unconstrained", constraints=False),
    CodeVariant("next_best", on_constraint_failure="next_best"),
    CodeVariant("predicting", classifier=TreeClassifier(), outside_region="predict"),
    CodeVariant("elapsed", metric="elapsed"),
    CodeVariant("larger", larger_is_better=True),
    CodeVariant("solving", metric="seconds", on_infinite_metric="next_best"),
    CodeVariant("exacting", strict=True),
    CodeVariant("compiled_in", embed_model=True),
    CodeVariant(
        "parallel",
        parallel_feature_evaluation=True,
        parallel_constraint_evaluation=True,
        async_feature_eval=True,
    ),
]


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, TuningResult]]:
    """A folder with the program, all functions tuned. Building takes most of the time."""
    folder = tmp_path_factory.mktemp("options")
    for function in FUNCTIONS:
        if not isinstance(function.classifier, TreeClassifier):
            function.classifier = QuickClassifier()
    tuner = Autotuner(
        "options",
        working_directory=folder,
        measuring=Measuring(maximum_samples=1, minimum_samples=1, warm_up=0),
        display=Silence(),
        report_directory=None,
        comparing=None,  # whether the options gain anything is not the question
    )
    tuner.set_training_args([str(n) for n in TRAINED_ON])
    tuner.set_build_command(build_command("options", "-ltbb"))
    results = tuner.tune(FUNCTIONS)
    return folder, {result.function: result for result in results}


def choices(folder: Path, n: int) -> dict[str, str]:
    """What the deployed program runs for N, by function."""
    lines = run(folder, "./options", str(n)).splitlines()
    return dict(line.split(" ", 1) for line in lines)


def excluded(result: TuningResult) -> int:
    """How many variants were ruled out in training."""
    return int((result.training.costs == float("inf")).sum())


def test_all_functions_are_tuned_in_their_order(
    tuned: tuple[Path, dict[str, TuningResult]],
) -> None:
    assert list(tuned[1]) == [function.name for function in FUNCTIONS]


def test_within_the_trained_region(tuned: tuple[Path, dict[str, TuningResult]]) -> None:
    chosen = choices(tuned[0], 22)
    for name in ("plain", "unconstrained", "next_best", "exacting", "compiled_in", "parallel"):
        assert chosen[name] == "picky"
    assert choices(tuned[0], 3)["plain"] == "small"


def test_constraints(tuned: tuple[Path, dict[str, TuningResult]]) -> None:
    odd = sum(n % 2 for n in TRAINED_ON)
    assert excluded(tuned[1]["plain"]) == odd
    assert excluded(tuned[1]["unconstrained"]) == 0
    chosen = choices(tuned[0], 21)
    assert chosen["plain"] == "small", "the default"
    assert chosen["unconstrained"] == "picky"


def test_on_constraint_failure(tuned: tuple[Path, dict[str, TuningResult]]) -> None:
    assert choices(tuned[0], 21)["next_best"] == "large"


def test_on_infinite_metric(tuned: tuple[Path, dict[str, TuningResult]]) -> None:
    result = tuned[1]["solving"]
    assert result.failures == (), "a solver that diverges has not failed"
    costs = dict(zip(result.training.inputs, result.training.costs.tolist(), strict=True))
    assert costs["2"] == [9e-3, 5e-3, 2e-3]
    sure, steady, quick = costs["18"]
    assert (sure, steady) == (9e-3, 5e-3)
    assert quick > steady + 3e-3, "the run that diverged, and the best"
    chosen = choices(tuned[0], 20)
    assert chosen["solving"] == "quick solved"
    assert choices(tuned[0], 21)["solving"] == "steady solved", "after quick"


def test_outside_region(tuned: tuple[Path, dict[str, TuningResult]]) -> None:
    chosen = choices(tuned[0], 1000)
    assert chosen["plain"] == "small", "the default"
    assert chosen["predicting"] == "picky"


def test_metric(tuned: tuple[Path, dict[str, TuningResult]]) -> None:
    assert tuned[1]["plain"].unit == "returned"
    assert tuned[1]["elapsed"].unit == "s"
    assert choices(tuned[0], 22)["elapsed"] == "large", "the one that does not sleep"


def test_larger_is_better(tuned: tuple[Path, dict[str, TuningResult]]) -> None:
    assert choices(tuned[0], 22)["larger"] == "small"


def test_strict_and_embedded(tuned: tuple[Path, dict[str, TuningResult]], tmp_path: Path) -> None:
    folder = tmp_path / "moved"
    shutil.copytree(tuned[0], folder)
    models, away = tuned[0] / "fettle_models", tuned[0] / "away"
    models.rename(away)
    shutil.rmtree(folder / "fettle_models")
    try:
        chosen = choices(folder, 22)
    finally:
        away.rename(models)
    assert chosen["plain"] == "small", "the default: there is no model"
    assert chosen["exacting"].startswith("exception: ")
    assert chosen["compiled_in"] == "picky", "its model is in the program"
