"""Tuning from the script's side: what is measured and learned from, and what the user hears."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn
from tuned_stand_in import function, tune_args

from fettle.autotuner import Autotuner, Measuring, SecondRound
from fettle.cli import main
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import PlainDisplay, Silence
from fettle.data.tuning_result import TuningResult
from fettle.model.model_directory import read_model

Maker = Callable[..., Autotuner]


def test_tune_measures_trains_and_reports(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    [result] = tuner(report_directory="reports").tune([function()])
    assert result.training.inputs == tuple(tune_args(tmp_path))
    assert result.training.variants == ("small", "large")
    assert result.effort.program_starts == 12
    assert result.effort.variant_runs == 48
    assert result.evaluation is not None
    assert result.evaluation.how == "cross-validated"
    model = read_model(tmp_path / "fettle_models" / "f")
    assert model.variants == ("small", "large")
    assert model.provenance["inputs"] == "12"
    assert model.provenance["judged"] == "cross-validated"
    assert "struct f {" in (tmp_path / "fettle_config.hpp").read_text()
    assert (tmp_path / "reports" / "f" / "report.html").exists()


def test_nothing_is_measured_twice(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    tuner().tune([function()])
    runs = len(app.runs())
    [again] = tuner().tune([function()])
    assert len(app.runs()) == runs
    assert again.effort.reused_inputs == 12
    assert again.effort.program_starts == 1, "one start to ask what the program offers"
    [more] = tuner(15).tune([function()])
    assert (more.effort.measured_inputs, more.effort.reused_inputs) == (3, 12)
    [anew] = tuner().tune([function()], fresh=True)
    assert anew.effort.measured_inputs == 12


def test_those_near_the_best_are_measured_again_in_further_starts(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    how = SecondRound(Measuring(), near=0.7, starts=3)
    [result] = tuner(second_round=how).tune([function()])
    # From size 4 on "large" (6.5 ms) comes near "small", which is the default and always near.
    again = {f"{variant} in{size:02}" for size in range(4, 12) for variant in ("small", "large")}
    assert result.effort.program_starts == 12 + 3 * 8
    runs = app.runs()
    assert {run for run in runs if runs.count(run) == 4} == again
    tuner(second_round=how).tune([function()])
    assert app.runs() == runs, "known inputs had theirs"
    [anew] = tuner(second_round=how).tune([function()], fresh=True)
    assert anew.effort.program_starts == 12 + 3 * 8


def test_measurements_of_other_conditions_do_not_mix(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    tuner().tune([function()])
    for other in ({"constraints": False}, {"metric": "elapsed"}):
        [result] = tuner().tune([function(**other)])
        assert result.effort.measured_inputs == 12
    [elsewhere] = tuner(machine="another").tune([function()])
    assert elsewhere.effort.measured_inputs == 12


def test_a_new_variant_is_measured_alone(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    tuner().tune([function()])
    before = len(app.runs())
    app.change(variants=["small", "large", "new"])
    [result] = tuner().tune([CodeVariant("f", 3, classifier=QuickClassifier())])
    assert result.training.variants == ("small", "large", "new")
    probed = 3  # inputs on which the others are compared with what they took
    assert app.runs()[before:][3 * probed :] == [f"new {name}" for name in tune_args(tmp_path)]


def test_a_mended_variant_is_tried_again(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    bad = tuner()
    told = {"calls": [{"features": {"n": 3}, "variants": {"small": "crash", "large": 1.0}}]}
    (tmp_path / "in03").write_text(json.dumps(told))
    [result] = bad.tune([function()])
    assert [(f.input, f.variant) for f in result.failures] == [("in03", "small")]
    before = len(app.runs())
    app.change(comment="rebuilt")
    bad.tune([function()])
    runs = app.runs()[before:]
    assert runs[-1] == "small in03", "only what failed, now that it may be mended"
    assert len(runs) == 2 * 3 + 1, "beside the inputs that tell of a change"


def test_test_inputs_are_held_out(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    made = tuner()
    made.set_test_args([*tune_args(tmp_path, 5, start=20), "in03"])
    [result] = made.tune([function()])
    assert result.evaluation is not None
    assert result.evaluation.how == "held-out"
    assert result.evaluation.data.inputs == ("in20", "in21", "in22", "in23", "in24")
    assert len(result.training.inputs) == 12
    assert result.model.provenance["judged"] == "held-out"
    assert "1 test input is among the training inputs, too" in result.warnings[0]


def test_test_inputs_that_fail_do_not_cost_the_model(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    (tmp_path / "bad").write_text(json.dumps({"begin": "crash"}))
    made.set_test_args(["bad"])
    [result] = made.tune([function()])
    assert result.evaluation is not None
    assert result.evaluation.how == "cross-validated"
    assert "the test inputs cannot be used: 'f': the only input tried" in result.warnings[0]


def test_feature_selection_drops_what_does_not_help(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    app.change(features=["m", "n"])
    [result] = tuner().tune([function(feature_selection=True)])
    assert result.feature_curve is not None
    assert result.feature_curve.kept == ("n",)
    assert [point.features for point in result.feature_curve.points] == [("m",), ("m", "n")]
    assert result.model.features == ("m", "n"), "the program hands over both"


def test_one_input_is_enough_to_go_on(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    [result] = tuner(1).tune([function()])
    assert result.evaluation is None
    assert any("too few to judge" in warning for warning in result.warnings)
    assert (tmp_path / "fettle_models" / "f" / "model.txt").exists()


def test_one_variant_is_no_choice(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    app.change(variants=["small"])
    [result] = tuner().tune([CodeVariant("f", 1)])
    assert result.model.variants == ("small",)


def test_all_inputs_failing_is_an_error(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    made = tuner(3)
    for number in range(3):
        told = {"calls": [{"features": {"n": 1}, "variants": {"small": "throw", "large": "wrong"}}]}
        (tmp_path / f"in{number:02}").write_text(json.dumps(told))
    with pytest.raises(FettleError, match="'f': there is no input to learn from") as error:
        made.tune([function()])
    assert "in00: small: exception: bad luck" in str(error.value)


def test_a_constraint_that_excludes_everything_is_named(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner(3)
    for number in range(3):
        variants = {"small": 1e-3, "large": "exclude"}
        told = {"calls": [{"features": {"n": number}, "variants": variants}]}
        (tmp_path / f"in{number:02}").write_text(json.dumps(told))
    [result] = made.tune([function()])
    assert any("f: constraints exclude large on all 3 inputs" in w for w in result.warnings)
    made = tuner(2)
    for number in range(2):
        told["calls"][0]["variants"] = dict.fromkeys(("small", "large"), "exclude")
        (tmp_path / f"in{number:02}").write_text(json.dumps(told))
    with pytest.raises(FettleError, match=r"in00: the constraints exclude all variants .*large"):
        made.tune([function()])


def test_a_log_that_cannot_be_read_is_left_for_the_user(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner(1)
    (tmp_path / "in00").write_text(json.dumps({"calls": [], "garbage": True}))
    with pytest.raises(FettleError, match=r":2: not a record \(no JSON\)") as error:
        made.tune([function()])
    log = Path(str(error.value).partition(":2:")[0])
    assert log.read_text().endswith("Iteration 1 of 100\n")
    shutil.rmtree(log.parent)


def test_inputs(tmp_path: Path, app: StandIn) -> None:
    made = Autotuner("app", working_directory=tmp_path, display=Silence())
    with pytest.raises(FettleError, match="there are no training inputs"):
        made.tune([CodeVariant("f")])
    with pytest.raises(FettleError, match="the list of inputs is empty; if it comes from a file"):
        made.set_training_args([])
    with pytest.raises(FettleError, match="expected a list of inputs, not the text"):
        made.set_training_args("a.mtx")
    (tmp_path / "with space").touch()
    made.set_training_args(["--n 3 'x y'", "with space", ["a b", "c"], Path("p q")])
    assert [given.arguments for given in made.settings.training_inputs] == [
        ("--n", "3", "x y"),
        ("with space",),
        ("a b", "c"),
        ("p q",),
    ]
    made.set_training_args({"first": "a", "second": ["b", "c"]})
    assert [given.name for given in made.settings.training_inputs] == ["first", "second"]


class Hearing(Silence):
    """A display that keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, text: str) -> None:
        """Keeps a line."""
        self.lines.append(text)


