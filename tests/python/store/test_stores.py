"""What every store keeps, through kill -9 and with several writers: SQLite and Redis alike."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fettle.store import digests
from fettle.store.base import Store, StoreError
from fettle.store.contents import Example, Row, Run
from fettle.store.file_digest import file_digest
from fettle.store.merge import merge
from fettle.store.place import open_store
from fettle.store.subject import InputKey, Offer, Subject

SUBJECT = Subject("/p/app", "f", "cpu", "metric=returned")
INPUT = InputKey("a.mtx", "d1")


def fill(store: Store, subject: Subject = SUBJECT, given: InputKey = INPUT) -> None:
    store.add_call(subject, given, 0, {"n": 1.0, "m": float("inf")}, {"n": 1e-6, "m": 0.0})
    store.add_samples(subject, given, 0, "a", [2.0, 1.0])
    store.add_samples(subject, given, 0, "a", [3.0], Run(host="host", device="GPU-1"))
    store.add_verdict(subject, given, 0, "a", "measured")
    store.add_verdict(subject, given, 0, "b", "failed", "crashed")


def test_records_come_back(place: str) -> None:
    with open_store(place) as store:
        fill(store)
        store.finish(SUBJECT, INPUT, 1)
    with open_store(place) as store:
        assert store.examples(SUBJECT, INPUT) == [
            Example(
                call=0,
                features={"n": 1.0, "m": float("inf")},
                feature_seconds={"n": 1e-6, "m": 0.0},
                samples={"a": [2.0, 1.0, 3.0]},
                verdicts={"a": ("measured", ""), "b": ("failed", "crashed")},
            )
        ]
        assert store.finished_calls(SUBJECT, INPUT) == 1


def test_subjects_and_inputs_never_mix(place: str) -> None:
    with open_store(place) as store:
        fill(store)
        assert store.examples(SUBJECT, InputKey("a.mtx", "d2")) == []
        for other in (
            Subject("/q/app", "f", "cpu", "metric=returned"),
            Subject("/p/app", "g", "cpu", "metric=returned"),
            Subject("/p/app", "f", "another cpu", "metric=returned"),
            Subject("/p/app", "f", "cpu", "metric=elapsed"),
        ):
            assert store.examples(other, INPUT) == []
            assert store.finished_calls(other, INPUT) is None


def test_the_first_verdict_holds(place: str) -> None:
    with open_store(place) as store:
        fill(store)
        store.add_verdict(SUBJECT, INPUT, 0, "a", "excluded", "later")
        store.add_verdict(SUBJECT, INPUT, 0, "b", "measured")
        verdicts = store.examples(SUBJECT, INPUT)[0].verdicts
        assert verdicts == {"a": ("measured", ""), "b": ("failed", "crashed")}


def test_a_failure_when_a_variant_runs_again_is_not_lost(place: str) -> None:
    with open_store(place) as store:
        fill(store)
        store.add_verdict(SUBJECT, INPUT, 0, "a", "failed", "later")
        assert store.examples(SUBJECT, INPUT)[0].verdicts["a"] == ("failed", "later")


def test_verdicts_can_be_taken_back(place: str) -> None:
    with open_store(place) as store:
        fill(store)
        samples = store.examples(SUBJECT, INPUT)[0].samples
        store.forget_verdicts(SUBJECT, INPUT, 0, ["a"])
        example = store.examples(SUBJECT, INPUT)[0]
        assert example.verdicts == {"b": ("failed", "crashed")}
        assert example.samples == samples


def test_failures_can_be_tried_again(place: str) -> None:
    with open_store(place) as store:
        fill(store)
        store.add_samples(SUBJECT, INPUT, 0, "b", [1.0])
        store.forget_failures(SUBJECT)
        example = store.examples(SUBJECT, INPUT)[0]
        assert list(example.verdicts) == ["a"]
        assert list(example.samples) == ["a"]


def test_forget_drops_one_subject(place: str) -> None:
    other = Subject("/p/app", "g", "cpu", "")
    with open_store(place) as store:
        fill(store)
        fill(store, other)
        store.forget(SUBJECT)
        assert store.examples(SUBJECT, INPUT) == []
        assert len(store.examples(other, INPUT)) == 1


def test_the_offer_is_kept(place: str) -> None:
    offer = Offer(("a", "b"), ("n",), "a", "s", False, {"processor": "x"}, {}, {"a": "2"})
    with open_store(place) as store:
        assert store.offer(SUBJECT) is None
        store.set_offer(SUBJECT, offer)
        assert store.offer(SUBJECT) == offer


def test_notes(place: str) -> None:
    with open_store(place) as store:
        store.set_note("k", "v")
        assert store.note("k") == "v"
        store.set_note("k", None)
        assert store.note("k") is None


def test_a_subjects_notes_are_forgotten_with_it(place: str) -> None:
    other = Subject(SUBJECT.program, SUBJECT.function + "2", SUBJECT.machine, SUBJECT.conditions)
    with open_store(place) as store:
        for of in (SUBJECT, other):
            store.set_note(f"search of {of} on this input", "done")
        store.forget(SUBJECT)
        assert store.note(f"search of {SUBJECT} on this input") is None
        assert store.note(f"search of {other} on this input") == "done"


def test_a_digest_is_remembered_until_the_file_changes(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def counted(path: Path) -> str:
        read.append(path)
        return file_digest(path)

    monkeypatch.setattr(digests, "file_digest", counted)
    monkeypatch.setattr(digests, "SETTLING_NS", -1)  # as if the file were old
    file = tmp_path / "x"
    file.write_text("one")
    with open_store(place) as store:
        first = store.digest(file)
        assert store.digest(file) == first
        assert len(read) == 1, "the file is not read again"
        file.write_text("three")
        assert store.digest(file) != first


def test_a_file_that_has_just_changed_is_read_again(place: str, tmp_path: Path) -> None:
    file = tmp_path / "x"
    with open_store(place) as store:
        for text in ("one", "two", "six"):  # within a tick of the file system's clock, or not
            file.write_text(text)
            os.utime(file, ns=(0, 0))
            assert store.digest(file) == file_digest(file)


def test_kill_9_loses_nothing_that_was_kept(place: str) -> None:
    script = (
        "import os, signal, sys; pass\n"
        "from fettle.store.subject import *; from fettle.store.place import open_store\n"
        "s = open_store(sys.argv[1]); k = Subject('p', 'f', 'm', '')\n"
        "i = InputKey('x', '')\n"
        "s.add_call(k, i, 0, {}, {}); s.add_samples(k, i, 0, 'a', [1.5])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, place], check=False)
    assert done.returncode == -signal.SIGKILL
    with open_store(place) as store:
        assert store.examples(Subject("p", "f", "m", ""), InputKey("x", ""))[0].samples == {
            "a": [1.5]
        }
        assert store.other_tuners() == [], "a dead tuner is none"


def test_two_tuners_at_once(place: str) -> None:
    script = (
        "import sys; pass\n"
        "from fettle.store.subject import *; from fettle.store.place import open_store\n"
        "s = open_store(sys.argv[1]); k = Subject('p', 'f', 'm', '')\n"
        "for n in range(50):\n"
        "    s.add_call(k, InputKey(f'{sys.argv[2]}{n}', ''), 0, {}, {})\n"
        "s.close()\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", script, place, name]) for name in "ab"]
    assert [process.wait() for process in both] == [0, 0]
    with open_store(place) as store:
        for name in "ab":
            found = store.examples(Subject("p", "f", "m", ""), InputKey(f"{name}49", ""))
            assert len(found) == 1


def test_another_living_tuner_is_named(place: str) -> None:
    script = (
        "import sys; pass\n"
        "from fettle.store.place import open_store\n"
        "s = open_store(sys.argv[1]); print('open', flush=True); sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, place]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with open_store(place) as store:
            assert f"process {other.pid} on " in store.other_tuners()[0]
        other.kill()
    with open_store(place) as store:
        assert store.other_tuners() == []


def test_variants_are_forgotten_on_all_inputs(place: str) -> None:
    other = InputKey("b.mtx", "d2")
    elsewhere = Subject("/q/app", "f", "cpu", "metric=returned")
    with open_store(place) as store:
        for subject, given in ((SUBJECT, INPUT), (SUBJECT, other), (elsewhere, INPUT)):
            store.add_call(subject, given, 0, {"n": 1.0}, {})
            for name in ("a", "t x=1", "t x=2", "t", "tt x=1", "b x=1"):
                store.add_samples(subject, given, 0, name, [1.0])
                store.add_verdict(subject, given, 0, name, "measured")
        store.set_note(f"build of {SUBJECT}", "old")
        store.set_note(f"searched {SUBJECT} {INPUT} call 0", "done")
        store.set_note(f"searched {elsewhere} {INPUT} call 0", "done")
        store.forget_variants(SUBJECT, ["a", "t", "b"], ["t"])
        for given in (INPUT, other):
            [example] = store.examples(SUBJECT, given)
            assert example.samples.keys() == example.verdicts.keys() == {"tt x=1", "b x=1"}
        assert len(store.examples(elsewhere, INPUT)[0].samples) == 6
        assert store.note(f"build of {SUBJECT}") == "old"
        assert store.note(f"searched {SUBJECT} {INPUT} call 0") is None
        assert store.note(f"searched {elsewhere} {INPUT} call 0") == "done"


def test_features_are_forgotten_and_inputs_of_several_calls(place: str) -> None:
    several, cut = InputKey("several", ""), InputKey("cut", "")
    with open_store(place) as store:
        for given, calls in ((INPUT, 1), (several, 2), (cut, None)):
            fill(store, given=given)
            if calls is not None:
                store.finish(SUBJECT, given, calls)
        store.forget_features(SUBJECT)
        [example] = store.examples(SUBJECT, INPUT)
        assert example.features == example.feature_seconds == {}
        assert example.samples == {"a": [2.0, 1.0, 3.0]}
        for given in (several, cut):
            assert store.examples(SUBJECT, given) == []
            assert store.finished_calls(SUBJECT, given) is None


def test_what_is_held_is_the_same_in_all(place: str) -> None:
    run = Run("r1", "host", "GPU-1", "0.1.0", "2026-01-01T00:00:00+00:00")
    with open_store(place) as store:
        store.add_call(SUBJECT, INPUT, 1, {"n": math.inf}, {})
        store.add_call(SUBJECT, INPUT, 0, {"n": 0.1}, {"n": 1e-9})
        store.add_run(SUBJECT, INPUT, run)
        store.add_samples(SUBJECT, INPUT, 1, "b x=1", [0.1, math.inf], run)
        store.add_samples(SUBJECT, INPUT, 1, "b x=1", [3.0], run, metric="joules")
        store.add_output(SUBJECT, INPUT, 1, "b x=1", True)
        store.add_output(SUBJECT, INPUT, 1, "b x=1", False)
        store.add_output(SUBJECT, INPUT, 1, "b x=1", True)
        store.add_lost_seconds(SUBJECT, INPUT, 1, "b x=1", 0.5)
        store.add_verdict(SUBJECT, INPUT, 1, "b x=1", "measured")
        assert store.finished_calls(SUBJECT, INPUT) is None
        store.finish(SUBJECT, INPUT, 2)
    with open_store(place) as store:
        held = store.contents(SUBJECT, INPUT)
        assert held.calls == store.finished_calls(SUBJECT, INPUT) == 2
        assert list(held.features.items()) == [
            (0, ({"n": 0.1}, {"n": 1e-9})),
            (1, ({"n": math.inf}, {})),
        ]
        assert held.verdicts == {(1, "b x=1"): ("measured", "")}
        assert held.bitwise == {(1, "b x=1"): False}
        assert held.lost_seconds == {(1, "b x=1"): 0.5}
        [stored] = held.runs.values()
        assert (stored.run, stored.count) == (run, 2)
        assert stored.rows == [
            Row(0, 1, "b x=1", "", (0.1, math.inf)),
            Row(1, 1, "b x=1", "joules", (3.0,)),
        ]
        assert store.examples(SUBJECT, INPUT)[1].samples == {"b x=1": [0.1, math.inf]}
        assert (store.subjects(), store.inputs(SUBJECT)) == ([SUBJECT], [INPUT])


def test_runs_are_counted_and_keep_their_order(place: str) -> None:
    with open_store(place) as store:
        assert store.starts(SUBJECT, INPUT) == 0
        store.add_call(SUBJECT, INPUT, 0, {}, {})
        runs = [Run() for _ in range(5)]
        for run in runs:
            store.add_run(SUBJECT, INPUT, run)
        assert store.starts(SUBJECT, INPUT) == 0
        store.add_samples(SUBJECT, INPUT, 0, "a", [1.0], runs[3])
        store.add_samples(SUBJECT, INPUT, 0, "a", [1.0], runs[1])
        assert store.starts(SUBJECT, INPUT) == 2
        assert list(store.contents(SUBJECT, INPUT).runs) == [run.guid for run in runs]


def test_runs_of_a_forgotten_subject_are_remembered_as_such(place: str) -> None:
    with open_store(place) as store:
        run = Run()
        store.add_call(SUBJECT, INPUT, 0, {}, {})
        store.add_samples(SUBJECT, INPUT, 0, "a", [1.0], run)
        assert store.forgotten() == set()
        store.forget(SUBJECT)
        assert store.forgotten() == {run.guid}
        assert (store.subjects(), store.offer(SUBJECT)) == ([], None)


def test_names_of_files_need_not_be_texts(place: str) -> None:
    name = os.fsdecode(b"\xff.mtx")
    subject, given = Subject(name, "f", "m", ""), InputKey(name, "")
    with open_store(place) as store:
        store.add_call(subject, given, 0, {}, {})
        store.set_note(f"k {name}", "v")
    with open_store(place) as store:
        assert (store.subjects(), store.inputs(subject)) == ([subject], [given])
        assert store.note(f"k {name}") == "v"
        assert len(store.examples(subject, given)) == 1


def test_what_is_written_together_is_read_within(place: str) -> None:
    with open_store(place) as store, open_store(place) as other:
        with store.together():
            fill(store)
            assert store.examples(SUBJECT, INPUT)[0].samples == {"a": [2.0, 1.0, 3.0]}
        assert other.examples(SUBJECT, INPUT) == store.examples(SUBJECT, INPUT)
        with pytest.raises(KeyError), store.together():
            store.set_note("before", "kept")
            raise KeyError("a record that cannot be read")
        assert other.note("before") == "kept"


def test_two_tuners_may_measure_the_same_input(place: str) -> None:
    with open_store(place) as store, open_store(place) as other:
        for one in (store, other):
            one.add_call(SUBJECT, INPUT, 0, {"n": 1.0}, {})
        runs = {one: Run() for one in (store, other)}
        for value in (1.0, 2.0):
            for one, run in runs.items():
                one.add_samples(SUBJECT, INPUT, 0, "a", [value], run)
        for one in runs:
            one.add_verdict(SUBJECT, INPUT, 0, "a", "measured")
        held = store.contents(SUBJECT, INPUT)
        assert [[row.values for row in one.rows] for one in held.runs.values()] == 2 * [
            [(1.0,), (2.0,)]
        ]


def test_a_store_passes_all_on_to_another_kind(place: str, tmp_path: Path) -> None:
    with (
        open_store(place) as store,
        open_store(tmp_path / "x") as one,
        open_store(tmp_path / "y") as two,
    ):
        fill(one)
        one.set_offer(SUBJECT, Offer(("a", "b"), ("n", "m"), "a", "s", False, {}))
        one.finish(SUBJECT, INPUT, 1)
        assert merge(store, one).runs == merge(two, store).runs == 2
        assert merge(store, one).runs == merge(one, two).runs == merge(store, two).runs == 0
        assert one.contents(SUBJECT, INPUT) == two.contents(SUBJECT, INPUT)
        assert two.offer(SUBJECT) == one.offer(SUBJECT)


def test_an_empty_text_is_no_store() -> None:
    with pytest.raises(StoreError, match="an empty text is no store; give a file"):
        open_store("")
