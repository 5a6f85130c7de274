"""The second round of a race: who is in it, and that it takes place once."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from stand_in import StandIn

from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.store.contents import Example
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import Offer, Subject
from fettle.training.measure import Measurer
from fettle.training.program import Input, Program
from fettle.training.request import Measuring
from fettle.training.second_round import SecondRound, near_best, race_again

HOW = SecondRound(Measuring(maximum_samples=30), near=0.9)
VARIANTS = ("default", "best", "near", "far", "wrong")
TIMES = {"default": 5e-3, "best": 1e-3, "near": 1.1e-3, "far": 1.2e-3, "wrong": "wrong"}


@pytest.fixture
def app(tmp_path: Path) -> StandIn:
    return StandIn(tmp_path, variants=list(VARIANTS))


@pytest.fixture
def measurer(tmp_path: Path, app: StandIn) -> Callable[[], Measurer]:
    def make() -> Measurer:
        (tmp_path / "logs").mkdir(exist_ok=True)
        return Measurer(
            program=Program(app.path.name, tmp_path),
            subject=Subject("app", "f", "here", ""),
            store=SqliteStore(tmp_path / "db.sqlite"),
            logs=tmp_path / "logs",
            display=Silence(),
        )

    return make


def say(folder: Path, name: str, *sizes: float) -> Input:
    """An input on which the stand-in makes a call of each size."""
    calls = [{"features": {"n": size}, "variants": TIMES} for size in sizes]
    (folder / name).write_text(json.dumps({"calls": calls}))
    return Input(name, (name,))


def test_the_near_ones_get_more_samples(
    tmp_path: Path, app: StandIn, measurer: Callable[[], Measurer]
) -> None:
    given = say(tmp_path, "x", 1)
    tuner = measurer()
    tuner.measure(given)
    before = len(app.runs())
    assert race_again(tuner, [given], HOW) == 1
    # The default is so slow that its first samples say enough.
    assert app.runs()[before:] == ["best x", "near x"]
    [example] = tuner.examples(given)
    assert {name: len(its) for name, its in example.samples.items()} == {
        "default": 2,
        "best": 4,
        "near": 4,
        "far": 2,
    }
    assert tuner.store.starts(tuner.subject, tuner.key(given)) == 2
    assert example.verdicts["wrong"][0] == "failed"
    assert tuner.is_complete(given)


def test_samples_of_several_starts_of_the_program(
    tmp_path: Path, app: StandIn, measurer: Callable[[], Measurer]
) -> None:
    given = say(tmp_path, "x", 1, 2)
    tuner = measurer()
    tuner.measure(given)
    before, starts = len(app.runs()), tuner.spent.program_starts
    how = SecondRound(HOW.measuring, near=0.9, starts=3)
    assert race_again(tuner, [given], how) == 1
    assert tuner.spent.program_starts == starts + 2 * 3, "each call by starts of its own"
    assert app.runs()[before:] == ["best x", "near x"] * 2 * 3
    for example in tuner.examples(given):
        assert [len(example.samples[name]) for name in ("best", "near", "far")] == [8, 8, 2]
    assert tuner.store.starts(tuner.subject, tuner.key(given)) == 1 + 2 * 3
    assert tuner.is_complete(given)
    with pytest.raises(FettleError, match="starts must be at least 1, not 0"):
        SecondRound(HOW.measuring, starts=0)


def test_it_takes_place_once(
    tmp_path: Path, app: StandIn, measurer: Callable[[], Measurer]
) -> None:
    given = say(tmp_path, "x", 1, 2)
    measurer().measure(given)
    assert race_again(measurer(), [given], HOW) == 1
    runs = app.runs()
    assert runs[2 * len(VARIANTS) :] == ["best x", "near x"] * 2
    assert race_again(measurer(), [given], HOW) == 0
    assert app.runs() == runs


def test_inputs_that_were_not_measured_wait(
    tmp_path: Path, app: StandIn, measurer: Callable[[], Measurer]
) -> None:
    known, unknown = say(tmp_path, "x", 1), say(tmp_path, "y", 2)
    tuner = measurer()
    assert race_again(tuner, [known], HOW) == 0, "nothing is known of the program"
    tuner.measure(known)
    assert race_again(tuner, [unknown, known], HOW) == 1
    assert "best y" not in app.runs()


def test_none_is_begun_after_the_deadline(
    tmp_path: Path, app: StandIn, measurer: Callable[[], Measurer]
) -> None:
    given = say(tmp_path, "x", 1)
    tuner = measurer()
    tuner.measure(given)
    runs = app.runs()
    assert race_again(tuner, [given], HOW, deadline=time.monotonic() - 1) == 0
    assert app.runs() == runs
    assert tuner.is_complete(given)


def test_one_that_was_cut_short_is_finished_by_measuring(
    tmp_path: Path, app: StandIn, measurer: Callable[[], Measurer]
) -> None:
    given = say(tmp_path, "x", 1)
    tuner = measurer()
    tuner.measure(given)
    tuner.store.forget_verdicts(tuner.subject, tuner.key(given), 0, ["best", "near"])
    assert not tuner.is_complete(given)
    before = len(app.runs())
    measurer().measure(given)
    assert app.runs()[before:] == ["best x", "near x"]


@pytest.mark.parametrize(
    ("near", "names"),
    [
        (0.9, ("default", "best", "near")),
        (0.8, ("default", "best", "near", "far")),
        (0.95, ("default", "best")),
    ],
)
def test_who_is_near(near: float, names: tuple[str, ...]) -> None:
    offer = Offer(VARIANTS, ("n",), "default", "s", False, {})
    samples = {name: [time] for name, time in TIMES.items() if isinstance(time, float)}
    verdicts = dict.fromkeys(samples, ("measured", "")) | {"wrong": ("failed", "")}
    example = Example(0, {"n": 1.0}, {}, samples, verdicts)  # type: ignore[arg-type]
    assert near_best(example, offer, near) == names


def test_a_best_without_rivals_needs_no_second_round() -> None:
    offer = Offer(("default", "far"), (), "default", "s", False, {})
    verdicts = {"default": ("measured", ""), "far": ("measured", "")}
    example = Example(0, {}, {}, {"default": [1.0], "far": [9.0]}, verdicts)  # type: ignore[arg-type]
    assert near_best(example, offer, 0.9) == ()
