"""A tuning run after which nothing has changed: the next one fits, compares and imports nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn

from fettle import Autotuner, CodeVariant, Comparing, TreeClassifier
from fettle.data.tuning_result import TuningResult

Maker = Callable[..., Autotuner]

FEW = 5  # inputs: no cross-validation, so that a fit takes no time

RERUN = """
import sys
from fettle import Autotuner, CodeVariant, TreeClassifier
tuner = Autotuner("app", report_directory=None, comparing=None)
tuner.set_training_args([f"in{n:02}" for n in range(12)])
[result] = tuner.tune([CodeVariant("f", 2, classifier=TreeClassifier())])
print(result.current_since is not None)
print([name for name in ("sklearn", "scipy", "matplotlib", "rich") if name in sys.modules])
"""


def function(**options: object) -> CodeVariant:
    return CodeVariant("f", 2, **{"classifier": TreeClassifier(), **options})  # type: ignore[arg-type]


@pytest.fixture
def first(app: StandIn, tuner: Maker) -> TuningResult:
    [result] = tuner().tune([function()])
    return result


def test_nothing_is_fitted_again(
    first: TuningResult, tuner: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TreeClassifier, "fit_and_judge", None)
    [again] = tuner().tune([function()])
    assert first.current_since is None
    assert again.current_since == first.started
    assert again.effort.fit_seconds == 0
    assert again.model == first.model
    assert first.evaluation is not None
    assert again.evaluation is not None
    assert again.evaluation.how == first.evaluation.how
    assert np.array_equal(again.evaluation.chosen, first.evaluation.chosen)
    assert np.array_equal(again.evaluation.data.costs, first.evaluation.data.costs)
    assert again.delivered == first.delivered
    assert again.warnings == first.warnings


def test_a_rerun_fits_nothing_and_imports_no_library(tmp_path: Path, first: TuningResult) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RERUN], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    said = done.stdout.splitlines()
    assert said[0] == f"f: nothing to do: the model of {first.started:%Y-%m-%d %H:%M} is current"
    assert said[-2:] == ["True", "[]"]


def test_with_comparison_and_feature_selection(app: StandIn, tuner: Maker) -> None:
    comparing = Comparing(seconds=0.1)
    options = {"feature_selection": True}
    [before] = tuner(comparing=comparing).tune([function(**options)])
    [again] = tuner(comparing=comparing).tune([function(**options)])
    assert again.current_since == before.started
    assert again.delivered == before.delivered
    assert before.delivered is not None
    assert before.delivered.gain is not None
    assert again.feature_curve == before.feature_curve
    assert before.feature_curve is not None


def test_what_changes_is_fitted_again(
    tmp_path: Path, app: StandIn, tuner: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_fitted(made: Autotuner, what: CodeVariant, **how: bool) -> bool:
        [result] = made.tune([what], **how)
        return result.current_since is None

    assert is_fitted(tuner(FEW), function())
    assert not is_fitted(tuner(FEW), function())
    assert is_fitted(tuner(FEW), function(outside_region="predict"))
    assert is_fitted(
        tuner(FEW), function(outside_region="predict", classifier=TreeClassifier(calls=9))
    )
    assert not is_fitted(
        tuner(FEW), function(outside_region="predict", classifier=TreeClassifier(calls=9))
    )
    assert is_fitted(tuner(FEW), function())
    assert is_fitted(tuner(FEW, seed=3), function())
    assert is_fitted(tuner(FEW), function())
    assert is_fitted(tuner(FEW), function(), fresh=True)
    assert is_fitted(tuner(FEW + 1), function()), "another input"
    call = {"features": {"n": 0, "m": 1}, "variants": {"small": 2e-3, "large": 6.5e-3}}
    made = tuner(FEW + 1)
    (tmp_path / "in00").write_text(json.dumps({"calls": [call]}))
    assert is_fitted(made, function()), "an input of other content"
    model = tmp_path / "fettle_models" / "f" / "model.txt"
    model.unlink()
    assert is_fitted(tuner(FEW + 1), function()), "no model"
    app.change(comment="built anew")
    assert is_fitted(tuner(FEW + 1), function()), "another program"
    monkeypatch.setattr("fettle.training.current.__version__", "99")
    assert is_fitted(tuner(FEW + 1), function()), "another version of Fettle"


def test_a_users_own_classifier_is_always_fitted(app: StandIn, tuner: Maker) -> None:
    for _ in range(2):
        [result] = tuner().tune([function(classifier=QuickClassifier())])
        assert result.current_since is None


def test_incremental_tuning_has_nothing_to_do_either(
    app: StandIn, tuner: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    [first] = tuner(20).itune([function()], accuracy=0.5)
    runs = app.runs()
    monkeypatch.setattr(TreeClassifier, "fit_and_judge", None)
    [again] = tuner(20).itune([function()], accuracy=0.5)
    assert again.current_since == first.started
    assert again.learning_curve == first.learning_curve
    assert again.training.inputs == first.training.inputs
    assert app.runs() == runs
