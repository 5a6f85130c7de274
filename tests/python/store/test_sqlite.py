"""The SQLite store: what it keeps, through kill -9, full disks, locks and damage."""

from __future__ import annotations

import contextlib
import math
import socket
import sqlite3
from pathlib import Path

import pytest

from fettle.store.base import StoreError
from fettle.store.contents import Run
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import InputKey, Offer, Subject

SUBJECT = Subject("/p/app", "f", "cpu", "metric=returned")
INPUT = InputKey("a.mtx", "d1")


def fill(store: SqliteStore, subject: Subject = SUBJECT, given: InputKey = INPUT) -> None:
    store.add_call(subject, given, 0, {"n": 1.0, "m": float("inf")}, {"n": 1e-6, "m": 0.0})
    store.add_samples(subject, given, 0, "a", [2.0, 1.0])
    store.add_samples(subject, given, 0, "a", [3.0], Run(host="host", device="GPU-1"))
    store.add_verdict(subject, given, 0, "a", "measured")
    store.add_verdict(subject, given, 0, "b", "failed", "crashed")


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
