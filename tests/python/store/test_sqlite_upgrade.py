"""Files of earlier releases: brought up to date when they are opened, nothing lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from fettle.store.sqlite import SqliteStore
from fettle.store.subject import InputKey, Subject

SUBJECT = Subject("/p/app", "f", "cpu", "metric=returned")
INPUT = InputKey("a.mtx", "d1")

# As Fettle 0.1.0 of November 2026 made them.
FORMAT_2 = """
CREATE TABLE note(key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE subject(id INTEGER PRIMARY KEY, program TEXT, function TEXT, machine TEXT,
  conditions TEXT, offer TEXT, UNIQUE(program, function, machine, conditions));
CREATE TABLE input(id INTEGER PRIMARY KEY, subject INTEGER NOT NULL, arguments TEXT, content TEXT,
  calls INTEGER, UNIQUE(subject, arguments, content));
CREATE TABLE example(id INTEGER PRIMARY KEY, input INTEGER NOT NULL, call INTEGER,
  features TEXT, feature_seconds TEXT, recorded REAL, UNIQUE(input, call));
CREATE TABLE sample(example INTEGER NOT NULL, variant TEXT, metric TEXT, recorded REAL,
  start INTEGER NOT NULL DEFAULT 0);
CREATE INDEX sample_of_example ON sample(example);
CREATE TABLE verdict(example INTEGER NOT NULL, variant TEXT, verdict TEXT, reason TEXT,
  recorded REAL, PRIMARY KEY(example, variant));
CREATE TABLE file(path TEXT PRIMARY KEY, size INTEGER, changed INTEGER, digest TEXT);
CREATE TABLE tuner(host TEXT, pid INTEGER, since TEXT, PRIMARY KEY(host, pid));
INSERT INTO note VALUES('fettle_store', '2');
INSERT INTO note VALUES('k', 'v');
INSERT INTO subject VALUES(1, '/p/app', 'f', 'cpu', 'metric=returned', NULL);
INSERT INTO input VALUES(1, 1, 'a.mtx', 'd1', 1);
INSERT INTO example VALUES(7, 1, 0, '{"n": 1.0}', '{}', 1.7e9);
INSERT INTO sample VALUES(7, 'a', '[2.0, 1.0]', 1.7e9, 0);
INSERT INTO sample VALUES(7, 'b', '[4.0]', 1.7e9, 0);
INSERT INTO sample VALUES(7, 'a', '[3.0]', 1.7e9, 4);
INSERT INTO verdict VALUES(7, 'a', 'measured', '', 1.7e9);
"""


def of_format_2(path: Path) -> None:
    old = sqlite3.connect(path)
    old.executescript(FORMAT_2)
    old.close()


def test_a_file_without_runs(tmp_path: Path) -> None:
    for name in ("one", "two"):
        of_format_2(tmp_path / name)
    for _ in range(2):
        with SqliteStore(tmp_path / "one") as store:
            [example] = store.examples(SUBJECT, INPUT)
            assert example.samples == {"a": [2.0, 1.0, 3.0], "b": [4.0]}
            assert example.verdicts == {"a": ("measured", "")}
            assert (store.starts(SUBJECT, INPUT), store.note("fettle_store")) == (2, "3")
            held = store.contents(SUBJECT, INPUT)
            assert [one.run.began for one in held.runs.values()] == 2 * [
                "2023-11-14T22:13:20+00:00"
            ]
            assert store.finished_calls(SUBJECT, INPUT) == 1
            assert store.notes() == {"k": "v"}
    with SqliteStore(tmp_path / "two") as store:  # a copy of the file: the same runs
        assert store.contents(SUBJECT, INPUT) == held


def test_a_file_without_starts(tmp_path: Path) -> None:
    of_format_2(tmp_path / "db")
    old = sqlite3.connect(tmp_path / "db")
    old.execute("ALTER TABLE sample DROP COLUMN start")
    old.execute("UPDATE note SET value = '1' WHERE key = 'fettle_store'")
    old.commit()
    old.close()
    with SqliteStore(tmp_path / "db") as store:
        [example] = store.examples(SUBJECT, INPUT)
        assert example.samples == {"a": [2.0, 1.0, 3.0], "b": [4.0]}
        assert store.starts(SUBJECT, INPUT) == 1
