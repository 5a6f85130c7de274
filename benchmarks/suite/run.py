"""Runs the suite's programs one after another: run.py PROGRAM... [--OPTION...].

Options go to every program. At the end: the time of the better simple loop or kernel over Fettle's,
above 1 where Fettle is faster, apart for the computations that the default rule was never fitted to
(halves.json), and once more for those of them that were added. The status is 1 where a program
failed or found a wrong output.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HALVES = Path(__file__).resolve().parent / "halves.json"
ROWS = "FETTLE_BENCHMARK_ROWS"  # the file to which programs append what they measured


@dataclass(frozen=True)
class Ratio:
    """What Fettle gains over the better simple one in one case."""

    work: str
    shape: str
    balanced: bool
    gain: float


def ratios(rows: Iterable[Mapping[str, Any]]) -> Iterator[Ratio]:
    """Of the cases in which both have been timed."""
    cases: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        if "batch_us" in row and "role" in row:
            cases[row["work"], row["input"]].append(row)
    for (work, shape), case in cases.items():
        best = {
            role: min((row["batch_us"] for row in case if row["role"] == role), default=0.0)
            for role in ("fettle", "simple")
        }
        if min(best.values()) > 0:
            yield Ratio(work, shape, case[0]["balanced"], best["simple"] / best["fettle"])


def summary(found: Sequence[Ratio], halves: Mapping[str, Sequence[str]]) -> list[str]:
    """A line a list and kind of shapes: geometric mean, and the least with its case."""
    lines = []
    for half in ("never_used_to_fit", "added", "free_to_fit"):
        for what, wanted in (("all shapes", (True, False)), ("balanced shapes", (True,))):
            those = [r for r in found if r.work in halves[half] and r.balanced in wanted]
            if not those:
                continue
            mean = math.exp(sum(math.log(r.gain) for r in those) / len(those))
            least = min(those, key=lambda r: r.gain)
            lines.append(
                f"simple / fettle, {half.replace('_', ' ')}, {what}: geomean {mean:.3f}, least "
                f"{least.gain:.3f} ({least.work}, {least.shape}) of {len(those)}"
            )
    return lines


def main(arguments: Sequence[str]) -> int:
    """Run each program with all options; no failure keeps the others from running."""
    first = next((i for i, word in enumerate(arguments) if word.startswith("--")), len(arguments))
    options = arguments[first:]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(os.environ.get(ROWS, f"{folder}/rows"))
        environment = {**os.environ, ROWS: str(file)}
        failed = [
            program
            for program in arguments[:first]
            if subprocess.run([program, *options], check=False, env=environment).returncode != 0
        ]
        text = file.read_text(encoding="utf-8") if file.exists() else ""
    rows = [json.loads(line) for line in text.splitlines()]
    halves = json.loads(HALVES.read_text(encoding="utf-8"))
    print("\n".join(summary(list(ratios(rows)), halves)))
    for program in failed:
        print(f"failed: {program}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
