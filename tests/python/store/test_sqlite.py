"""The SQLite store: what it keeps, through kill -9, full disks, locks and damage."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from fettle.store import sqlite_digests
from fettle.store.base import Example, InputKey, Offer, Run, StoreError, Subject
from fettle.store.file_digest import file_digest
from fettle.store.sqlite import SqliteStore

SUBJECT = Subject("/p/app", "f", "cpu", "metric=returned")
INPUT = InputKey("a.mtx", "d1")


def fill(store: SqliteStore, subject: Subject = SUBJECT, given: InputKey = INPUT) -> None:
    store.add_call(subject, given, 0, {"n": 1.0, "m": float("inf")}, {"n": 1e-6, "m": 0.0})
    store.add_samples(subject, given, 0, "a", [2.0, 1.0])
    store.add_samples(subject, given, 0, "a", [3.0], Run(host="host", device="GPU-1"))
    store.add_verdict(subject, given, 0, "a", "measured")
    store.add_verdict(subject, given, 0, "b", "failed", "crashed")


def test_records_come_back(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
        fill(store)
        store.finish(SUBJECT, INPUT, 1)
    with SqliteStore(tmp_path / "db") as store:
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


def test_what_a_run_to_an_infinite_metric_took_is_kept(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
        fill(store)
    with sqlite3.connect(tmp_path / "db") as file:
        file.execute("DROP TABLE lost")  # as an older Fettle leaves its store
    with SqliteStore(tmp_path / "db") as store:
        assert store.examples(SUBJECT, INPUT)[0].lost_seconds == {}
        store.add_samples(SUBJECT, INPUT, 0, "c", [math.inf])
        store.add_lost_seconds(SUBJECT, INPUT, 0, "c", 0.5)
        store.add_lost_seconds(SUBJECT, INPUT, 0, "c", 0.25)
    with SqliteStore(tmp_path / "db") as store:
        (example,) = store.examples(SUBJECT, INPUT)
        assert example.samples["c"] == [math.inf]
        assert example.lost_seconds == {"c": 0.25}
        store.forget(SUBJECT)
        fill(store)
        assert store.examples(SUBJECT, INPUT)[0].lost_seconds == {}


def test_subjects_and_inputs_never_mix(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
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


def test_the_first_verdict_holds(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
        fill(store)
        store.add_verdict(SUBJECT, INPUT, 0, "a", "excluded", "later")
        store.add_verdict(SUBJECT, INPUT, 0, "b", "measured")
        verdicts = store.examples(SUBJECT, INPUT)[0].verdicts
        assert verdicts == {"a": ("measured", ""), "b": ("failed", "crashed")}


def test_a_failure_when_a_variant_runs_again_is_not_lost(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
        fill(store)
        store.add_verdict(SUBJECT, INPUT, 0, "a", "failed", "later")
        assert store.examples(SUBJECT, INPUT)[0].verdicts["a"] == ("failed", "later")


def test_verdicts_can_be_taken_back(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
        fill(store)
        samples = store.examples(SUBJECT, INPUT)[0].samples
        store.forget_verdicts(SUBJECT, INPUT, 0, ["a"])
        example = store.examples(SUBJECT, INPUT)[0]
        assert example.verdicts == {"b": ("failed", "crashed")}
        assert example.samples == samples


def test_failures_can_be_tried_again(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
        fill(store)
        store.add_samples(SUBJECT, INPUT, 0, "b", [1.0])
        store.forget_failures(SUBJECT)
        example = store.examples(SUBJECT, INPUT)[0]
        assert list(example.verdicts) == ["a"]
        assert list(example.samples) == ["a"]


def test_forget_drops_one_subject(tmp_path: Path) -> None:
    other = Subject("/p/app", "g", "cpu", "")
    with SqliteStore(tmp_path / "db") as store:
        fill(store)
        fill(store, other)
        store.forget(SUBJECT)
        assert store.examples(SUBJECT, INPUT) == []
        assert len(store.examples(other, INPUT)) == 1


def test_the_offer_is_kept(tmp_path: Path) -> None:
    offer = Offer(("a", "b"), ("n",), "a", "s", False, {"processor": "x"}, {}, {"a": "2"})
    with SqliteStore(tmp_path / "db") as store:
        assert store.offer(SUBJECT) is None
        store.set_offer(SUBJECT, offer)
        assert store.offer(SUBJECT) == offer


def test_notes(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
        store.set_note("k", "v")
        assert store.note("k") == "v"
        store.set_note("k", None)
        assert store.note("k") is None


def test_a_subjects_notes_are_forgotten_with_it(tmp_path: Path) -> None:
    other = Subject(SUBJECT.program, SUBJECT.function + "2", SUBJECT.machine, SUBJECT.conditions)
    with SqliteStore(tmp_path / "db") as store:
        for of in (SUBJECT, other):
            store.set_note(f"search of {of} on this input", "done")
        store.forget(SUBJECT)
        assert store.note(f"search of {SUBJECT} on this input") is None
        assert store.note(f"search of {other} on this input") == "done"


def test_a_digest_is_remembered_until_the_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def counted(path: Path) -> str:
        read.append(path)
        return file_digest(path)

    monkeypatch.setattr(sqlite_digests, "file_digest", counted)
    monkeypatch.setattr(sqlite_digests, "SETTLING_NS", -1)  # as if the file were old
    file = tmp_path / "x"
    file.write_text("one")
    with SqliteStore(tmp_path / "db") as store:
        first = store.digest(file)
        assert store.digest(file) == first
        assert len(read) == 1, "the file is not read again"
        file.write_text("three")
        assert store.digest(file) != first


def test_a_file_that_has_just_changed_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "x"
    with SqliteStore(tmp_path / "db") as store:
        for text in ("one", "two", "six"):  # within a tick of the file system's clock, or not
            file.write_text(text)
            os.utime(file, ns=(0, 0))
            assert store.digest(file) == file_digest(file)


def test_kill_9_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from fettle.store.base import *; from fettle.store.sqlite import SqliteStore\n"
        "s = SqliteStore(Path(sys.argv[1])); k = Subject('p', 'f', 'm', '')\n"
        "i = InputKey('x', '')\n"
        "s.add_call(k, i, 0, {}, {}); s.add_samples(k, i, 0, 'a', [1.5])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    database = tmp_path / "db"
    done = subprocess.run([sys.executable, "-c", script, str(database)], check=False)
    assert done.returncode == -signal.SIGKILL
    with SqliteStore(database) as store:
        assert store.examples(Subject("p", "f", "m", ""), InputKey("x", ""))[0].samples == {
            "a": [1.5]
        }
        assert store.other_tuners() == [], "a dead tuner is none"


def test_a_full_disk_is_reported_and_what_is_there_stays(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
        fill(store)
        pages = store._file.connection.execute("PRAGMA page_count").fetchone()[0]
        store._file.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="the disk is full or failing"):
            for _ in range(1000):
                store.add_samples(SUBJECT, INPUT, 0, "a", [4.0] * 100)
        kept = store.examples(SUBJECT, INPUT)[0].samples["a"]
        assert kept[:3] == [2.0, 1.0, 3.0]
    with SqliteStore(tmp_path / "db") as store:
        assert store.examples(SUBJECT, INPUT)[0].samples["a"] == kept


def test_a_lock_that_is_never_released_is_reported(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db", lock_seconds=0.1) as store:
        other = sqlite3.connect(tmp_path / "db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process has kept the file locked"):
            store.set_note("k", "v")
        other.execute("ROLLBACK")
        other.close()
        store.set_note("k", "v")


def test_two_tuners_at_once(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from fettle.store.base import *; from fettle.store.sqlite import SqliteStore\n"
        "s = SqliteStore(Path(sys.argv[1])); k = Subject('p', 'f', 'm', '')\n"
        "for n in range(50):\n"
        "    s.add_call(k, InputKey(f'{sys.argv[2]}{n}', ''), 0, {}, {})\n"
        "s.close()\n"
    )
    database = tmp_path / "db"
    both = [subprocess.Popen([sys.executable, "-c", script, str(database), name]) for name in "ab"]
    assert [process.wait() for process in both] == [0, 0]
    with SqliteStore(database) as store:
        for name in "ab":
            found = store.examples(Subject("p", "f", "m", ""), InputKey(f"{name}49", ""))
            assert len(found) == 1


def test_another_living_tuner_is_named(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from fettle.store.sqlite import SqliteStore\n"
        "s = SqliteStore(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "db")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with SqliteStore(tmp_path / "db") as store:
            assert f"process {other.pid} on " in store.other_tuners()[0]
        other.kill()
    with SqliteStore(tmp_path / "db") as store:
        assert store.other_tuners() == []


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "db").write_text("measurements, once upon a time " * 100)
    with pytest.raises(StoreError, match=r"is not a Fettle database or is damaged.*Move it away"):
        SqliteStore(tmp_path / "db")


def test_a_damaged_database(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
        for number in range(200):
            fill(store, given=InputKey(str(number), "d"))
    content = bytearray((tmp_path / "db").read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    (tmp_path / "db").write_bytes(content)
    with pytest.raises(StoreError, match="is damaged"):
        SqliteStore(tmp_path / "db").examples(SUBJECT, InputKey("3", "d"))


def test_variants_are_forgotten_on_all_inputs(tmp_path: Path) -> None:
    other = InputKey("b.mtx", "d2")
    elsewhere = Subject("/q/app", "f", "cpu", "metric=returned")
    with SqliteStore(tmp_path / "db") as store:
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


def test_features_are_forgotten_and_inputs_of_several_calls(tmp_path: Path) -> None:
    several, cut = InputKey("several", ""), InputKey("cut", "")
    with SqliteStore(tmp_path / "db") as store:
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


DAMAGES = {
    "features": ("UPDATE example SET features = '{\"n\": '", "the features of a call.*JSON"),
    "features' kind": ("UPDATE example SET features = '[1]'", "the features .*expected an object"),
    "a feature": ('UPDATE example SET features = \'{"n": "x"}\'', "expected a number, found 'x'"),
    "feature times": (
        "UPDATE example SET feature_seconds = 'null'",
        "expected an object, found None",
    ),
    "call": ("UPDATE example SET call = 1e23", "expected a whole number, found 1e\\+23"),
    "negative call": ("UPDATE example SET call = -1", "expected a whole number, found -1"),
    "metric": ("UPDATE sample SET value = '[1, '", "what 'a' was measured at .*JSON"),
    "metric's kind": ("UPDATE sample SET value = '{}'", "expected a list"),
    "bytes": ("UPDATE sample SET value = x'ff00'", "expected a text of JSON, found b'"),
    "no UTF-8": ("UPDATE sample SET value = CAST(x'5bff5d' AS TEXT)", "is damaged .Could not dec"),
    "nothing": ("UPDATE sample SET value = NULL", "expected a text of JSON, found None"),
    "deep": (f"UPDATE sample SET value = '{'[' * 99999}'", "expected JSON"),
    "huge": (f"UPDATE sample SET value = '[{'9' * 400}]'", "expected a number, found 9999"),
    "huger": (f"UPDATE sample SET value = '[{'9' * 5000}]'", "expected JSON"),
    "truth": ("UPDATE sample SET value = '[true]'", "expected a number, found True"),
    "run": ("UPDATE run SET guid = CAST(id AS BLOB)", "a run cannot be read .*expected a text"),
    "origin": ("DELETE FROM origin", "a run cannot be read .*expected a text, found None"),
    "rows": ("UPDATE run SET rows = 'few'", "a run cannot be read .*found 'few'"),
    "sample's variant": ("UPDATE sample SET variant = NULL", "expected a text, found None"),
    "no samples": (
        "DELETE FROM sample",
        "what came of variants .*'a' counts as measured, but has no samples",
    ),
    "verdict": ("UPDATE verdict SET verdict = 'splendid'", "one of measured, .* found 'splendid'"),
    "reason": (
        "UPDATE verdict SET reason = NULL",
        "what came of 'a' .*expected a text, found None",
    ),
    "calls": ("UPDATE input SET calls = 'many'", "how many calls an input makes"),
    "offer": ("UPDATE subject SET offer = '{}'", "what the program offers .*without 'variants'"),
    "offer's JSON": ("UPDATE subject SET offer = 'x'", "what the program offers .*expected JSON"),
    "offered": (
        "UPDATE subject SET offer = replace(offer, '[\"a\"', '[7')",
        "what the program offers .*expected a text, found 7",
    ),
    "note": ("UPDATE note SET value = x'00' WHERE key = 'k'", "the note 'k' .*expected a text"),
}


@pytest.mark.parametrize("case", DAMAGES)
def test_damaged_rows_are_named_with_the_remedy(tmp_path: Path, case: str) -> None:
    path = tmp_path / "db"
    with SqliteStore(path) as store:
        fill(store)
        store.set_offer(SUBJECT, Offer(("a", "b"), ("n",), "a", "s", False, {"processor": "x"}))
        store.finish(SUBJECT, INPUT, 1)
        store.set_note("k", "v")
    query, expected = DAMAGES[case]
    with contextlib.closing(sqlite3.connect(path)) as damaging, damaging:
        damaging.execute(query)
    with SqliteStore(path) as store, pytest.raises(StoreError, match=expected) as error:
        store.examples(SUBJECT, INPUT)
        store.finished_calls(SUBJECT, INPUT)
        store.offer(SUBJECT)
        store.note("k")
    assert str(error.value).startswith(f"{path}")
    assert "is damaged" in str(error.value) and "tune again" in str(error.value)
    with SqliteStore(path) as store:
        if case != "note":
            store.forget(SUBJECT)  # as --fresh does
            fill(store)
            assert len(store.examples(SUBJECT, INPUT)) == 1
            assert store.offer(SUBJECT) is None


def test_a_database_that_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "db"
    with SqliteStore(path) as store:
        for number in range(200):
            fill(store, given=InputKey(str(number), "d"))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    damaged = pytest.raises(StoreError, match=f"{path}: is not a Fettle database or is damaged")
    with damaged, SqliteStore(path) as store:
        for number in range(200):
            assert len(store.examples(SUBJECT, InputKey(str(number), "d"))) == 1


def test_damaged_rows_of_tuners_are_dropped(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
        host = socket.gethostname()
        for pid in ("'none'", "NULL", "1e30", str(2**62)):
            store._file.connection.execute(f"INSERT INTO tuner VALUES(?, {pid}, 'x')", (host,))
        assert store.other_tuners() == []


def test_every_transaction_is_synced(tmp_path: Path) -> None:
    """A power cut after it loses nothing: FULL (2) syncs the write-ahead log at each commit."""
    with SqliteStore(tmp_path / "db") as store:
        for _ in range(2):
            [(level,)] = store._file.connection.execute("PRAGMA synchronous")
            [(journal,)] = store._file.connection.execute("PRAGMA journal_mode")
            assert (level, journal) == (2, "wal")


def test_what_is_written_together_is_one_transaction(tmp_path: Path) -> None:
    said: list[str] = []
    with SqliteStore(tmp_path / "db") as store, SqliteStore(tmp_path / "db") as other:
        store._file.connection.set_trace_callback(said.append)
        with store.together():
            fill(store)
            store.set_note("k", "v")
            assert (store.note("k"), other.note("k")) == ("v", None)
        assert said.count("COMMIT") == 1
        assert other.note("k") == "v"
        with contextlib.suppress(KeyError), store.together():
            store.set_note("before", "kept")
            raise KeyError("a record that cannot be read")
        store.set_note("alone", "kept")
        assert (other.note("before"), other.note("alone")) == ("kept", "kept")


def test_a_database_of_another_kind(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "db")
    other.execute("CREATE TABLE recipes(name TEXT)")
    other.commit()
    other.close()
    with pytest.raises(StoreError, match="is not a Fettle database"):
        SqliteStore(tmp_path / "db")


def test_a_database_of_another_format(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "db") as store:
        store.set_note("fettle_store", "7")
    with pytest.raises(StoreError, match="format 7, this Fettle reads format 3"):
        SqliteStore(tmp_path / "db")


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened for writing"):
        SqliteStore(tmp_path / "none" / "db")
