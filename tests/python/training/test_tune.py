"""Tuning one function: what is measured in which order, and what a goal and a choice do to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn
from stand_in_measurer import Said, call, measurer_in, tell

from fettle import CodeVariant
from fettle.classifiers import TreeClassifier
from fettle.data.tuning_result import TuningResult
from fettle.training.active import Goal
from fettle.training.examples import Table
from fettle.training.program import ProgramError
from fettle.training.settings import Settings
from fettle.training.tune import measure_function, tune_function

COUNT = 10


@pytest.fixture
def app(tmp_path: Path) -> StandIn:
    return StandIn(tmp_path, variants=["a", "b", "c"])


def settings(folder: Path, *, test: int = 0, **more: Any) -> Settings:
    """The variant a is the best for small n, b for large n, c never."""
    inputs = [
        tell(folder, f"in{n:02}", call(n, a=1e-3 * (n + 1), b=5.5e-3, c=9e-3))
        for n in range(COUNT + test)
    ]
    more = {"comparing": None, **more}
    return Settings(
        program="app",
        working_directory=folder,
        training_inputs=tuple(inputs[:COUNT]),
        test_inputs=tuple(inputs[COUNT:]),
        **more,
    )


def tune(folder: Path, how: Settings, goal: Goal | None = None, **more: Any) -> TuningResult:
    function = CodeVariant("f", classifier=more.pop("classifier", QuickClassifier()))
    return tune_function(how, function, measurer_in(folder, display=Said()), goal, **more)


def test_measuring_alone_writes_no_model(tmp_path: Path, app: StandIn) -> None:
    how = settings(tmp_path, test=2)
    measure_function(how, CodeVariant("f"), measurer_in(tmp_path))
    assert [run for run in app.runs() if run.startswith("a ")] == [
        f"a in{n:02}" for n in range(COUNT + 2)
    ]
    assert not (tmp_path / "fettle_models").exists()
    tune(tmp_path, how)
    assert len(app.runs()) == 3 * (COUNT + 2), "tuning finds it measured"


def test_test_inputs_judge_all_variants(tmp_path: Path, app: StandIn) -> None:
    result = tune(tmp_path, settings(tmp_path, test=4))
    assert result.evaluation is not None
    assert result.evaluation.how == "held-out"
    assert result.evaluation.data.inputs == tuple(f"in{n}" for n in range(COUNT, COUNT + 4))
    assert result.evaluation.chosen.tolist() == [1] * 4


def test_a_narrowed_model_has_the_variants_that_it_may_choose(tmp_path: Path, app: StandIn) -> None:
    result = tune(tmp_path, settings(tmp_path), narrow=lambda table: ("a", "c"))
    assert result.training.variants == ("a", "c")
    assert set(result.model.variants) <= {"a", "c"}
    assert result.measured is not None
    assert result.measured.variants == ("a", "b", "c")
    assert tune(tmp_path, settings(tmp_path)).measured is None


def test_a_goal_asks_with_a_model_of_what_is_kept(tmp_path: Path, app: StandIn) -> None:
    seen: list[tuple[str, ...]] = []

    def kept(table: Table) -> tuple[str, ...]:
        seen.append(table.data.inputs)
        return ("a", "b") if "in09" in table.data.inputs else ("a",)

    how = settings(tmp_path, test=3)
    result = tune(tmp_path, how, Goal(None, 1.0), narrow=kept)
    assert result.training.variants == ("a", "b")
    assert result.learning_judged_by == "test inputs"
    assert 2 <= result.learning_curve[-1].inputs < COUNT, "far from each other, then enough"
    assert result.learning_curve[-1].share_of_best == 1.0
    assert all(seen), "it is asked of inputs that are measured"
    assert result.measured is not None and result.measured.variants == ("a", "b", "c")


def test_a_goal_of_iterations_measures_fewer_inputs(tmp_path: Path, app: StandIn) -> None:
    result = tune(tmp_path, settings(tmp_path), Goal(1, None))
    measured = {run.split()[1] for run in app.runs()}
    assert len(result.learning_curve) == 2, "the initial inputs, and one iteration"
    assert len(measured) == result.learning_curve[-1].inputs < COUNT
    assert result.learning_judged_by == "cross-validation"


def test_a_goal_that_was_reached_before_is_current(tmp_path: Path, app: StandIn) -> None:
    goal, tree = Goal(None, 0.5), TreeClassifier()
    first = tune(tmp_path, settings(tmp_path), goal, classifier=tree)
    assert first.current_since is None
    runs = app.runs()
    again = tune(tmp_path, settings(tmp_path), goal, classifier=tree)
    assert again.current_since == first.started
    assert app.runs() == runs
    fresh = tune(tmp_path, settings(tmp_path, fresh=True), goal, classifier=tree)
    assert fresh.current_since is None


def test_a_budget_that_is_spent_leaves_inputs_out(tmp_path: Path, app: StandIn) -> None:
    with pytest.raises(ProgramError, match="not measured: the time budget was spent"):
        tune(tmp_path, settings(tmp_path, time_budget=1e-9))
    measure_function(settings(tmp_path), CodeVariant("f"), measurer_in(tmp_path))
    assert tune(tmp_path, settings(tmp_path, time_budget=1e-9)).failures == ()
