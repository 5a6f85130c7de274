"""What a tuning run delivers: the deployed program against the untuned one, run alternately."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stand_in import StandIn
from tuned_stand_in import function, tune_args

from fettle.autotuner import Autotuner, Comparing
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.data.tuning_result import Delivered, TuningResult
from fettle.model.model_directory import read_model
from fettle.report.contents import report_of
from fettle.report.record import report_record
from fettle.report.text import report_text
from fettle.training.session import run_session

Maker = Callable[..., Autotuner]
ALL = Comparing()


@pytest.fixture
def tuner(tuner: Maker) -> Maker:
    """Tuners that compare what they deploy."""
    return lambda count=12, **options: tuner(count, **{"comparing": Comparing(inputs=3), **options})


def first_line(result: TuningResult) -> str:
    return report_text(report_of(result)).splitlines()[0]


def delivered(result: TuningResult) -> Delivered:
    assert result.delivered is not None
    return result.delivered


def say(folder: Path, count: int = 12, **contenders: Any) -> None:
    """What contenders do from now on, on every input, whatever they choose."""
    tune_args(folder, count, compare=contenders)


def again(folder: Path, tuner: Maker, fresh: bool = False, **contenders: Any) -> TuningResult:
    """Tunes with more inputs, on which contenders behave as `say` determines."""
    made = tuner(15)
    say(folder, 15, **contenders)
    [result] = made.tune([function()], fresh=fresh)
    return result


def model_text(folder: Path) -> str:
    return (folder / "fettle_models" / "f" / "model.txt").read_text()


def test_the_headline_is_measured_on_inputs_that_the_model_has_not_seen(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    [result] = tuner(comparing=ALL).tune([function()])
    compared = [line.split() for line in app.runs("compare")]
    assert [line[0] for line in compared] == ["default", "candidate"] * 12
    assert result.evaluation is not None
    chosen = {
        name: result.training.variants[choice]
        for name, choice in zip(result.training.inputs, result.evaluation.chosen, strict=True)
    }
    assert {line[2]: line[1] for line in compared if line[0] == "candidate"} == chosen
    # Of the untuned program, which takes (size + 1) ms, over what was chosen for the size.
    gains = [math.log((n + 1) / 6.5) * (chosen[f"in{n:02}"] == "large") for n in range(12)]
    of = delivered(result)
    assert (of.deployed, set(of.inputs)) == ("new", set(result.training.inputs))
    assert of.gain is not None
    assert of.gain.mean == pytest.approx(math.exp(sum(gains) / 12))
    assert of.gain.least == pytest.approx(math.exp(min(gains)))
    assert of.gain.low < of.gain.mean < of.gain.high
    assert of.gain.measured_low == of.gain.mean, "its samples are all the same"
    assert first_line(result).startswith(f"f: {of.gain.mean:.3g} times as fast as untuned on 12 ")
    assert "12 inputs not trained on (95 % confidence " in first_line(result)
    facts = read_model(tmp_path / "fettle_models" / "f").provenance
    assert (facts["gain"], facts["gain_inputs"]) == (f"{of.gain.mean:.4f}", "12")
    assert report_record(report_of(result))["delivered"]["gain"]["mean"] == of.gain.mean
    assert result.effort.program_starts == of.program_starts == 12, "counted apart"


def test_test_inputs_are_what_the_model_is_compared_on(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner(comparing=ALL)
    made.set_test_args(tune_args(tmp_path, 5, start=20))
    [result] = made.tune([function()])
    assert sorted(delivered(result).inputs) == [f"in{n}" for n in range(20, 25)]
    assert "5 inputs not trained on" in first_line(result)


def test_inputs_and_seconds_of_a_comparison_are_bounded(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    [result] = tuner(comparing=Comparing(inputs=4)).tune([function()])
    assert sorted(delivered(result).inputs) == ["in00", "in04", "in07", "in11"]
    [late] = tuner(time_budget=1e-9).tune([function()])
    assert delivered(late).reason == "none of the inputs could be compared"


def test_no_gain_worth_having_deploys_the_default(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    say(tmp_path, default=1.019, candidate=1.0)
    [result] = made.tune([function()])
    assert delivered(result).deployed == "default"
    model = read_model(tmp_path / "fettle_models" / "f")
    assert model.inputs == ()
    assert model.provenance["deployed"] == "the default variant always: no gain worth having"
    assert model.provenance["gain_refused"] == "1.0190"
    said = "f: no gain worth having, so the default variant small is deployed: 1.019 times as fast"
    assert first_line(result).startswith(said)
    assert result.evaluation is not None
    assert set(result.evaluation.chosen) == {0}, "judged by what is deployed"
    say(tmp_path, default=1.021, candidate=1.0)
    [better] = made.tune([function()], fresh=True)
    assert delivered(better).deployed == "new"
    say(tmp_path, default=1.019, candidate=1.0)
    [unbounded] = tuner(comparing=Comparing(inputs=3, worth=0)).tune([function()], fresh=True)
    assert delivered(unbounded).deployed == "new"


def test_samples_that_disagree_too_much_do_not_say_that_there_is_no_gain(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    say(tmp_path, default=[1.4, 0.6, 1.0], candidate=[0.7, 1.0, 1.3])
    [result] = made.tune([function()])
    assert (delivered(result).deployed, delivered(result).is_unclear) == ("default", True)
    said = "f: this machine is too busy to tell whether tuning gains anything, so the default "
    assert first_line(result).startswith(said)
    facts = read_model(tmp_path / "fettle_models" / "f").provenance
    assert facts["deployed"].endswith("the machine was too busy to tell")


def test_the_default_is_no_refuge_where_it_failed(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    say(tmp_path, default=1.0, candidate=1.0)
    call = {"features": {"n": 11, "m": 1}, "variants": {"small": "throw", "large": 1e-3}}
    (tmp_path / "in11").write_text(json.dumps({"calls": [call]}))
    [result] = made.tune([function()])
    assert delivered(result).deployed == "new"


def test_what_is_deployed_stays_unless_the_new_model_is_surely_better(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    tuner().tune([function()])
    before = model_text(tmp_path)
    tied = again(tmp_path, tuner, default=2.0, deployed=1.0, candidate=1.0)
    assert delivered(tied).deployed == "kept"
    assert model_text(tmp_path) == before
    assert tied.model == read_model(tmp_path / "fettle_models" / "f")
    assert "2 times as fast as untuned on 3 training inputs" in first_line(tied)
    assert "the model that was deployed before stays, because the new one is not" in first_line(
        tied
    )
    assert "f, trained anew, reaches " in report_text(report_of(tied)).splitlines()[1]

    noisy = [0.7, 0.8, 0.9, 1.0, 1.1]  # 10 % better, but within the noise
    unsure = again(
        tmp_path, tuner, default=[2.0] * 5, deployed=[v * 1.1 for v in noisy], candidate=noisy
    )
    assert delivered(unsure).deployed == "kept"

    better = again(tmp_path, tuner, default=2.0, deployed=1.1, candidate=1.0)
    assert delivered(better).deployed == "new"
    assert delivered(better).over_former is not None
    assert model_text(tmp_path) != before
    compared = len(app.runs("compare"))
    same = again(tmp_path, tuner, default=2.0, deployed=1.1, candidate=1.0)
    assert delivered(same).deployed == "new"
    assert {line.split()[0] for line in app.runs("compare")[compared:]} == {"default", "candidate"}


def test_a_deployed_model_that_gains_nothing_any_more_gives_way(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    tuner().tune([function()])
    result = again(tmp_path, tuner, default=1.0, deployed=1.0, candidate=1.0)
    assert delivered(result).deployed == "default"
    default = model_text(tmp_path)
    unsure = again(
        tmp_path, tuner, default=[0.9, 1.0, 1.1], deployed=[1.0] * 3, candidate=[0.87, 0.97, 1.07]
    )
    assert delivered(unsure).deployed == "default", "3 % that drown in 10 %"
    assert model_text(tmp_path).splitlines()[:8] == default.splitlines()[:8]


def test_a_fresh_tuning_or_another_program_replaces_what_is_deployed(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    tuner().tune([function()])
    fresh = again(tmp_path, tuner, default=2.0, deployed=1.0, candidate=1.0, fresh=True)
    assert delivered(fresh).deployed == "new"
    app.change(features=["n", "m"])
    other = again(tmp_path, tuner, default=2.0, deployed=1.0, candidate=1.0)
    assert delivered(other).deployed == "new"
    assert read_model(tmp_path / "fettle_models" / "f").features == ("n", "m")


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ("crash", "crashed with SIGSEGV"),
        ("hang", "ran longer than its limit"),
        ("wrong", "wrong result"),
    ],
)
def test_a_model_whose_choice_fails_in_the_comparison_is_not_deployed(
    tmp_path: Path, app: StandIn, tuner: Maker, end: str, reason: str
) -> None:
    made = tuner(timeout=4)
    say(tmp_path, candidate=end)
    with pytest.raises(FettleError, match=f"the new model is not deployed, .*{reason}") as error:
        made.tune([function()])
    assert "for in00, small, failed there" in str(error.value)
    assert not (tmp_path / "fettle_models" / "f").exists()


def test_a_deployed_model_whose_choice_fails_is_replaced(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    tuner().tune([function()])
    result = again(tmp_path, tuner, default=2.0, deployed="crash", candidate=1.9)
    assert delivered(result).deployed == "new"
    assert "the model that is deployed fails on in00: crashed with SIGSEGV" in result.warnings[-1]


def test_an_input_whose_choice_a_constraint_excludes_is_compared_too(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner(30, comparing=ALL)
    call = {"features": {"n": 25, "m": 1}, "variants": {"small": 26e-3, "large": "exclude"}}
    (tmp_path / "in25").write_text(json.dumps({"calls": [call]}))
    [result] = made.tune([function()])
    assert result.evaluation is not None
    chosen = result.evaluation.chosen[result.training.inputs.index("in25")]
    assert result.training.variants[chosen] == "large"
    assert "in25" in delivered(result).inputs
    assert ["candidate", "small", "in25"] in [line.split() for line in app.runs("compare")]


def test_inputs_that_cannot_be_compared_are_left_out(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    say(tmp_path, default="throw")
    [result] = made.tune([function()])
    assert delivered(result).reason == "none of the inputs could be compared"
    assert "not compared: in00: default: exception: bad luck" in result.warnings[0]


def test_a_model_that_always_chooses_the_default_is_not_compared(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    tune_args(tmp_path, 6)
    [result] = tuner(6).tune([function()])
    assert made.settings.comparing is not None
    assert app.runs("compare") == []
    assert first_line(result) == (
        "f: no gain worth having: the model chooses the default variant always, small"
    )


def test_what_was_not_compared_is_an_estimate_and_called_so(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner(comparing=None)
    [result] = made.tune([function()])
    estimate = "times as fast as untuned by the training measurements of 12 cross-validated inputs"
    assert estimate in first_line(result)
    assert "not measured, because the program did not run with its model" in first_line(result)
    stored = made.settings.changed(measure=False, comparing=ALL)
    [without] = run_session(stored, [function()], None, Silence())
    assert "the program was not to be started" in first_line(without)
    assert app.runs("compare") == []
    [few] = tuner(1).tune([function()])
    assert "before stays, because there are too few inputs to hold any out" in first_line(few)
    assert "trained on 12, the new one on 1; fettle tune --fresh" in first_line(few)
    [unknown] = tuner(1, comparing=None).tune([function()])
    assert "gain over untuned not known" in first_line(unknown)
