"""benchmarks/common/record.py: what it records is of a commit; README.md marks what is not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RECORDER = Path("benchmarks") / "common" / "record.py"
ROOT = Path(__file__).parents[3]
ROW = '{"program": "fettle/variant.hpp", "median_s": 1.0}'


def git(tree: Path, *words: str) -> None:
    author = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", *author, *words], cwd=tree, check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A committed tree with the recorder and one other file."""
    (tmp_path / "benchmarks" / "results").mkdir(parents=True)
    (tmp_path / RECORDER.parent).mkdir()
    shutil.copy(ROOT / RECORDER, tmp_path / RECORDER)
    for name in ("measured.cpp", "README.md", "benchmarks/results/other.json"):
        (tmp_path / name).write_text("as committed\n", encoding="utf-8")
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "all")
    return tmp_path


def recorded(tree: Path, **environment: str) -> tuple[int, str, str | None]:
    """Status and complaint of recording one row, and the commit that the record names."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("FETTLE_BENCH", "GIT_"))}
    command = f"echo '{ROW}' >> $FETTLE_BENCHMARK_ROWS; touch {tree}/ran"
    run = subprocess.run(
        [
            sys.executable,
            tree / RECORDER,
            "x",
            "--",
            "sh",
            "-c",
            command,
        ],
        env={**plain, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    folder = Path(environment.get("FETTLE_BENCHMARK_RESULTS", tree / "benchmarks" / "results"))
    path = folder / "x.json"
    return (
        run.returncode,
        run.stderr,
        json.loads(path.read_text())["commit"] if path.exists() else None,
    )


def test_a_committed_tree_is_recorded_though_other_records_are_new(tree: Path) -> None:
    for written in ("README.md", "benchmarks/results/other.json"):
        (tree / written).write_text("written by the benchmark before\n", encoding="utf-8")
    status, _, commit = recorded(tree)
    assert status == 0
    assert commit is not None
    assert len(commit) == 10, "no mark"


def test_uncommitted_changes_are_refused_before_anything_is_measured(
    tree: Path,
) -> None:
    (tree / "measured.cpp").write_text("changed\n", encoding="utf-8")
    status, said, commit = recorded(tree)
    assert (status, commit) == (1, None)
    assert "measured.cpp" in said
    assert not (tree / "ran").exists()


def test_changes_are_marked_where_that_is_asked_for_or_elsewhere(tree: Path) -> None:
    (tree / "measured.cpp").write_text("changed\n", encoding="utf-8")
    elsewhere = recorded(tree, FETTLE_BENCHMARK_RESULTS=str(tree / "trial"))
    allowed = recorded(tree, FETTLE_BENCHMARK_UNCOMMITTED="1")
    for status, _, commit in (elsewhere, allowed):
        assert status == 0
        assert commit is not None
        assert commit.endswith("+")


def test_a_tree_without_a_commit_has_to_be_given_one(tree: Path) -> None:
    shutil.rmtree(tree / ".git")
    status, said, commit = recorded(tree)
    assert (status, commit) == (1, None)
    assert "FETTLE_BENCHMARK_COMMIT" in said
    assert recorded(tree, FETTLE_BENCHMARK_COMMIT="0123456789")[2] == "0123456789"
