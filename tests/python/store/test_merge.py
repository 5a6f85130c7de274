"""Merging stores: by the identifiers of runs, so that twice is once."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest

from fettle.store.base import Store, StoreError
from fettle.store.contents import Contents, Run
from fettle.store.merge import merge
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import InputKey, Offer, Subject

SUBJECT = Subject("/p/app", "f", "cpu", "metric=returned")
OTHER = Subject("/p/app", "f", "another cpu", "metric=returned")
INPUT = InputKey("a.mtx", "d1")
OFFER = Offer(("a", "b"), ("n",), "a", "s", False, {"processor": "x"})


def measure(store: Store, value: float, subject: Subject = SUBJECT, given: InputKey = INPUT) -> Run:
    """One run of the program, as a recorder keeps it."""
    run = Run(host="host", fettle="0.1.0")
    store.set_offer(subject, OFFER)
    store.add_call(subject, given, 0, {"n": 1.0}, {"n": 1e-6})
    store.add_run(subject, given, run)
    store.add_samples(subject, given, 0, "a", [value, value], run)
    store.add_samples(subject, given, 0, "a", [4.0, math.inf], run, metric="joules")
    store.add_verdict(subject, given, 0, "a", "measured")
    store.add_verdict(subject, given, 0, "b", "failed", "crashed")
    store.add_output(subject, given, 0, "a", True)
    store.add_lost_seconds(subject, given, 0, "a", 0.5)
    store.finish(subject, given, 1)
    return run


def everything(store: Store) -> dict[tuple[Subject, InputKey], Contents]:
    return {
        (subject, given): store.contents(subject, given)
        for subject in store.subjects()
        for given in store.inputs(subject)
    }


def test_a_store_in_an_empty_one(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a") as one, SqliteStore(tmp_path / "b") as other:
        measure(other, 1.0)
        measure(other, 2.0)
        measure(other, 3.0, OTHER)
        other.set_note("k", "v")
        found = merge(one, other)
        assert (found.runs, found.notes, found.left_out) == (3, 1, [])
        assert everything(one) == everything(other)
        assert one.examples(SUBJECT, INPUT) == other.examples(SUBJECT, INPUT)
        assert one.offer(OTHER) == OFFER
        assert one.notes() == {"k": "v"}
        assert one.guid != other.guid


def test_what_both_have_changes_nothing(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a") as one, SqliteStore(tmp_path / "b") as other:
        measure(one, 1.0)
        measure(other, 2.0)
        assert merge(one, other).runs == 1
        held = everything(one)
        assert len(held[SUBJECT, INPUT].runs) == 2
        for _ in range(2):
            found = merge(one, other)
            assert (found.runs, found.notes, everything(one) == held) == (0, 0, True)
        assert merge(other, one).runs == 1  # a circle ends
        assert merge(one, other).runs == merge(other, one).runs == 0


def test_the_rest_of_a_run_that_was_copied_when_it_was_not_over(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a") as store:
        run = measure(store, 1.0)
    shutil.copy(tmp_path / "a", tmp_path / "b")
    with SqliteStore(tmp_path / "a") as one, SqliteStore(tmp_path / "b") as copy:
        one.add_samples(SUBJECT, INPUT, 0, "a", [7.0], run)
        assert merge(copy, one).runs == 1
        assert merge(one, copy).runs == 0
        assert everything(copy) == everything(one)


def test_what_was_forgotten_does_not_come_back(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a") as one, SqliteStore(tmp_path / "b") as other:
        measure(other, 1.0)
        merge(one, other)
        one.forget(SUBJECT)
        assert merge(one, other).runs == 0
        assert one.examples(SUBJECT, INPUT)[0].samples == {}
        measure(one, 5.0)
        measure(other, 6.0)
        assert merge(one, other).runs == 1
        samples = one.examples(SUBJECT, INPUT)[0].samples["a"]
        assert sorted(samples) == [5.0, 5.0, 6.0, 6.0]


def test_samples_that_were_forgotten_do_not_come_back(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a") as one, SqliteStore(tmp_path / "b") as other:
        run = measure(other, 1.0)
        merge(one, other)
        one.forget_variants(SUBJECT, ["a", "b"], [])
        assert (merge(one, other).runs, one.examples(SUBJECT, INPUT)[0].verdicts) == (0, {})
        other.add_samples(SUBJECT, INPUT, 0, "b", [9.0], run)
        assert merge(one, other).runs == 1
        assert one.examples(SUBJECT, INPUT)[0].samples == {"b": [9.0]}
        assert merge(one, other).runs == 0


def test_times_of_another_build_are_left_out(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a") as one, SqliteStore(tmp_path / "b") as other:
        for store, build in ((one, "old"), (other, "new")):
            measure(store, 1.0)
            store.set_note(f"build of {SUBJECT}", build)
        measure(other, 1.0, OTHER)
        other.set_note(f"searched {SUBJECT} x", "done")
        found = merge(one, other)
        assert found.runs == 1
        [why] = found.left_out
        assert why.startswith("f of /p/app on cpu: the two stores measured different builds")
        assert len(one.contents(SUBJECT, INPUT).runs) == 1
        assert one.notes() == {f"build of {SUBJECT}": "old"}


def test_features_of_machines_are_united(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a") as one, SqliteStore(tmp_path / "b") as other:
        one.set_note("device features", '{"x": 1, "y": 2}')
        other.set_note("device features", '{"y": 3, "z": 4}')
        merge(one, other)
        assert one.note("device features") == '{"y": 2, "z": 4, "x": 1}'
        assert merge(one, other).notes == 0


def test_a_store_is_not_merged_into_itself(tmp_path: Path) -> None:
    with (
        SqliteStore(tmp_path / "a") as one,
        SqliteStore(tmp_path / "a") as same,
        pytest.raises(StoreError, match="is to be merged into itself; name two stores"),
    ):
        merge(one, same)


def test_a_merge_that_was_killed_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fettle.store.merge.TOGETHER", 2)
    with SqliteStore(tmp_path / "a") as one, SqliteStore(tmp_path / "b") as other:
        for number in range(5):
            measure(other, 1.0, given=InputKey(str(number), ""))

        def interrupt(done: int, _: int) -> None:
            if done == 4:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            merge(one, other, interrupt)
        assert len(one.inputs(SUBJECT)) == 4
        assert merge(one, other).runs == 1
        assert everything(one) == everything(other)
