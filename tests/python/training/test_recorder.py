"""What is kept of a start of the program, record by record."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from stand_in_measurer import measurer_in

from fettle.store.contents import Example
from fettle.store.subject import InputKey
from fettle.training.log import LogError
from fettle.training.measure import Measurer
from fettle.training.program import ProgramError
from fettle.training.record import (
    Call,
    End,
    Excluded,
    Failed,
    Header,
    Measured,
    Misuse,
    Record,
    Sample,
    Start,
)
from fettle.training.recorder import Recorder
from fettle.training.request import Request

HEADER = Header("f", ("a", "b", "c"), ("n",), "a", "s", False, {}, "app")
CALL = Call(0, "x", {"n": 3.0}, {"n": 1e-6})
KEY = InputKey("x", "")


def kept(tuner: Measurer, *records: Record, mode: Any = "measure") -> list[Example]:
    """What the store has after a start of the program that says this."""
    recorder = Recorder(tuner, KEY, Request("f", "x", mode))
    for record in records:
        recorder.handle(record)
    return tuner.store.examples(tuner.subject, KEY)


def test_verdicts_of_a_call_are_complete_at_its_end(tmp_path: Path) -> None:
    tuner = measurer_in(tmp_path)
    recorder = Recorder(tuner, KEY, Request("f", "x"))
    for record in (HEADER, CALL, Start(0, "a", 1.0), Sample(0, "a", (2.0, 4.0))):
        recorder.handle(record)
    [example] = tuner.store.examples(tuner.subject, KEY)
    assert (example.samples, example.verdicts) == ({"a": [2.0, 4.0]}, {})
    assert not recorder.is_complete(example)
    recorder.handle(Excluded(0, "b", "too large"))
    recorder.handle(End(0, "budget", "a"))
    [example] = tuner.store.examples(tuner.subject, KEY)
    assert recorder.is_complete(example)
    assert example.verdicts == {
        "a": ("measured", ""),
        "b": ("excluded", "too large"),
        "c": ("unmeasured", "not run: the call ended (budget) before its turn"),
    }
    assert tuner.spent.variant_runs == 2


def test_a_start_is_kept_once_it_has_measured_something(tmp_path: Path) -> None:
    tuner = measurer_in(tmp_path)

    def runs() -> int:
        return len(tuner.store.contents(tuner.subject, KEY).runs)

    kept(tuner, HEADER, CALL, Start(0, "a", 1.0))
    assert runs() == 0
    kept(tuner, HEADER, CALL, Sample(0, "a", (1.0,)), Sample(0, "b", (1.0,)))
    assert runs() == 1
    kept(tuner, HEADER, CALL, Failed(0, "c", "wrong result"))
    assert runs() == 2


def test_a_metric_that_is_none_is_a_failure(tmp_path: Path) -> None:
    tuner = measurer_in(tmp_path)
    [example] = kept(tuner, HEADER, CALL, Sample(0, "a", (1.0, -2.0)))
    assert example.samples == {}
    assert example.verdicts["a"][0] == "failed"
    assert tuner.spent.variant_runs == 0


def test_other_metrics_outputs_and_lost_runs_are_kept_beside(tmp_path: Path) -> None:
    tuner = measurer_in(tmp_path)
    sample = Sample(0, "a", (math.inf,), 0.5, True, {"joules": (7.0,)})
    [example] = kept(tuner, HEADER, CALL, Start(0, "a", 9.0), sample, Measured(0, "a"))
    assert example.bitwise == {"a": True}
    assert example.lost_seconds == {"a": 0.5}
    assert example.others == {"a": {"joules": [7.0]}}
    assert example.verdicts["a"] == ("measured", "")
    assert tuner.seconds_seen == {}, "a lost run is no measure of others"


def test_a_call_without_features_teaches_nothing(tmp_path: Path) -> None:
    tuner = measurer_in(tmp_path)
    blind = Call(0, "x", {"n": math.nan}, {}, {"n": "threw: no"})
    [example] = kept(tuner, HEADER, blind)
    assert example.featureless == "feature n threw: no"
    assert set(example.verdicts) == {"a", "b", "c"}
    assert tuner.warnings == ["x: call 0: feature n threw: no"]


def test_features_that_change_are_a_warning(tmp_path: Path) -> None:
    tuner = measurer_in(tmp_path)
    kept(tuner, HEADER, CALL)
    kept(tuner, HEADER, CALL)
    assert tuner.warnings == []
    [example] = kept(tuner, HEADER, Call(0, "x", {"n": 4.0}, {}))
    assert tuner.warnings == [
        "x: the features of call 0 differ from one start of the program to the next"
    ]
    assert example.features == {"n": 4.0}


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([Header("g", ("a",), (), "a", "s", False, {}, "")], "asked to train 'f' but trains 'g'"),
        ([Misuse("move-only argument")], "'f' cannot be trained: move-only argument"),
    ],
)
def test_programs_that_cannot_be_trained(
    tmp_path: Path, records: list[Record], message: str
) -> None:
    with pytest.raises(ProgramError, match=message):
        kept(measurer_in(tmp_path), *records)


def test_a_call_begins_before_it_is_spoken_of(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"training log of x speaks of call 1 before it began"):
        kept(measurer_in(tmp_path), HEADER, CALL, Sample(1, "a", (1.0,)))


def test_what_variants_return_is_a_time_where_the_script_says_so(tmp_path: Path) -> None:
    returned = Header("f", ("a",), (), "a", "returned", False, {}, "")
    for seconds, unit in ((False, "returned"), (True, "s")):
        tuner = measurer_in(tmp_path, returns_seconds=seconds)
        kept(tuner, returned)
        assert tuner.offer is not None
        assert tuner.offer.unit == unit
