"""Objectives of a real program: several metrics of each run, a model for each objective."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from programs_build import build_command, has_header

from fettle.autotuner import Autotuner, Measuring
from fettle.classifiers import TreeClassifier
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.data.tuning_result import TuningResult
from fettle.model.deployed import load

pytestmark = pytest.mark.skipif(not has_header("vector"), reason="needs a C++ compiler")

METRICS = {"seconds": "s", "joules": "J"}
OBJECTIVES = {
    "fast": "seconds",
    "eco": "joules",
    "even": "maximize rate / watts",
    "capped": "joules subject to seconds <= 1.2 * best(seconds)",
}


def weigh(**options: Any) -> CodeVariant:
    define = {"rate": "1 / seconds", "watts": "joules / seconds"}
    return CodeVariant(
        "weigh", classifier=TreeClassifier(), metrics=METRICS, define=define, **options
    )


def tune(folder: Path, function: CodeVariant, *, build: bool = False) -> TuningResult:
    tuner = Autotuner(
        "objectives",
        working_directory=folder,
        measuring=Measuring(maximum_samples=1, minimum_samples=1, warm_up=0),
        display=Silence(),
        report_directory=None,
        comparing=None,
    )
    tuner.set_training_args([str(n) for n in range(1, 25)])
    if build:
        tuner.set_build_command(build_command("objectives"))
    [result] = tuner.tune([function])
    return result


def chosen(folder: Path, *words: str, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        ["./objectives", *words],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=True,
    )
    return (done.stdout + done.stderr).strip()


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TuningResult]:
    folder = tmp_path_factory.mktemp("objectives")
    return folder, tune(folder, weigh(objectives=OBJECTIVES), build=True)


def test_every_objective_has_a_model_of_the_same_runs(tuned: tuple[Path, TuningResult]) -> None:
    folder, _ = tuned
    assert chosen(folder, "20") == "quick"
    assert chosen(folder, "20", "eco") == "cool"
    assert chosen(folder, "20", "capped") == "quick"  # cool is too slow there
    assert chosen(folder, "1", "capped") == "cool"
    assert chosen(folder, "20", "fast", environment={"FETTLE_OBJECTIVE": "even"}) == "cool"
    record = json.loads((folder / "fettle_models/weigh/objectives.json").read_text())
    assert list(record["objectives"]) == list(OBJECTIVES)
    assert record["metrics"] == list(METRICS)
    eco = load(folder / "fettle_models/weigh/objective-eco")
    assert eco.provenance["objective"] == "minimize joules"


def test_the_result_shows_the_trade_off(tuned: tuple[Path, TuningResult]) -> None:
    text = "\n".join(tuned[1].objectives)
    assert "objective eco: minimize joules: share of best 1.0000" in text
    assert "dominated on every input: waste" in text
    assert "objective eco: blind lacks a metric on 24 of 24 inputs" in text
    assert "model fast, each metric over that of a fixed variant" in text


def test_an_unknown_objective_runs_the_default_and_is_told(
    tuned: tuple[Path, TuningResult],
) -> None:
    said = chosen(tuned[0], "20", "ecco")
    assert said.startswith("waste")
    assert "no model for the objective 'ecco', but for capped eco even fast" in said


def test_the_script_picks_the_objective_by_the_policy(tmp_path: Path) -> None:
    tune(tmp_path, weigh(objectives=OBJECTIVES, objective="eco"), build=True)
    assert 'string_view objective = "eco";' in (tmp_path / "fettle_config.hpp").read_text()
    assert chosen(tmp_path, "20") == "cool"
    assert chosen(tmp_path, "20", "fast") == "quick"  # the program's own wish goes before
    assert chosen(tmp_path, "20", environment={"FETTLE_OBJECTIVE": "fast"}) == "quick"


def test_another_objective_needs_no_run(tuned: tuple[Path, TuningResult]) -> None:
    """It also replaces those that the script does not name any more."""
    folder, _ = tuned
    result = tune(folder, weigh(objectives={"least": "seconds * joules"}))
    assert result.effort.variant_runs == 0
    assert chosen(folder, "20", "least") == "cool"
    models = folder / "fettle_models/weigh"
    assert sorted(path.name for path in models.glob("objective-*")) == ["objective-least"]
    only = tune(folder, weigh(minimize="joules", subject_to="seconds <= 1.2 * best(seconds)"))
    assert only.effort.variant_runs == 0
    assert not list(models.glob("objective-*"))
    assert chosen(folder, "20", "whatever") == "quick"
    by_function = weigh()
    by_function.set_aggregation_function(lambda ls: min(ls, key=lambda x: x[2]))
    tune(folder, by_function)
    assert chosen(folder, "20") == "cool"
    plain = tune(folder, weigh())
    assert not plain.objectives
    assert not (models / "objectives.json").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"minimize": "jules"}, "did you mean 'joules'"),
        ({"minimize": "joules", "maximize": "rate"}, "given together"),
        ({"objectives": {"a/b": "joules"}}, "cannot be the name of an objective"),
        ({"minimize": "joules - seconds * 1000"}, "it has to be positive"),
    ],
)
def test_what_is_refused(
    tuned: tuple[Path, TuningResult], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(FettleError, match=said):
        tune(tuned[0], weigh(**options))


def test_options_that_are_no_metrics_are_refused() -> None:
    with pytest.raises(FettleError, match="metrics must be names and units"):
        CodeVariant("f", metrics={"two words": "s"})
    with pytest.raises(FettleError, match="aggregation_function must be a function"):
        CodeVariant("f").set_aggregation_function("max")  # type: ignore[arg-type]