def test_what_the_user_should_know_is_said(tmp_path: Path, app: StandIn) -> None:
    heard = Hearing()
    made = Autotuner("app", working_directory=tmp_path, display=heard, report_directory="app/x")
    made.set_training_args(tune_args(tmp_path))
    made.tune([function()])
    said = "\n".join(heard.lines)
    assert "fettle_config.hpp has changed and there is no build command" in said
    assert "warning: no report: " in said, "app is a file, so there can be no folder app/x"
    assert f"model: {tmp_path / 'fettle_models' / 'f'}" in said
    heard.lines.clear()
    app.change(comment="rebuilt")
    made.tune([function()])
    said = "\n".join(heard.lines)
    assert "has changed and" not in said
    assert "f: the program has changed since it was measured" in said
    assert "no variant is faster or slower beside the others than it was; measurements" in said


def test_a_time_budget_ends_measuring(
    tmp_path: Path, app: StandIn, tuner: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(monotonic=lambda: len(app.runs()))  # each run takes a second
    for module in ("tune", "measure"):
        monkeypatch.setattr(f"fettle.training.{module}.time", clock)
    [result] = tuner(time_budget=3.0).tune([function()])
    assert result.training.inputs == ("in00", "in01"), "of two variants each"
    assert any("time budget was spent" in failure.reason for failure in result.failures)


def test_files_and_folders_may_have_names_of_any_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    app = StandIn(folder, variants=["small", "large"], features=["n"])
    names = [os.fsdecode(b"\xff%d" % size) for size in range(6)]
    for name, old in zip(names, tune_args(folder, 6), strict=True):
        (folder / old).rename(folder / name)
    call = {"features": {"n": 9}, "variants": {"small": "crash", "large": 1e-3}}
    (folder / names[5]).write_text(json.dumps({"calls": [call]}))
    (folder / names[4]).write_text(json.dumps({"calls": [call], "begin": "crash"}))

    def tuned() -> TuningResult:
        made = Autotuner("app", working_directory=folder, display=PlainDisplay())
        made.set_training_args(names)
        [result] = made.tune([function()])
        return result

    result = tuned()
    assert result.training.inputs == tuple(rf"'\xff{size}'" for size in (0, 1, 2, 3, 5))
    report = folder / "fettle_report" / "f"
    assert r"\xff5" in (report / "report.txt").read_text("utf-8")
    assert r"\xff5" in (report / "report.html").read_text("utf-8")
    assert json.loads((report / "report.json").read_text("utf-8"))["function"] == "f"
    header = (folder / "fettle_config.hpp").read_text("utf-8")
    assert r"caf\351/fettle_models" in header
    assert main(["show", str(folder / "fettle_models" / "f")]) == 0
    predict = ["predict", "--model", str(folder / "fettle_models" / "f"), "--values", "1"]
    assert main(predict) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "large", "small has crashed"
    runs = len(app.runs("run"))
    tuned()
    assert len(app.runs("run")) == runs
