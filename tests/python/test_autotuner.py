"""The tuner from the script's side, with a stand-in for the program."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn

from fettle.autotuner import Autotuner
from fettle.code_variant import CodeVariant
from fettle.errors import FettleError
from fettle.model_directory import read_model
from fettle.report.summary import share_of_best
from fettle.training.progress import Silence

Maker = Callable[..., Autotuner]


@pytest.fixture
def app(tmp_path: Path) -> StandIn:
    return StandIn(tmp_path, variants=["small", "large"])


def tune_args(folder: Path, count: int = 12, start: int = 0, **more: Any) -> list[str]:
    """Input files of growing size; the first half is best done by "small"."""
    names = []
    for size in range(start, start + count):
        variants = {"small": 1e-3 * (size + 1), "large": 6.5e-3}
        call = {"features": {"n": size, "m": 1}, "variants": variants, **more}
        names.append(f"in{size:02}")
        (folder / names[-1]).write_text(json.dumps({"calls": [call]}))
    return names


@pytest.fixture
def tuner(tmp_path: Path) -> Maker:
    def make(count: int = 12, **options: Any) -> Autotuner:
        options = {"report_directory": None, **options}  # pictures take a second
        made = Autotuner("app", working_directory=tmp_path, display=Silence(), **options)
        made.set_training_args(tune_args(tmp_path, count))
        return made

    return make


def function(**options: Any) -> CodeVariant:
    return CodeVariant("f", 2, classifier=QuickClassifier(), **options)


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
    assert {line.split()[0] for line in app.runs()[before:]} == {"new"}


def test_a_mended_variant_is_tried_again(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    bad = tuner()
    told = {"calls": [{"features": {"n": 3}, "variants": {"small": "crash", "large": 1.0}}]}
    (tmp_path / "in03").write_text(json.dumps(told))
    [result] = bad.tune([function()])
    assert [(f.input, f.variant) for f in result.failures] == [("in03", "small")]
    before = len(app.runs())
    app.change(comment="rebuilt")
    bad.tune([function()])
    assert app.runs()[before:] == ["small in03"], "only what failed, now that it may be mended"


def test_clean_runs_only_when_the_header_changes(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    made.set_build_command("echo build >> commands.txt")
    made.set_clean_command("echo clean >> commands.txt")

    def commands() -> list[str]:
        text = (tmp_path / "commands.txt").read_text().split()
        (tmp_path / "commands.txt").unlink()
        return text

    made.tune([function()])
    assert commands() == ["clean", "build"]
    made.tune([function()])
    assert commands() == ["build"]
    made.tune([function(strict=True)])
    assert commands() == ["clean", "build"]
    made.tune([function(strict=True)], clean=True)
    assert commands() == ["clean", "build"]


def test_a_failed_build_is_shown_and_not_forgotten(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    made.set_clean_command("echo clean >> commands.txt")
    made.set_build_command("seq 100; echo 'error: no such type' >&2; exit 7")
    with pytest.raises(FettleError) as error:
        made.tune([function()])
    text = str(error.value)
    assert "exit 7` failed with exit code 7" in text
    assert text.endswith("  100\n  error: no such type")
    assert len(text.splitlines()) == 41
    made.set_build_command("true")
    made.tune([function()])
    assert (tmp_path / "commands.txt").read_text().split() == ["clean", "clean"]


def test_a_model_is_embedded_by_a_second_build(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    made = tuner()
    made.set_build_command("echo build >> commands.txt")
    made.tune([function(embed_model=True)])
    assert "struct f" in (tmp_path / "f_model.hpp").read_text()
    assert '#include "f_model.hpp"' in (tmp_path / "fettle_config.hpp").read_text()
    assert (tmp_path / "commands.txt").read_text().split() == ["build", "build"]


def test_test_inputs_are_held_out(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    made = tuner()
    made.set_test_args([*tune_args(tmp_path, 5, start=20), "in03"])
    [result] = made.tune([function()])
    assert result.evaluation is not None
    assert result.evaluation.how == "held-out"
    assert result.evaluation.data.inputs == ("in20", "in21", "in22", "in23", "in24")
    assert len(result.training.inputs) == 12
    assert result.model.provenance["judged"] == "held-out"
    assert "1 test inputs are training inputs as well" in result.warnings[0]


def test_test_inputs_that_fail_do_not_cost_the_model(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    (tmp_path / "bad").write_text(json.dumps({"begin": "crash"}))
    made.set_test_args(["bad"])
    [result] = made.tune([function()])
    assert result.evaluation is not None
    assert result.evaluation.how == "cross-validated"
    assert "the test inputs cannot be used: 'f': none of the 1 inputs" in result.warnings[0]


def test_feature_selection_drops_what_does_not_help(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    app.change(features=["m", "n"])
    [result] = tuner().tune([function(feature_selection=True)])
    assert result.feature_curve is not None
    assert result.feature_curve.kept == ("n",)
    assert [point.features for point in result.feature_curve.points] == [("m",), ("m", "n")]
    assert result.model.features == ("m", "n"), "the program hands over both"


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


def test_two_functions_of_one_program(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    with pytest.raises(FettleError, match="without calling a tuned function named 'g'"):
        tuner().tune([function(), CodeVariant("g")])
    header = (tmp_path / "fettle_config.hpp").read_text()
    assert "struct f {" in header
    assert "struct g {" in header
    assert read_model(tmp_path / "fettle_models" / "f").function == "f", "f was tuned before g"


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


def test_a_missing_program(tmp_path: Path) -> None:
    made = Autotuner("no-such-app", working_directory=tmp_path, display=Silence())
    made.set_training_args(["x"])
    with pytest.raises(FettleError, match=r"was found neither as .*/no-such-app nor on"):
        made.tune([CodeVariant("f")])


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
    assert "f: the program has changed since it was measured; variants that failed are" in said


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


def test_a_launcher_and_variables(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    made = tuner(2)
    launcher = tmp_path / "launch"
    launcher.write_text('#!/bin/sh\necho "$COLOUR" >> launched.txt\nexec "$@"\n')
    launcher.chmod(0o755)
    made.set_launch_prefix([str(launcher)])
    made.set_environment({"COLOUR": "red"})
    made.tune([function()])
    assert (tmp_path / "launched.txt").read_text().split() == ["red", "red"]


def test_a_time_budget_ends_measuring(tmp_path: Path, app: StandIn, tuner: Maker) -> None:
    made = tuner(time_budget=0.15)
    tune_args(tmp_path, seconds=0.05)
    [result] = made.tune([function()])
    assert 0 < len(result.training.inputs) < 12
    assert any("time budget was spent" in failure.reason for failure in result.failures)


SCRIPT = """
import sys
from pathlib import Path
from fettle import Autotuner, CodeVariant, TreeClassifier
tuner = Autotuner("app", report_directory=None)
tuner.set_training_args(sorted(path.name for path in Path().glob("in*")))
tuner.tune([CodeVariant("f", 2, classifier=TreeClassifier())])
"""


def start_script(folder: Path) -> subprocess.Popen[str]:
    (folder / "tune.py").write_text(SCRIPT)
    return subprocess.Popen(
        [sys.executable, "tune.py"],
        cwd=folder,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not what():
        assert time.monotonic() < end, "it did not come to that within 30 s"
        time.sleep(0.01)


def finish(tuner: subprocess.Popen[str]) -> str:
    """What the script says until its end."""
    return tuner.communicate(timeout=60)[1]


def processes_of(folder: Path) -> list[str]:
    """Command lines of running stand-ins."""
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return [line for line in found.stdout.splitlines() if str(folder / "app") in line]


def test_kill_9_and_resume(tmp_path: Path, app: StandIn) -> None:
    tune_args(tmp_path, seconds=0.05)
    with start_script(tmp_path) as tuner:
        wait_for(lambda: len(app.runs()) >= 7)
        tuner.kill()
    wait_for(lambda: not processes_of(tmp_path))
    before = app.runs()
    database = sqlite3.connect(tmp_path / "fettle.sqlite")
    complete = {name for (name,) in database.execute("SELECT arguments FROM input WHERE calls")}
    database.close()
    assert 3 <= len(complete) < 12
    with start_script(tmp_path) as tuner:
        said = finish(tuner)
        assert tuner.returncode == 0, said
    after = app.runs()[len(before) :]
    assert f"{len(complete)} of 12 inputs are known already" in said
    assert not {line.split()[1] for line in after} & complete
    assert len(app.runs()) <= 26, "at most the variant under way is measured again"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, -2), (signal.SIGTERM, 143)])
def test_an_interrupt_says_how_to_go_on(
    tmp_path: Path, app: StandIn, number: int, status: int
) -> None:
    tune_args(tmp_path, seconds=0.05)
    with start_script(tmp_path) as tuner:
        wait_for(lambda: len(app.runs()) >= 3)
        os.kill(tuner.pid, number)
        said = finish(tuner)
    assert "Run the same script again to go on from there" in said
    assert tuner.returncode == status
    wait_for(lambda: not processes_of(tmp_path))
