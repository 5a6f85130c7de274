"""The thesis's tuners of thresholds replayed on what its programs measured.

    python benchmarks/common/record.py thresholds_openmp -- thresholds_openmp --most 30000000
    python benchmarks/tuned/thresholds/run.py benchmarks/results/thresholds_openmp.json

The compiled programs (thresholds.cpp, thresholds.cu) measure each version of each nest on each data
set; that is the record. This adds what tuners come to by these figures, and measures nothing.
Tuners see some data sets; the others judge what they found, as speed over moderate flattening.
Rows: one a program and data set (the thesis's table 6.1), one a program, the summary of the simple
ones (figure 4.2), and one a tuner of the program with a loop (figures 4.4 to 4.6, table 6.2).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[3] / "python"))

from classifiers import shares
from table import Program, geometric_mean, programs_of
from tuners import Outcome, exactly, of_loops

from fettle.search.thresholds.tree import versions

Row = dict[str, Any]


def judged(program: Program, outcome: Outcome) -> Row:
    """The data sets left out: speed over moderate flattening and untuned thresholds."""
    left = program.data(tunes=False)
    tuned = {name: outcome.held_out(program, name) for name in left}
    over = [program.moderate(name) / tuned[name] for name in left]
    return {
        "tuner": outcome.tuner,
        "runs": outcome.runs,
        "tuning_s": outcome.seconds,
        "speedup_moderate": geometric_mean(over),
        "mean_speedup_moderate": fmean(over),
        "speedup_untuned": geometric_mean([program.untuned(name) / tuned[name] for name in left]),
        "share_of_best": geometric_mean([program.best(name) / tuned[name] for name in left]),
    }


def data_rows(program: Program, outcomes: Sequence[Outcome]) -> list[Row]:
    """A row a data set: milliseconds by moderate flattening, untuned, at best, and tuned: by the
    first of the outcomes and, of a simple program, by shares of the best."""
    ways = dict(zip(("tuned_ms", "relative_ms"), outcomes, strict=False))
    if not program.is_simple():
        del ways["relative_ms"]
    return [
        {
            "program": program.name,
            "data": name,
            "tunes": tunes,
            "moderate_ms": 1e3 * program.moderate(name),
            "untuned_ms": 1e3 * program.untuned(name),
            "best_ms": 1e3 * program.best(name),
            **{way: 1e3 * one.held_out(program, name) for way, one in ways.items()},
        }
        for name, tunes in program.tunes.items()
    ]


def simple_row(rows: Sequence[Row], title: str, tuned: str) -> Row:
    """All simple programs' data sets that were left out."""
    left = [row for row in rows if "data" in row and not row["tunes"]]
    over = [row["moderate_ms"] / row[tuned] for row in left]
    return {
        "programs": title,
        "data_sets": len(left),
        "speedup_moderate": geometric_mean(over),
        "mean_speedup_moderate": fmean(over),
        "worst_speedup_moderate": min(over),
        "untuned_speedup_moderate": geometric_mean(
            [row["moderate_ms"] / row["untuned_ms"] for row in left]
        ),
        "share_of_best": geometric_mean([row["best_ms"] / row[tuned] for row in left]),
    }


def both(program: Program) -> list[Outcome]:
    """The exact tuner, by the thesis's objective, seconds, and by shares of the best."""
    return [exactly(program), exactly(program, "relative")]


def rows_of(programs: Sequence[Program]) -> list[Row]:
    """All rows, printed as they are found."""
    rows: list[Row] = []
    for program in programs:
        outcomes = both(program) if program.is_simple() else of_loops(program)
        kind = "simple" if program.is_simple() else "loop"
        for outcome in outcomes:
            row = {"programs": program.name, "kind": kind, **judged(program, outcome)}
            row["versions"] = len(list(versions(program.tree())))
            rows.append(row)
            print(
                f"{program.name:16}{outcome.tuner:26}{row['versions']:3} versions"
                f"{outcome.runs:7g} runs{outcome.seconds:9.3f} s; over moderate "
                f"{row['speedup_moderate']:.2f}, share of best {row['share_of_best']:.3f}"
            )
        rows += data_rows(program, outcomes)
        rows.append({"program": program.name, "kind": kind, "shares": shares(program)})
    names = {program.name for program in programs if program.is_simple()}
    judged_by = [row for row in rows if row.get("program") in names]
    simple = [
        simple_row(judged_by, "simple", "tuned_ms"),
        simple_row(judged_by, "simple, relative", "relative_ms"),
    ]
    for row in simple:
        print(
            {
                name: value if isinstance(value, str) else round(value, 3)
                for name, value in row.items()
            }
        )
    return [*simple, *rows]


def write(path: Path, record: Row, found: Sequence[Row]) -> None:
    """The record with these rows before those that were measured, a row a line."""
    rows = [*found, *(row for row in record["rows"] if "nest" in row or "platform" in row)]
    head = json.dumps({**record, "rows": []}, indent=1).removesuffix("[]\n}")
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    path.write_text(f"{head}[\n{lines}\n ]\n}}\n", encoding="utf-8")


def main() -> None:
    """Tune, print, and add to the record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("record", type=Path, help="of the compiled programs")
    options = parser.parse_args()
    record = json.loads(options.record.read_text(encoding="utf-8"))
    write(options.record, record, rows_of(programs_of(record["rows"])))


if __name__ == "__main__":
    main()
