"""Runs a benchmark's program on inputs and reads what it measured."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

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
) -> list[Measured]:
    """A process an input. A wrong result, a reference's too, ends everything."""
    return [_measure(benchmark, program, one, seconds, environment) for one in inputs]


def _measure(
    benchmark: Benchmark,
    program: Path,
    one: Input,
    seconds: float,
    environment: Mapping[str, str],
) -> Measured:
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
        read = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    times = [row for row in read if "contender" in row]
    call = {row["contender"]: float(row["call_us"]) for row in times}
    batch = {row["contender"]: float(row["batch_us"]) for row in times}
    if benchmark.name == "kmeans" and program.name.endswith("_openmp"):
        [distortion] = [row["value"] for row in read if "distortion" in row.get("figure", "")]
        call["scikit-learn"] = batch["scikit-learn"] = scikit_learn(one.text, distortion)
    return Measured(one, int(times[0]["elements"]), call, batch)


def scikit_learn(text: str, distortion: float) -> float:
    """Microseconds that scikit-learn takes for the same iterations; it has to find the same."""
    script = BENCHMARKS / "kmeans" / "scikit_learn.py"
    done = subprocess.run(
        [sys.executable, script, text], check=True, capture_output=True, text=True
    )
    found = json.loads(done.stdout)
    if not abs(found["distortion"] - distortion) <= 1e-9 * distortion:
        raise SystemExit(
            f"{text}: scikit-learn's distortion is {found['distortion']}, not {distortion}"
        )
    return float(found["call_us"])
