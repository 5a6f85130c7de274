"""The suite's summary: benchmarks/suite/run.py."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest

RUN = runpy.run_path(str(Path(__file__).resolve().parents[3] / "benchmarks" / "suite" / "run.py"))

HALVES = {"never_used_to_fit": ["a", "c"], "free_to_fit": ["b"], "added": ["c"]}


def row(work: str, shape: str, role: str, us: float, balanced: bool = True) -> dict[str, object]:
    """What a program records of a contender."""
    return {"work": work, "input": shape, "role": role, "batch_us": us, "balanced": balanced}


def test_the_better_simple_one_counts_and_each_half_has_its_lines() -> None:
    """Libraries do not count, nor the slower simple ones."""
    rows = [
        row("a", "long", "fettle", 2.0),
        row("a", "long", "simple", 8.0),
        row("a", "long", "simple", 4.0),
        row("a", "long", "library", 0.1),
        row("a", "giant", "fettle", 2.0, False),
        row("a", "giant", "simple", 1.0, False),
        row("b", "long", "fettle", 1.0),
        row("b", "long", "simple", 3.0),
    ]
    assert RUN["summary"](list(RUN["ratios"](rows)), HALVES) == [
        "simple / fettle, never used to fit, all shapes: geomean 1.000, least 0.500 (a, giant)"
        " of 2",
        "simple / fettle, never used to fit, balanced shapes: geomean 2.000, least 2.000 (a, long)"
        " of 1",
        "simple / fettle, free to fit, all shapes: geomean 3.000, least 3.000 (b, long) of 1",
        "simple / fettle, free to fit, balanced shapes: geomean 3.000, least 3.000 (b, long) of 1",
    ]


def test_what_was_added_has_lines_of_its_own_too() -> None:
    """It counts in the half that is never used to fit."""
    rows = [
        row(work, "giant", role, us, False)
        for work, simple in (("a", 2.0), ("c", 8.0))
        for role, us in (("fettle", 1.0), ("simple", simple))
    ]
    assert RUN["summary"](list(RUN["ratios"](rows)), HALVES) == [
        "simple / fettle, never used to fit, all shapes: geomean 4.000, least 2.000 (a, giant)"
        " of 2",
        "simple / fettle, added, all shapes: geomean 8.000, least 8.000 (c, giant) of 1",
    ]


def test_cases_without_a_time_of_both_are_left_out() -> None:
    """A wrong output has no time."""
    wrong = {"work": "a", "input": "long", "role": "fettle", "problem": "wrong output"}
    others = [{"compiled_by": "12"}, {"figure": "copy", "value": 1.0}]
    assert list(RUN["ratios"]([wrong, row("a", "long", "simple", 1.0), *others])) == []


def test_programs_run_with_all_options_and_failures_are_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failing program does not keep the others from running."""
    monkeypatch.delenv(RUN["ROWS"], raising=False)
    script = tmp_path / "program"
    lines = "".join(
        f"print({json.dumps(json.dumps(row('row_norms', 'long', role, us)))}, file=f)\n"
        for role, us in (("fettle", 2.0), ("simple", 1.0))
    )
    script.write_text(
        f"#!{sys.executable}\nimport os, sys\n"
        f"with open(os.environ['{RUN['ROWS']}'], 'a') as f:\n"
        + "".join("    " + line + "\n" for line in lines.splitlines())
        + "print(sys.argv[1:])\n"
    )
    script.chmod(0o755)
    assert RUN["main"]([str(script), "/bin/false", "--seconds", "1"]) == 1
    said = capfd.readouterr()
    assert "['--seconds', '1']" in said.out
    assert "geomean 0.500, least 0.500 (row_norms, long) of 1" in said.out
    assert "failed: /bin/false" in said.err
