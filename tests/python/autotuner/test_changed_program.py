"""A program that was built anew: what of its measurements still holds is found by a few inputs."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn
from tuned_stand_in import tune_args

from fettle.autotuner import Autotuner
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import Subject
from fettle.training import renew
from fettle.training.collect import collect
from fettle.training.measure import Measurer
from fettle.training.program import Input, Program, ProgramError

COUNT, PROBED = 6, 3  # inputs, and those that are measured again
NAMES = ("small", "large", "other")


class Tuning:
    """Tuners of the stand-in, one after the other; what the last one said and ran."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.app = folder, StandIn(folder, variants=list(NAMES))
        self.said = ""
        self.ran: Counter[str] = Counter()  # runs of each variant

    def __call__(self, count: int = COUNT, *, names: list[str] | None = None, **how: Any) -> Any:
        lines: list[str] = []

        class Hearing(Silence):
            def say(self, text: str) -> None:
                lines.append(text)

        folder = self.folder
        tuner = Autotuner("app", working_directory=folder, display=Hearing(), comparing=None)
        tuner.set_training_args(names or tune_args(self.folder, count))
        before = len(self.app.runs())
        try:
            [result] = tuner.tune(CodeVariant("f", classifier=QuickClassifier()), **how)
            return result
        finally:
            self.ran = Counter(run.split()[0] for run in self.app.runs()[before:])
            self.said = "\n".join(lines)

    def heard(self, pattern: str) -> bool:
        return re.search(pattern, self.said) is not None


