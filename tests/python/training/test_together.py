"""Several functions on the workers of an executor: their inputs are one queue."""

from __future__ import annotations

import contextlib
import json
import pickle
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn

from fettle import Autotuner, CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.data.tuning_result import TuningResult
from fettle.store.sqlite import SqliteStore
from fettle.training.collect import GIVE_UP_AFTER
from fettle.training.remote_worker import do_job

SIZES = range(4)
FUNCTIONS = ("f", "g", "h")


class InTurn:
    """An executor of so many workers by its own account, which calls at once."""

    def __init__(self, workers: int = 1, before: Callable[[str], object] = lambda _: None) -> None:
        self._max_workers = workers
        self.asked: list[str] = []
        self.before = before

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            if function is do_job:
                job = arguments[0]
                asked = f"{job['subject'][1]} {job['given']['name']}"
                if job["want"] == "measure":
                    self.asked.append(asked)
                self.before(asked)
            future.set_result(function(*pickle.loads(pickle.dumps(arguments))))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture
def app(here: Path) -> StandIn:
    """A program of three functions, whose second input takes long."""
    stand_in = StandIn(here, function="f", also=["g", "h"], variants=["small", "large"])
    for size in SIZES:
        variants = {"small": 1e-3 * (size + 1), "large": "slow" if size == 1 else 2.5e-3}
        call = {"features": {"n": size}, "variants": variants}
        (here / f"in{size}").write_text(json.dumps({"calls": [call]}))
    return stand_in


def tune(
    executor: Any, database: str, functions: tuple[str, ...] = FUNCTIONS, **options: Any
) -> list[TuningResult]:
    options = {"comparing": None, "display": Silence(), **options}
    made = Autotuner("app", database=database, executor=executor, report_directory=None, **options)
    made.set_training_args([f"in{size}" for size in SIZES])
    return made.tune([CodeVariant(name, 2, classifier=QuickClassifier()) for name in functions])


def held(database: str) -> dict[tuple[str, str], object]:
    """What a store has of each function and input."""
    found = {}
    with SqliteStore(Path(database)) as store:
        for subject in store.subjects():
            for given in store.inputs(subject):
                known = store.contents(subject, given)
                rows = [(r.call, r.variant, r.values) for s in known.runs.values() for r in s.rows]
                found[subject.function, given.arguments] = (known.verdicts, rows)
    return found


def test_functions_measured_together_bring_the_same(app: StandIn) -> None:
    alone = tune(None, "alone.sqlite")
    with ProcessPoolExecutor(2) as executor:
        shared = tune(executor, "shared.sqlite")
    assert held("shared.sqlite") == held("alone.sqlite")
    assert len(held("alone.sqlite")) == len(FUNCTIONS) * len(SIZES)
    for one, other in zip(alone, shared, strict=True):
        assert one.model.predictor == other.model.predictor
        assert one.effort.measured_inputs == other.effort.measured_inputs == len(SIZES)
        assert one.effort.program_starts == other.effort.program_starts
        assert other.effort.reused_inputs == 0


def test_what_took_long_with_the_first_function_begins_with_the_others(app: StandIn) -> None:
    executor = InTurn()
    tune(executor, "fettle.sqlite")
    assert executor.asked[:4] == ["f in0", "f in1", "f in2", "f in3"]
    assert executor.asked[4:6] == ["g in1", "h in1"]
    assert len(executor.asked) == len(set(executor.asked)) == len(FUNCTIONS) * len(SIZES)


def test_what_is_known_is_not_measured_again(app: StandIn) -> None:
    tune(InTurn(), "fettle.sqlite", ("g",))
    executor = InTurn()
    results = tune(executor, "fettle.sqlite")
    assert not [name for name in executor.asked if name.startswith("g ")]
    assert [one.effort.reused_inputs for one in results] == [0, len(SIZES), 0]


def test_an_input_that_fails_is_started_once_for_each_function(app: StandIn) -> None:
    (app.folder / "in2").write_text("not JSON")
    executor = InTurn()
    results = tune(executor, "fettle.sqlite")
    assert sorted(executor.asked) == [f"{name} in{size}" for name in FUNCTIONS for size in SIZES]
    assert [one.effort.measured_inputs for one in results] == [len(SIZES) - 1] * len(FUNCTIONS)
    assert all("in2: the program exited" in str(one) for one in results)


def test_a_function_that_cannot_be_measured_ends_it_at_its_turn(app: StandIn) -> None:
    with pytest.raises(FettleError, match="'other'"):
        tune(InTurn(), "fettle.sqlite", ("f", "other", "g"))
    assert (app.folder / "fettle_models" / "f").is_dir()
    measured = {function for function, _ in held("fettle.sqlite")}
    assert measured == {"f", "g"}  # what was measured is kept


def test_a_function_of_which_nothing_works_is_given_up(app: StandIn) -> None:
    names = [f"bad{number}" for number in range(12)]
    for name in names:
        (app.folder / name).write_text("not JSON")
    executor = InTurn()
    made = Autotuner("app", executor=executor, display=Silence(), report_directory=None)
    made.set_training_args(names)
    with pytest.raises(FettleError, match=r"'f': none of the \d+ inputs"):
        made.tune([CodeVariant(name, 2) for name in FUNCTIONS])
    in_flight = 2 * executor._max_workers
    assert len(executor.asked) <= len(FUNCTIONS) * (GIVE_UP_AFTER + in_flight)


def test_functions_are_measured_in_turn_where_they_depend_on_each_other(app: StandIn) -> None:
    executor = InTurn(workers=8)
    tune(executor, "fettle.sqlite", time_budget=60)
    assert executor.asked == [f"{name} in{size}" for name in FUNCTIONS for size in SIZES]


def test_an_interruption_keeps_what_has_arrived(app: StandIn) -> None:
    def stop(asked: str) -> None:
        if asked == "g in2":
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        tune(InTurn(before=stop), "fettle.sqlite")
    assert ("f", "in1") in held("fettle.sqlite")
    executor = InTurn()
    tune(executor, "fettle.sqlite")
    assert {"f in0", "f in1"}.isdisjoint(executor.asked)
