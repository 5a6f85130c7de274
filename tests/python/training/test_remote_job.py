"""Jobs as plain data: a worker's measurer is the tuner's, and what it brings is kept once."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest
from stand_in import StandIn
from stand_in_measurer import call, measurer_in, tell

from fettle import Measuring
from fettle.core.progress import Silence
from fettle.store.plain import is_plain, plain_of
from fettle.store.sqlite import SqliteStore
from fettle.training.measure import Measurer
from fettle.training.patience import Patience
from fettle.training.program import Input
from fettle.training.remote_job import (
    input_of,
    job_of,
    keep_contents,
    measurer_of,
    offer_of_answer,
    put_known,
)


@pytest.fixture
def given(tmp_path: Path) -> Input:
    StandIn(tmp_path)
    return tell(tmp_path, "x", call(a=2e-3, b=1e-3), call(5, a="exclude", b=1e-3))


def test_a_worker_measures_as_the_tuner_would(tmp_path: Path, given: Input) -> None:
    tuner = measurer_in(
        tmp_path,
        measuring=Measuring(maximum_samples=7, race=False),
        silence_seconds=9.0,
        patience=Patience(3.0),
        variants=("a", "b"),
        allow_failures=frozenset(["b"]),
        returns_seconds=True,
        skip=frozenset(["b"]),
        options={"strict": True, "monitor": 3},
    )
    tuner.check_build()
    job = json.loads(json.dumps(job_of(tuner, given)))  # it goes to another process
    assert is_plain(job)
    store = SqliteStore(Path(":memory:"))
    its = measurer_of(job, store, tmp_path / "logs", Silence())
    own = ("store", "display", "workers", "device", "spent", "warnings", "offer", "_build_status")
    for one in fields(Measurer):
        if one.name not in own:
            assert getattr(its, one.name) == getattr(tuner, one.name), one.name
    assert input_of(job) == given


def test_what_the_store_knows_goes_with_the_job(tmp_path: Path, given: Input) -> None:
    tuner = measurer_in(tmp_path)
    tuner.measure(given)
    job = json.loads(json.dumps(job_of(tuner, given)))
    store = SqliteStore(Path(":memory:"))
    its = measurer_of(job, store, tmp_path / "logs", Silence())
    assert its.offer == tuner.offer
    assert not its.is_complete(given)
    put_known(job, store, its.key(given))
    assert its.is_complete(given)
    assert its.examples(given) == tuner.examples(given)
    assert not its.measure(given), "nothing is left to do"


def test_what_a_worker_brings_is_kept_once(tmp_path: Path, given: Input) -> None:
    tuner = measurer_in(tmp_path)
    tuner.measure(given)
    key = tuner.key(given)
    plain = plain_of(tuner.store.contents(tuner.subject, key))
    store = SqliteStore(Path(":memory:"))
    assert keep_contents(store, tuner.subject, key, plain) == 1
    assert keep_contents(store, tuner.subject, key, plain) == 0
    assert store.contents(tuner.subject, key) == tuner.store.contents(tuner.subject, key)
    assert store.finished_calls(tuner.subject, key) == 2


def test_an_answer_without_an_offer_says_none(tmp_path: Path, given: Input) -> None:
    assert offer_of_answer({"offer": None}) is None
    tuner = measurer_in(tmp_path)
    assert job_of(tuner, given)["offer"] is None
    tuner.measure(given)
    assert offer_of_answer(job_of(tuner, given)) == tuner.offer
