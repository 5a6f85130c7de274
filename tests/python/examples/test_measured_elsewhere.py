"""Measured where the device is, learned and judged elsewhere: measure.py, learn.py, judge.py."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
BUILT = Path(os.environ.get("FETTLE_BUILD_DIR", os.devnull))
SORT = BUILT / "examples/support/example_sort"
CRASHING = BUILT / "tests/examples/example_crashing"


def run(script: str, *words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / script), *map(str, words)],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_sort_is_learned_and_judged_from_a_file(tmp_path: Path) -> None:
    if not SORT.exists():
        pytest.skip(f"{SORT} is not built")
    training = [f"{family}:900:float" for family in ("uniform", "sorted", "reverse", "runs")]
    said = run(
        "support/measure.py",
        *("sort", "--program", SORT, "--out", tmp_path / "sort.jsonl"),
        *("--training", *training, "--test", "normal:500:double", "nearly:800:float"),
        folder=tmp_path,
    )
    assert "4 of 4 training inputs" in said.stdout and "2 of 2 test inputs" in said.stdout
    measured = rows(tmp_path / "sort.jsonl")
    assert [row["set"] for row in measured] == ["training"] * 4 + ["test"] * 2
    assert measured[0]["features"]["n"] == 900
    assert set(measured[0]["features"]) == set(measured[0]["feature_seconds"])
    assert all(0 < seconds < 1 for seconds in measured[0]["seconds"].values())
    run("support/learn.py", "sort", "sort.jsonl", "--folder", "cpu", folder=tmp_path)
    said = run("sort/judge.py", "--cpu", "--measured", "sort.jsonl", folder=tmp_path)
    last = re.fullmatch(
        r"share of best ([01]\.\d{3}) \(best fixed variant .*\) on 2 held-out inputs",
        said.stdout.splitlines()[-1],
    )
    assert last and 0 < float(last[1]) <= 1


def test_a_crash_names_the_variant_and_loses_nothing_else(tmp_path: Path) -> None:
    if not CRASHING.exists():
        pytest.skip(f"{CRASHING} is not built")
    sizes = [5, 200, 50, 300, 2000, 7, 500]
    said = run(
        "support/measure.py",
        *("sort", "--program", CRASHING, "--out", tmp_path / "m.jsonl", "--test"),
        *("--training", *(f"number:{size}" for size in sizes), "number:x"),
        folder=tmp_path,
    )
    assert "7 of 8 training inputs" in said.stdout
    measured = rows(tmp_path / "m.jsonl")
    assert [row["features"]["n"] for row in measured] == sizes
    crashed = [row["seconds"]["crashes"] == "failed" for row in measured]
    # Three crashes, and then it is not run any more.
    assert crashed == [False, True, False, True, True, True, True]
    assert [row["seconds"]["wrong"] == "failed" for row in measured] == [
        size < 10 for size in sizes
    ]
    assert measured[4]["seconds"]["limited"] == "excluded"
    assert "number:200: crashes ended the program" in said.stderr
    assert "crashes is not run any more" in said.stderr
    assert "the size must be a number" in said.stderr


def test_what_has_failed_is_never_chosen(tmp_path: Path) -> None:
    lines = [
        {
            "set": which,
            "input": f"number:{n}",
            "features": {"n": n},
            "feature_seconds": {"n": 1e-8},
            "seconds": {"a": 2.0, "b": "failed" if n == 3 else 1.0, "c": slow, "d": "inf"},
            "lost_seconds": {"d": 5.0},
            "calls": 1,
        }
        for which in ("training", "test")
        for n in range(1, 20)
        for slow in [1.5 if n < 10 else "excluded"]
    ]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = run("support/learn.py", "sort", "m.jsonl", "--folder", "cpu", folder=tmp_path)
    assert "b failed on 1 of 19 inputs and is never chosen" in said.stdout
    said = run(
        "sort/judge.py", "--cpu", "--measured", "m.jsonl", "--json", "j.json", folder=tmp_path
    )
    judged = json.loads((tmp_path / "j.json").read_text())
    assert {row["chosen"] for row in judged["inputs"]} <= {"a", "c"}
    assert [row["chosen"] for row in judged["inputs"] if row["name"] == "number:2"] == ["c"]