@pytest.fixture
def tune(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tuning:
    monkeypatch.setattr("fettle.autotuner.show_result", lambda *_: None)
    return Tuning(tmp_path)


def test_what_became_slower_is_measured_anew_and_not_deployed(tune: Tuning) -> None:
    first = tune().training.costs
    assert set(first.argmin(axis=1)) == {0}
    tune.app.change(now={"small": 40.0})
    second = tune().training.costs
    assert tune.heard("f: the program has changed since it was measured")
    assert tune.heard(
        r"f: small has changed on 3 of 3 inputs that were measured again \(in01: 2 ms then, 80 ms "
        r"now\): it is measured anew on all inputs"
    )
    assert not tune.heard("large has changed|other has changed")
    assert second[:, 0] == pytest.approx(40.0 * first[:, 0])
    assert second[:, 1:] == pytest.approx(first[:, 1:])
    assert set(second.argmin(axis=1)) == {1}
    assert tune.ran["small"] == 2 * PROBED + COUNT
    tune()
    assert not tune.ran and not tune.heard("changed")


def test_what_became_faster_is_measured_anew(tune: Tuning) -> None:
    tune()
    tune.app.change(now={"other": 1e-4})
    assert set(tune().training.costs.argmin(axis=1)) == {2}


def test_what_did_not_move_costs_a_few_inputs(tune: Tuning) -> None:
    tune(40)
    assert len(tune.app.runs("start")) == 40
    tune.app.change(now={"small": 1.2})
    result = tune(40)
    assert tune.heard("on 4 inputs that were measured again no variant is faster or slower beside")
    assert tune.ran == dict.fromkeys(NAMES, 4)
    assert (result.effort.reused_inputs, result.effort.program_starts) == (40, 4)


@pytest.mark.parametrize(("factor", "is_said"), [(1.8, False), (3.0, True), (0.2, True)])
def test_a_busier_machine_invalidates_nothing(tune: Tuning, factor: float, is_said: bool) -> None:
    tune()
    tune.app.change(now=dict.fromkeys(NAMES, factor))
    result = tune()
    assert tune.heard("no variant is faster or slower")
    assert tune.heard(f"all variants take {factor:g} times what they took") == is_said
    assert any("all variants take" in warning for warning in result.warnings) == is_said
    assert tune.ran["small"] == PROBED


def test_of_two_variants_the_one_that_moved_is_found(tune: Tuning) -> None:
    tune.app.change(variants=["small", "large"])
    tune()
    tune.app.change(now={"large": 9.0})
    tune()
    assert tune.heard("large has changed") and not tune.heard("small has changed")


def test_what_only_one_start_shows_is_the_starts_own(
    tune: Tuning, monkeypatch: pytest.MonkeyPatch
) -> None:
    tune()
    tune.app.change(now={"small": 40.0})
    measured = renew._measured
    looks: list[str] = []

    def look(measurer: Measurer, probes: Any, what: str) -> Any:
        looks.append(what)
        if len(looks) == 2:
            tune.app.change(now={})
        return measured(measurer, probes, what)

    monkeypatch.setattr(renew, "_measured", look)
    monkeypatch.setattr(Measurer, "require_same_build", lambda _: None)  # as if it were a start's
    tune()
    assert looks == ["inputs that are measured again", "those that differ, once more"]
    assert tune.heard("no variant is faster or slower")


@pytest.mark.parametrize("now", ["crash", "throw", "exclude"])
def test_what_fails_or_is_excluded_now_is_measured_anew(tune: Tuning, now: str) -> None:
    tune(4)
    tune.app.change(now={"other": now})
    result = tune(4)
    then = "excluded" if now == "exclude" else "failed"
    assert tune.heard(rf"other has changed on 3 of 3 .*: measured then, {then} now \(")
    assert (result.training.costs[:, 2] == float("inf")).all()


def test_a_metric_that_is_exact_counts_when_it_changes_at_all(tune: Tuning) -> None:
    tune.app.change(unit="returned")
    tune()
    tune.app.change(now={"large": 1.001})
    tune()
    assert tune.heard(r"large has changed on 3 of 3 inputs .*: 0.0065 then, 0.0065065 now\)")
    assert not tune.heard("small has changed|other has changed")


def test_another_metric_is_measured_anew(tune: Tuning) -> None:
    tune()
    tune.app.change(unit="returned")
    tune()
    for name in NAMES:
        assert tune.heard(f"{name} has another metric than the one that was measured")


def test_features_that_changed_are_evaluated_anew_on_all_inputs(tune: Tuning) -> None:
    several = {"calls": [{"features": {"n": n}, "variants": {}} for n in (50, 60)]}
    names = [*tune_args(tune.folder, 6), "several"]
    (tune.folder / "several").write_text(json.dumps(several))
    before = tune(names=names).training
    tune.app.change(feature=3)
    starts = len(tune.app.runs("start"))
    after = tune(names=names).training
    assert tune.heard("f: features have other values than before; they are evaluated anew on all")
    assert (after.values == 3 * before.values).all()
    assert after.costs == pytest.approx(before.costs)
    modes = Counter(start.split()[0] for start in tune.app.runs("start")[starts:])
    assert modes == {"measure": 2 * PROBED + 1, "features": 6}


def test_a_stated_version_decides_alone(tune: Tuning) -> None:
    tune.app.change(versions={"small": "1", "large": "1"})
    tune()
    tune.app.change(versions={"small": "2", "large": "1"})
    tune()
    assert tune.heard("f: small is of version 2 now, 1 was measured: it is measured anew on all")
    assert not tune.heard("large|other")
    assert tune.ran["small"] == PROBED + COUNT
    tune.app.change(now={"large": 40.0})
    tune()
    assert tune.heard("large has changed"), "the same version is not a promise"


def test_a_variant_that_was_away_is_measured_anew(tune: Tuning) -> None:
    tune()
    for names in (NAMES[:2], NAMES):
        tune.app.change(variants=list(names))
        tune()
    assert tune.heard("other was not offered in between: it is measured anew on all inputs")
    assert tune.ran["other"] == PROBED + COUNT


def test_rivals_tell_the_pace_of_what_is_measured_anew(tune: Tuning) -> None:
    """On a machine that is slower now, only what is measured anew would look slow."""
    names = tune_args(tune.folder, 3, start=3)
    tune.app.change(now={"other": 6e-3})
    first = tune(names=names).training.costs
    tune.app.change(now={"small": 1.5, "large": 1.5, "other": 1.5 * 6e-3})
    second = tune(names=names, fresh=["large"]).training.costs
    assert second / second[:, :1] == pytest.approx(first / first[:, :1])
    assert tune.ran == dict.fromkeys(NAMES, PROBED + len(names))


def test_variants_are_measured_anew_by_name(tune: Tuning) -> None:
    tune()
    tune(fresh=["small"])
    assert tune.heard("f: small is measured anew on all inputs, as asked for")
    assert tune.ran == {"small": COUNT}
    tune(fresh="other")
    assert tune.heard("other is measured anew") and not tune.heard("small")
    tune()
    assert not tune.ran


def test_an_unknown_name_names_the_variants(tune: Tuning) -> None:
    for _ in range(2):  # before anything is known of the program, and after
        with pytest.raises(FettleError) as error:
            tune(fresh=["small", "smal"])
        assert str(error.value) == (
            "there is no variant 'smal' to measure anew: f has small, large, other"
        )
        tune()
    tune.app.change(variants=["small", "large", "smal"])
    tune(fresh=["smal"])
    assert tune.ran["smal"] == PROBED + COUNT


def test_points_go_with_the_default_point_of_their_variant(tune: Tuning, tmp_path: Path) -> None:
    space = {"values": {"tile": [1, 2]}, "defaults": {"tile": 1}, "constraints": []}
    tune.app.change(variants=["plain", "tiled tile=1"], parameters={"tiled": space})
    inputs = [Input(name, (name,)) for name in tune_args(tmp_path, 4)]

    def measurer() -> Measurer:
        made = Measurer(
            program=Program("app", tmp_path),
            subject=Subject("app", "f", "here", ""),
            store=SqliteStore(tmp_path / "db"),
            logs=tmp_path,
            display=Silence(),
        )
        made.check_build()
        return made

    first = measurer()
    collect(first, inputs)
    for given in inputs:
        first.store.add_samples(first.subject, first.key(given), 0, "tiled tile=2", [1.0])
        first.store.add_verdict(first.subject, first.key(given), 0, "tiled tile=2", "measured")
    tune.app.change(comment="rebuilt")
    assert not renew.renew(measurer(), inputs)
    assert len(measurer().examples(inputs[0])[0].samples) == 3
    tune.app.change(now={"tiled tile=1": 9.0})
    again = measurer()
    assert again.has_changed and renew.renew(again, inputs) and not again.has_changed
    assert all(again.examples(given)[0].samples.keys() == {"plain"} for given in inputs)
    collect(again, inputs)
    elsewhere = {**space, "defaults": {"tile": 2}}
    tune.app.change(variants=["plain", "tiled tile=2"], parameters={"tiled": elsewhere})
    assert renew.renew(measurer(), inputs), "it runs at another point by default"
    assert not measurer().has_changed


class Stop(BaseException):
    """The end of a tuner, wherever it is."""


@pytest.mark.parametrize(
    ("kind", "name", "calls"),
    [
        (Measurer, "measure_call", 1),
        (Measurer, "measure_call", 2 * PROBED - 1),
        (SqliteStore, "forget_variants", 0),
        (Measurer, "measure", 0),
        (Measurer, "measure", COUNT - 1),
    ],
)
def test_a_tuner_that_is_stopped_anywhere_goes_on(
    tune: Tuning, monkeypatch: pytest.MonkeyPatch, kind: type, name: str, calls: int
) -> None:
    """The new program is never taken for the one that was measured."""
    tune()
    tune.app.change(now={"small": 40.0})
    called = getattr(kind, name)
    left = calls

    def stopping(*given: Any, **more: Any) -> Any:
        nonlocal left
        if left == 0:
            raise Stop
        left -= 1
        return called(*given, **more)

    with monkeypatch.context() as patched:
        patched.setattr(kind, name, stopping)
        with pytest.raises(Stop):
            tune()
    result = tune()
    assert result.training.costs[:, 0] == pytest.approx([0.04 * n for n in range(1, COUNT + 1)])


def test_a_program_that_is_built_again_in_the_middle_ends_the_tuning(
    tune: Tuning, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_once, starts = Measurer._run_once, Counter[str]()

    def run_and_build(self: Measurer, *how: Any) -> None:
        run_once(self, *how)
        starts["all"] += 1
        if starts["all"] == 4:
            tune.app.change(now={"small": 40.0})

    monkeypatch.setattr(Measurer, "_run_once", run_and_build)
    with pytest.raises(ProgramError, match="app was built again while it was measured"):
        tune()
    assert starts["all"] == 4
    again = tune().training.costs
    assert tune.heard("f: the program has changed since it was measured")
    assert set(again.argmin(axis=1)) == {1}
