"""Incremental tuning from the script's side: when it stops, and what it is worth by then."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from stand_in import StandIn
from tuned_stand_in import function, tune_args

from fettle.autotuner import Autotuner
from fettle.core.errors import FettleError
from fettle.core.progress import PlainDisplay
from fettle.data.score import share_of_best
from fettle.report.contents import report_of
from fettle.report.training_facts import training_facts

Maker = Callable[..., Autotuner]


def test_incremental_tuning_measures_less(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    made = tuner(40)
    made.set_test_args(tune_args(tmp_path, 10, start=50))
    [result] = made.itune([function()], iterations=3)
    assert result.learning_judged_by == "test inputs"
    assert len(result.training.inputs) == result.learning_curve[-1].inputs < 12
    assert len(result.learning_curve) == 4
    before = len(app.runs())
    [whole] = made.tune([function()])
    assert len(app.runs()) - before == 2 * (40 - len(result.training.inputs)), "only the rest"
    assert len(whole.training.inputs) == 40


def test_progress_stays_within_its_total(
    tmp_path: Path, app: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Autotuner("app", working_directory=tmp_path, display=PlainDisplay(every_seconds=0.0))
    made.set_training_args(tune_args(tmp_path, 20))
    made.itune([function()], iterations=1)
    said = capsys.readouterr().err
    shown = [(int(done), int(total)) for done, total in re.findall(r"(\d+)/(\d+), ", said)]
    assert len(shown) >= 20
    assert all(done <= total for done, total in shown)
    assert "-" not in "".join(re.findall(r"(\S+) s left", said))


def test_inputs_whose_features_alone_are_evaluated_do_not_count_as_measured(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    [first] = tuner(20).itune([function()], iterations=1)
    assert first.effort.evaluated_inputs == 20
    assert first.effort.measured_inputs == len(first.training.inputs)
    tuner(20).tune([function()])
    app.change(features=["n", "m"])  # another feature; nothing else changes
    [again] = tuner(20).tune([function()])
    assert again.effort.measured_inputs == 0
    assert again.effort.reused_inputs == 20
    assert again.effort.evaluated_inputs == 20
    facts = dict(training_facts(report_of(again)))
    assert facts["inputs"] == "0 measured, 20 known before, features alone evaluated on 20"


def test_incremental_tuning_stops_when_it_is_good_enough(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner(40)
    made.set_test_args(tune_args(tmp_path, 20, start=0))
    made.set_training_args(tune_args(tmp_path, 40, start=30))
    made.set_test_args(tune_args(tmp_path, 20, start=80))
    [result] = made.itune([function()], accuracy=0.9)
    assert result.learning_curve[-1].share_of_best >= 0.9
    assert len(result.training.inputs) < 40


def test_incremental_tuning_reaches_what_all_inputs_give(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner(40)
    between = [n + 0.5 for n in range(12)]  # sizes between those trained on, on both sides
    for n in between:
        call = {
            "features": {"n": n, "m": 1},
            "variants": {"small": 1e-3 * (n + 1), "large": 6.5e-3},
        }
        (tmp_path / f"held{n}").write_text(json.dumps({"calls": [call]}))
    made.set_test_args([f"held{n}" for n in between])
    [some] = made.itune([function()], iterations=8)
    [whole] = made.tune([function()])
    assert whole.evaluation is not None
    assert whole.evaluation.how == "held-out"
    costs = whole.evaluation.data.costs
    by_all = share_of_best(costs)[np.arange(len(costs)), whole.evaluation.chosen].mean()
    assert some.learning_curve[-1].share_of_best >= by_all
    assert len(some.training.inputs) <= 20 < len(whole.training.inputs)


def test_the_papers_names_of_the_goal(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    [result] = tuner().itune([function()], iter=1)
    assert len(result.learning_curve) == 2
    assert result.learning_judged_by == "cross-validation"
    with pytest.raises(FettleError, match="give iterations once"):
        tuner().itune([function()], iter=1, iterations=1)
    with pytest.raises(FettleError, match=r"accuracy must be in \(0, 1\], not 95"):
        tuner().itune([function()], acc=95)


def test_incremental_tuning_without_any_good_input(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner(3)
    for number in range(3):
        variants = {"small": "throw", "large": "wrong"}
        told = {"calls": [{"features": {"n": number}, "variants": variants}]}
        (tmp_path / f"in{number:02}").write_text(json.dumps(told))
    with pytest.raises(FettleError, match="'f': there is no input to learn from"):
        made.itune([function()])
