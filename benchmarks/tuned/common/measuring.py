"""Runs a benchmark's program on inputs and reads what it measured."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from suite import BENCHMARKS, Benchmark, Input


@dataclass(frozen=True)
class Measured:
    """What the contenders took on an input: microseconds of one call, and of a call of many."""

    input: Input
    elements: int
    call_us: Mapping[str, float]
    batch_us: Mapping[str, float]

    def with_more(self, other: "Measured") -> "Measured":
        """With the references of the other, an untuned program, that are not here."""
        more = [name for name in other.call_us if name != "fettle" and name not in self.call_us]
        call = {**self.call_us, **{name: other.call_us[name] for name in more}}
        batch = {**self.batch_us, **{name: other.batch_us[name] for name in more}}
        return Measured(self.input, self.elements, call, batch)


def measure(
    benchmark: Benchmark,
    program: Path,
    inputs: Sequence[Input],
    *,
    seconds: float,
    environment: Mapping[str, str],
    starts: int = 1,
) -> list[Measured]:
    """So many processes an input, and the medians of what they measured.

    Where memory lies and which cores are neighbours is the same throughout a process. A wrong
    result, a reference's too, ends everything.
    """
    found = []
    for one in inputs:
        rows = [_rows(program, one, seconds, environment) for _ in range(starts)]
        call, batch = _medians(rows, "call_us"), _medians(rows, "batch_us")
        if benchmark.name == "kmeans" and program.name.endswith("_openmp"):
            [distortion] = [r["value"] for r in rows[0] if "distortion" in r.get("figure", "")]
            call["scikit-learn"] = batch["scikit-learn"] = scikit_learn(one.text, distortion)
        elements = next(int(row["elements"]) for row in rows[0] if "contender" in row)
        found.append(Measured(one, elements, call, batch))
    return found


def _medians(starts: Sequence[Sequence[Mapping[str, Any]]], figure: str) -> dict[str, float]:
    """Of each contender, over the starts of the program."""
    times: dict[str, list[float]] = {}
    for rows in starts:
        for row in rows:
            if "contender" in row:
                times.setdefault(row["contender"], []).append(float(row[figure]))
    return {name: statistics.median(its) for name, its in times.items()}


def _rows(
    program: Path, one: Input, seconds: float, environment: Mapping[str, str]
) -> list[dict[str, Any]]:
    """What one process says of an input."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.jsonl"
        command = [str(program), "--measure", "--seconds", str(seconds), one.text]
        done = subprocess.run(
            command,
            env={**os.environ, **environment, "FETTLE_BENCHMARK_ROWS": str(rows)},
            check=False,
        )
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)} failed with status {done.returncode}")
        return [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]


def scikit_learn(text: str, distortion: float) -> float:
    """Microseconds that scikit-learn takes for the same iterations; it has to find the same."""
    script = BENCHMARKS / "tuned" / "kmeans" / "scikit_learn.py"
    done = subprocess.run(
        [sys.executable, script, text], check=True, capture_output=True, text=True
    )
    found = json.loads(done.stdout)
    if not abs(found["distortion"] - distortion) <= 1e-9 * distortion:
        raise SystemExit(
            f"{text}: scikit-learn's distortion is {found['distortion']}, not {distortion}"
        )
    return float(found["call_us"])
