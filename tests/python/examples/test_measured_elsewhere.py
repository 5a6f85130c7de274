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
SPMV = BUILT / "examples/spmv/spmv"
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


def test_spmv_is_measured_in_the_seconds_that_are_given(tmp_path: Path) -> None:
    if not SPMV.exists():
        pytest.skip(f"{SPMV} is not built")
    matrices = [f"generate:stencil:points=5,side={side},seed=1" for side in (8, 30)]
    run(
        "support/measure.py",
        *("spmv", "--program", SPMV, "--out", "spmv.jsonl", "--seconds", "0.02"),
        *("--training", *matrices, "--test", matrices[0]),
        folder=tmp_path,
    )
    measured = rows(tmp_path / "spmv.jsonl")
    assert [row["input"] for row in measured] == [*matrices, matrices[0]]
    assert measured[0]["features"]["rows"] == 64
    assert set(measured[0]["features"]) == set(measured[0]["feature_seconds"])
    assert 0 < measured[0]["seconds"]["csr_serial"] < 1
    run("support/learn.py", "spmv", "spmv.jsonl", "--folder", "cpu", folder=tmp_path)
    refused = subprocess.run(
        [str(SPMV), "--measure", "--seconds=none", matrices[0]], capture_output=True, text=True
    )
    assert refused.returncode == 2
    assert "--seconds=none: give a positive number" in refused.stderr


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
    assert [row["work"]["bytes"] for row in measured] == [8 * size for size in sizes]
    assert measured[1]["references"]["halved"] == pytest.approx(5e-5 * 200)
    assert "number:200: crashes ended the program" in said.stderr
    assert "crashes is not run any more" in said.stderr
    assert "the size must be a number" in said.stderr


def test_measuring_goes_on_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data/matrices").mkdir(parents=True)
    (tmp_path / "data/matrices/published.mtx").write_text("")
    program = tmp_path / "program"
    program.write_text(
        f"#!{sys.executable}\n"
        "import json, sys\n"
        "for name in sys.argv[2:]:\n"
        "    open('ran', 'a').write(name + '\\n')\n"
        "    print(json.dumps({'input': name, 'seconds': {'a': 1.0}}))\n"
    )
    program.chmod(0o755)

    def measured(*words: str) -> list[str]:
        command = ["support/measure.py", "sort", "--program", str(program), "--out", "m.jsonl"]
        run(command[0], *command[1:], *words, folder=tmp_path)
        return [f"{row['set']} {row['input']}" for row in rows(tmp_path / "m.jsonl")]

    monkeypatch.setenv("FETTLE_DATA", str(tmp_path / "data"))
    first = measured("--training", "x", "matrices/published.mtx", "--test", "x")
    assert first == ["training x", "training matrices/published.mtx", "test x"]
    with (tmp_path / "m.jsonl").open("a") as out:
        out.write('{"set": "test", "inp')  # as where the machine was taken away
    again = measured("--resume", "--training", "x", "matrices/published.mtx", "--test", "x", "y")
    assert again == [*first, "test y"]
    published = str(tmp_path / "data/matrices/published.mtx")
    assert (tmp_path / "ran").read_text().split() == ["x", published, "x", "y"]


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


def test_the_record_says_what_choices_are_worth(tmp_path: Path) -> None:
    """A variant below 1000 elements, another above; a third that never converges."""
    lines = [
        {
            "set": which,
            "input": f"number:{n}",
            "features": {"n": n, "dear": n * n},
            "feature_seconds": {"n": 1e-8, "dear": 0.1},
            "seconds": {"small": 1.0 if n < 1000 else 2.0, "large": 1.5, "never": "inf"},
            "lost_seconds": {"never": 5.0},
            "work": {"edges": 30.0},
            "references": {"copy": 0.5},
            "calls": 1,
        }
        for which, shift in (("training", 0), ("test", 7))
        for n in range(100 + shift, 2000, 120)
    ]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    other = [  # another program, which solves all but one of the same inputs
        {
            "set": "test",
            "input": line["input"],
            "seconds": {"theirs": 3.0 if n else "inf", "worse": 6.0},
        }
        for n, line in enumerate(line for line in lines if line["set"] == "test")
    ]
    (tmp_path / "o.jsonl").write_text("".join(json.dumps(line) + "\n" for line in other))
    said = run(
        "support/record.py",
        *("r.json", "--on", "a GPU", "--commit", "c", "--repetitions", "1", "f=m.jsonl"),
        *("--peers", "f=o.jsonl", "--again", "f=m.jsonl", "--note", "f=the second = the first"),
        folder=tmp_path,
    )
    assert "f: share of best" in said.stdout
    record = json.loads((tmp_path / "r.json").read_text())
    assert record["commit"] == "c"
    [row] = record["rows"]
    assert row["commit"] == "c" and row["date"] == record["date"]
    assert row["note"] == "the second = the first"
    assert row["function"] == "f" and row["gpu"] == "a GPU"
    assert row["selection_free"] > 0.95 > row["best_fixed_share"]
    assert row["bands"]["0.5"] == 1
    assert row["convergence"] == {"mixed": 16, "chosen": 16, "solved": 16}
    assert [point["feature"] for point in row["features"]] == ["n", "dear"]
    assert row["features"][1]["net"] < row["features"][0]["net"]
    peers = row["over_peers"]
    assert 2 <= peers["theirs"]["free"] <= 3 and peers["worse"]["free"] > 4
    assert (peers["theirs"]["both"], peers["theirs"]["choice_alone"]) == (15, 1)
    assert peers["best of them"]["both"] == 16 and peers["best of them"]["peer_alone"] == 0
    assert row["throughput"]["unit"] == "edges/s" and row["throughput"]["most"] == 30
    assert 20 < row["throughput"]["mean"] < 30
    copy = row["of_references"]["copy"]
    assert 0.25 <= copy["least"] < copy["mean"] < 0.5 and list(copy["families"]) == ["number"]
    assert row["repeated"] == {"inputs": 16, "share_of_best": 1.0}
    assert row["large"] is None  # no feature says how large the inputs are
    assert row["incremental"]["repetitions"] == 1
    assert 3 <= row["incremental"]["needed"]["itune"] <= 10


def test_a_solver_that_gave_up_is_not_one_that_does_not_converge(tmp_path: Path) -> None:
    lines = [
        {
            "set": which,
            "input": f"number:{n}",
            "features": {"n": n},
            "feature_seconds": {"n": 1e-8},
            "seconds": {"a": 1.0, "b": "late", "c": "inf" if n % 2 else 2.0},
            "lost_seconds": {"b": 5.0},
            "calls": 1,
        }
        for which in ("training", "test")
        for n in range(1, 21)
    ]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run("support/learn.py", "solvers", "m.jsonl", "--folder", "cpu", folder=tmp_path)
    said = run("solvers/judge.py", "--cpu", "--measured", "m.jsonl", folder=tmp_path)
    assert "of 10 inputs on which some variants have no result" in said.stdout
