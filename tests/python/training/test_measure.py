"""Measuring one function with a program that crashes, hangs, throws, lies and restarts."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stand_in import StandIn

from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.data.tuning_result import Failure
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import Subject
from fettle.training.collect import collect
from fettle.training.examples import make_table
from fettle.training.log import LogError
from fettle.training.measure import Measurer
from fettle.training.patience import Patience
from fettle.training.program import Input, InputError, Program, ProgramError, parse_inputs

Maker = Callable[..., Measurer]


@pytest.fixture
def app(tmp_path: Path) -> StandIn:
    return StandIn(tmp_path, variants=["a", "b", "c"])


@pytest.fixture
def measurer(tmp_path: Path) -> Maker:
    def make(**options: Any) -> Measurer:
        (tmp_path / "logs").mkdir(exist_ok=True)
        return Measurer(
            program=Program("app", tmp_path),
            subject=Subject("app", options.pop("function", "f"), "here", ""),
            store=SqliteStore(tmp_path / "db.sqlite"),
            logs=tmp_path / "logs",
            display=Silence(),
            **options,
        )

    return make


def say(folder: Path, name: str, *calls: dict[str, Any], **more: Any) -> Input:
    """Writes an input file that makes the stand-in do these calls."""
    (folder / name).write_text(json.dumps({"calls": list(calls), **more}))
    return Input(name, (name,))


def call(n: float | str = 1.0, **variants: Any) -> dict[str, Any]:
    return {
        "features": {"n": n, "m": 2 * n if isinstance(n, float | int) else 2},
        "variants": variants,
    }


def costs(measurer: Measurer, *inputs: Input) -> dict[str, list[float]]:
    assert measurer.offer is not None
    table = make_table("f", measurer.offer, [(i.name, measurer.examples(i)) for i in inputs])
    return dict(zip(table.data.inputs, table.data.costs.tolist(), strict=True))


def test_one_start_measures_all_variants(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", call(a=3e-3, b=1e-3, c="exclude"))
    tuner = measurer()
    assert tuner.measure(given)
    assert costs(tuner, given) == {"x": [3e-3, 1e-3, math.inf]}
    assert tuner.spent.program_starts == 1
    assert tuner.spent.variant_runs == 4
    assert not tuner.measure(given), "everything is known"
    assert len(app.runs("start")) == 1


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ("crash", "crashed with SIGSEGV"),
        ("hang", "ran longer than its limit of 1 s and was killed"),
        ("exit", "exited with code 3"),
        ("throw", "exception: bad luck"),
        ("wrong", "wrong result"),
        ("quiet", "not run: the call ended (settled) before its turn"),
    ],
)
def test_a_bad_variant_costs_itself_only(
    tmp_path: Path, app: StandIn, measurer: Maker, end: str, reason: str
) -> None:
    given = say(tmp_path, "x", call(1, a=9e-3, b=end, c=1e-3), call(2, a=1e-3, b=2e-3, c=3e-3))
    tuner = measurer()
    tuner.measure(given)
    assert costs(tuner, given) == {
        "x": [9e-3, math.inf, 1e-3],
        "x #1": [1e-3, 2e-3, 3e-3],
    }
    assert tuner.examples(given)[0].verdicts["b"][1] == reason
    restarted = end in ("crash", "hang", "exit")
    assert len(app.runs("start")) == 1 + restarted
    assert app.runs().count("c x") == 2, "nothing is measured twice"


def test_a_run_past_its_limit_is_waited_for(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", call(a=1e-3, b="slow", c=2e-3))
    tuner = measurer(patience=Patience(10))
    tuner.measure(given)
    assert costs(tuner, given) == {"x": [1e-3, 0.5, 2e-3]}
    assert tuner.spent.program_starts == 1


def test_a_hang_is_waited_for_once(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    tuner = measurer(patience=Patience(1.5))
    reasons = []
    for name in ("x", "y"):
        given = say(tmp_path, name, call(a=1e-3, b="hang", c=2e-3))
        tuner.measure(given)
        reasons.append(tuner.examples(given)[0].verdicts["b"][1])
    assert reasons == [
        "ran longer than its limit of 1.5 s and was killed",
        "slow: killed at its limit of 1 s",
    ]


def test_a_feature_that_throws_costs_its_input_and_is_named(
    tmp_path: Path, app: StandIn, measurer: Maker
) -> None:
    blind = say(tmp_path, "blind", call("threw: no \udcff", a=1e-3))
    seeing = say(tmp_path, "seeing", call(a=3e-3, b=1e-3, c=2e-3))
    tuner = measurer()
    found = collect(tuner, [blind, seeing])
    assert found.measured == [blind, seeing]
    assert tuner.offer is not None
    table = make_table("f", tuner.offer, [(i.name, tuner.examples(i)) for i in (blind, seeing)])
    assert table.data.inputs == ("seeing",)
    assert table.failures == (Failure("blind", None, r"feature n threw: no \xff"),)
    assert tuner.warnings == [r"blind: call 0: feature n threw: no \xff"]
    assert app.runs() == ["a seeing", "b seeing", "c seeing"]
    assert not tuner.measure(blind), "it is known, also when the tuner is started again"

    tuner.store.forget_failures(tuner.subject)  # the program has changed
    say(tmp_path, "blind", call(a=1e-3, b=2e-3, c=3e-3))
    again = measurer()
    assert again.measure(blind)
    assert costs(again, blind) == {"blind": [1e-3, 2e-3, 3e-3]}
    assert again.warnings == [], "no value contradicts none"


@pytest.mark.parametrize("what", ["variant", "feature"])
def test_a_name_that_is_not_utf_8_is_refused_in_one_sentence(
    tmp_path: Path, app: StandIn, measurer: Maker, what: str
) -> None:
    app.change(**{f"{what}s": ["a", "caf\udce9"]})
    given = say(tmp_path, "x")
    message = rf"'f' has a {what} whose name is not UTF-8 text .*: 'caf\\xe9'; give it another name"
    for _ in range(2):
        with pytest.raises(ProgramError, match=message) as error:
            measurer().measure(given)
        assert "\n" not in str(error.value)


def test_arguments_of_any_bytes_are_inputs(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    names = [os.fsdecode(b"caf\xe9"), os.fsdecode(b"caf\xe8"), r"caf\udce9"]
    for count, name in enumerate(names, 1):
        say(tmp_path, name, call(a=count * 1e-3, b=9e-3, c=9e-3))
    inputs = parse_inputs(names, what="inputs", directory=tmp_path)
    assert [i.name for i in inputs] == [r"'caf\xe9'", r"'caf\xe8'", r"'caf\udce9'"]
    tuner = measurer()
    assert collect(tuner, inputs).measured == list(inputs)
    assert [costs(tuner, i)[i.name][0] for i in inputs] == [1e-3, 2e-3, 3e-3]
    assert collect(measurer(), inputs).reused == list(inputs)


def test_an_argument_may_be_longer_than_a_files_name(
    tmp_path: Path, app: StandIn, measurer: Maker
) -> None:
    say(tmp_path, "x", call(a=1e-3, b=2e-3, c=3e-3))
    [given] = parse_inputs(["x " + "9" * 5000], what="inputs", directory=tmp_path)
    assert measurer().measure(given)
    with pytest.raises(FettleError, match="has a NUL character"):
        parse_inputs(["x\0y"], what="inputs", directory=tmp_path)


def test_every_variant_may_crash(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", call(a="crash", b="crash", c="hang"))
    tuner = measurer()
    tuner.measure(given)
    assert tuner.offer is not None
    table = make_table("f", tuner.offer, [("x", tuner.examples(given))])
    assert len(table.data.inputs) == 0
    assert [f.reason for f in table.failures][-1] == "no variant works on this input"
    assert len(app.runs("start")) == 4


def test_a_rival_near_the_best_is_measured_again_after_a_crash(
    tmp_path: Path, app: StandIn, measurer: Maker
) -> None:
    app.change(variants=["a", "b", "c", "d"])
    given = say(tmp_path, "x", call(a=1.0e-3, b=9e-3, c="crash", d=1.1e-3))
    measurer().measure(given)
    assert app.runs() == ["a x", "b x", "c x", "a x", "d x"], "b is hopeless, a may yet win"


def test_a_new_variant_is_measured_alone(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", call(1, a=1e-3, b=2e-3, c=3e-3), call(2, a=1e-3, b=2e-3, c=3e-3))
    measurer().measure(given)
    before = len(app.runs())
    app.change(variants=["a", "b", "c", "new"])
    tuner = measurer()
    collect(tuner, [given])
    assert app.runs()[before:] == ["new x", "new x"], "once for each call"
    assert list(costs(tuner, given)) == ["x", "x #1"]


def test_a_new_feature_needs_no_variant_run(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", call(3, a=1e-3, b=2e-3, c=3e-3))
    measurer().measure(given)
    before = len(app.runs())
    app.change(features=["n", "m"])
    tuner = measurer()
    collect(tuner, [given])
    assert app.runs()[before:] == []
    assert tuner.examples(given)[0].features == {"n": 3, "m": 6}


def test_a_changed_input_file_is_measured_anew(
    tmp_path: Path, app: StandIn, measurer: Maker
) -> None:
    measurer().measure(say(tmp_path, "x", call(a=1e-3, b=2e-3, c=3e-3)))
    changed = say(tmp_path, "x", call(a=3e-3, b=2e-3, c=1.5e-3))
    tuner = measurer()
    assert tuner.measure(changed)
    assert costs(tuner, changed) == {"x": [3e-3, 2e-3, 1.5e-3]}


def test_calls_with_equal_features_count_once(
    tmp_path: Path, app: StandIn, measurer: Maker
) -> None:
    one = call(1, a=1e-3, b=2e-3, c=3e-3)
    given = say(tmp_path, "x", one, one, call(2, a=1e-3, b=2e-3, c=3e-3))
    tuner = measurer()
    tuner.measure(given)
    assert list(costs(tuner, given)) == ["x", "x #2"]


def test_a_crash_after_the_calls_keeps_them(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", call(a=1e-3, b=2e-3, c=3e-3), end="crash")
    tuner = measurer()
    tuner.measure(given)
    assert costs(tuner, given) == {"x": [1e-3, 2e-3, 3e-3]}
    assert "SIGSEGV outside the measured runs, such as in the default" in tuner.warnings[0]
    assert not measurer().measure(given)


def test_a_program_that_dies_before_the_call(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", begin="crash")
    with pytest.raises(InputError) as error:
        measurer().measure(given)
    text = str(error.value)
    assert text.startswith("x: the program crashed with SIGABRT before it called 'f'")
    assert f"command: {app.path} x" in text
    assert "| cannot read the input" in text


def test_a_program_that_says_nothing_is_killed(
    tmp_path: Path, app: StandIn, measurer: Maker
) -> None:
    given = say(tmp_path, "x", begin="hang")
    with pytest.raises(InputError, match="said nothing for 1 s and was killed"):
        measurer(silence_seconds=0.5 + 0.1).measure(given)


def test_a_function_that_is_never_called(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", call())
    with pytest.raises(InputError, match="without calling a tuned function named 'g'"):
        measurer(function="g").measure(given)


def test_misuse_ends_the_tuning(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", call(), misuse=True)
    with pytest.raises(ProgramError, match="'f' cannot be trained: move-only argument"):
        measurer().measure(given)


def test_garbage_in_the_log_ends_the_tuning(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", call(), garbage=True)
    with pytest.raises(LogError, match=r"logs/000000.jsonl:2: not a record"):
        measurer().measure(given)
    assert (tmp_path / "logs" / "000000.jsonl").exists(), "the file that the message names"


def test_a_wrong_number_of_variants(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", call())
    with pytest.raises(ProgramError, match="has 6 variants, the program registers 3: a, b, c"):
        measurer(variants=6).measure(given)


def test_a_failed_input_is_left_out_and_the_others_go_on(
    tmp_path: Path, app: StandIn, measurer: Maker
) -> None:
    bad = say(tmp_path, "bad", begin="crash")
    good = say(tmp_path, "good", call(a=1e-3, b=2e-3, c=3e-3))
    found = collect(measurer(), [bad, good])
    assert found.measured == [good]
    assert list(found.left_out) == ["bad"]
    again = collect(measurer(), [bad, good])
    assert again.reused == [good]


def test_the_tuner_gives_up_when_nothing_works(
    tmp_path: Path, app: StandIn, measurer: Maker
) -> None:
    bad = [say(tmp_path, f"bad{i}", begin="crash") for i in range(9)]
    with pytest.raises(ProgramError, match="none of the 5 inputs tried could be measured"):
        collect(measurer(), bad)
    assert len(app.runs("start")) == 5


def test_features_first_and_variants_later(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    given = say(tmp_path, "x", call(1, a=1e-3, b=2e-3, c=3e-3), call(2, a=1e-3, b=2e-3, c=3e-3))
    tuner = measurer()
    assert tuner.measure(given, "features")
    assert app.runs() == []
    assert [e.features["n"] for e in tuner.examples(given)] == [1, 2]
    assert tuner.measure(given)
    assert len(app.runs("start")) == 2
    assert len(app.runs()) == 6


def test_a_larger_metric_may_be_better(tmp_path: Path, app: StandIn, measurer: Maker) -> None:
    app.change(larger_is_better=True, unit="returned")
    given = say(tmp_path, "x", call(a=4.0, b=8.0, c=0.0))
    tuner = measurer()
    tuner.measure(given)
    assert costs(tuner, given) == {"x": [0.25, 0.125, math.inf]}


def test_a_spent_time_budget_leaves_inputs_out(
    tmp_path: Path, app: StandIn, measurer: Maker
) -> None:
    known = say(tmp_path, "known", call(a=1e-3, b=2e-3, c=3e-3))
    other = say(tmp_path, "other", call(a=1e-3, b=2e-3, c=3e-3))
    measurer().measure(known)
    found = collect(measurer(), [known, other], deadline=0.0)
    assert found.left_out == {"other": "not measured: the time budget was spent"}
    assert found.complete([known, other]) == [known]
