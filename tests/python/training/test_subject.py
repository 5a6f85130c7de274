"""What the measurements of a function are filed under, and how they are measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stand_in import StandIn
from stand_in_measurer import call, tell

from fettle import CodeVariant, Measuring
from fettle.core.progress import Silence
from fettle.store.sqlite import SqliteStore
from fettle.training.measure import Measurer
from fettle.training.patience import SECONDS
from fettle.training.program import ProgramError
from fettle.training.settings import Settings
from fettle.training.subject import machine_name, open_measurer


def opened(folder: Path, function: CodeVariant | None = None, **settings: Any) -> Measurer:
    chosen = Settings(program="app", working_directory=folder, **settings)
    store = SqliteStore(folder / "db.sqlite")
    return open_measurer(chosen, function or CodeVariant("f"), store, folder, Silence())


def test_a_subject_is_a_program_a_function_and_a_machine(tmp_path: Path) -> None:
    app = StandIn(tmp_path)
    subject = opened(tmp_path).subject
    assert (subject.program, subject.function) == (str(app.path), "f")
    assert subject.machine == machine_name()
    assert opened(tmp_path, filed_under="elsewhere").subject.program == "elsewhere"


def test_the_function_s_name_of_the_machine_comes_first(tmp_path: Path) -> None:
    StandIn(tmp_path)
    assert opened(tmp_path, machine="lab").subject.machine == "lab"
    own = CodeVariant("f", device_id="gpu0")
    assert opened(tmp_path, own, machine="lab").subject.machine == "gpu0"


@pytest.mark.parametrize(
    ("option", "value"),
    [("metric", "elapsed"), ("larger_is_better", True), ("constraints", False)],
)
def test_options_that_bear_on_measurements_keep_them_apart(
    tmp_path: Path, option: str, value: object
) -> None:
    StandIn(tmp_path)
    plain = opened(tmp_path).subject
    other = opened(tmp_path, CodeVariant("f", **{option: value})).subject  # type: ignore[arg-type]
    assert plain.conditions != other.conditions
    assert replace(other, conditions=plain.conditions) == plain
    seen = opened(tmp_path, CodeVariant("f", strict=True, outside_region="predict")).subject
    assert seen == plain, "these do not"


def test_macros_keep_builds_apart(tmp_path: Path) -> None:
    StandIn(tmp_path)
    subject = opened(tmp_path, built_with={"TILE": 8, "UNROLL": 2}).subject
    assert subject.conditions == f"{opened(tmp_path).subject.conditions} TILE=8 UNROLL=2"


def test_the_time_out_holds_for_a_first_variant_unless_measuring_has_one(tmp_path: Path) -> None:
    StandIn(tmp_path)
    tuner = opened(tmp_path, timeout=7.0)
    assert (tuner.measuring.timeout_s, tuner.silence_seconds) == (7.0, 7.0)
    assert tuner.patience is not None
    assert tuner.patience.seconds == min(SECONDS, 7.0)
    own = opened(tmp_path, timeout=7.0, measuring=Measuring(timeout_s=3.0, warm_up=2))
    assert own.measuring == Measuring(timeout_s=3.0, warm_up=2)
    assert opened(tmp_path, schedules=True).patience is None


def test_fresh_forgets_this_subject_alone(tmp_path: Path) -> None:
    StandIn(tmp_path)
    given = tell(tmp_path, "x", call(a=1e-3, b=2e-3))
    opened(tmp_path).measure(given)
    other = opened(tmp_path, machine="lab")
    other.measure(given)
    assert opened(tmp_path).is_complete(given)
    assert not opened(tmp_path, fresh=True).is_complete(given)
    assert opened(tmp_path, machine="lab").is_complete(given)


def test_a_missing_program_matters_where_it_is_measured(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="build it first"):
        opened(tmp_path)
    named = opened(tmp_path, measure=False, filed_under="app")
    assert not named.may_measure
