"""Measures all variants and features of an example, for learning and judging on another machine.

    python measure.py sort --program ./sort --gpu --out sort.jsonl             (where the GPU is)
    python examples/support/learn.py sort sort.jsonl                           (anywhere)
    python examples/sort/judge.py --gpu --measured sort.jsonl

Needs Python alone. A line of the file is what the program says of an input, with its set. Where the
program ends in the midst of a variant, as after an error that no later call of a GPU recovers from,
it is started again without that variant on that input, which counts as failed there. With --resume
the inputs that the file has already are not measured again, so that several runs add up.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inputs import data_file, draw

EXAMPLES = Path(__file__).resolve().parents[1]
MOST_CRASHES = 3  # of a variant, after which it is not run any more
INPUTS_OWN = ("loading", "features")  # what is not a variant: its input is left out


def place_of(name: str) -> str:
    """A published file's path, and any other input as it is."""
    return str(data_file(name)) if data_file(name).is_file() else name


def known_inputs(file: Path) -> set[tuple[str, str]]:
    """The set and the input of every line of a file; a line that was cut off is taken away."""
    known: set[tuple[str, str]] = set()
    if not file.exists():
        return known
    whole = []
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        known.add((row["set"], row["input"]))
        whole.append(line + "\n")
    file.write_text("".join(whole), encoding="utf-8")
    return known


class Campaign:
    """The inputs that are left, and what has crashed so far."""

    def __init__(
        self, program: Path, inputs: list[str], limit: float, seconds: float | None = None
    ) -> None:
        self.program = program
        self.options = [] if seconds is None else [f"--seconds={seconds:g}"]
        self.names = {place_of(name): name for name in inputs}  # by what the program is given
        self.waiting = list(self.names)
        self.until = time.monotonic() + limit
        self.failed: dict[str, list[str]] = {}  # variants that crashed, by input
        self.crashes: dict[str, int] = {}

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each input that has been measured, as soon as it is."""
        while self.waiting and time.monotonic() < self.until:
            yield from self._run()

    def _command(self) -> list[str]:
        given = []
        for name in self.waiting:
            never = [
                what
                for what, count in self.crashes.items()
                if count >= MOST_CRASHES and what not in INPUTS_OWN
            ]
            without = dict.fromkeys([*self.failed.get(name, ()), *never])
            given += [*(f"--without={variant}" for variant in without), name]
        return [str(self.program), "--measure", *self.options, *given]

    def _run(self) -> Iterator[dict[str, Any]]:
        current = ("", "")
        is_late = False
        with subprocess.Popen(self._command(), stdout=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            for line in program.stdout:
                try:
                    row = json.loads(line)
                except ValueError:
                    continue  # cut off by a crash
                if "starts" in row:
                    current = (row["input"], row["starts"])
                    continue
                # The inputs before it were refused, which the program has said.
                self.waiting = self.waiting[self.waiting.index(row["input"]) + 1 :]
                yield {**row, "input": self.names[row["input"]]}
                if is_late := time.monotonic() > self.until:
                    program.terminate()
                    break
        if is_late or program.returncode in (0, 2):
            self.waiting = []
        else:
            self._blame(*current, program.returncode)

    def _blame(self, name: str, what: str, status: int) -> None:
        if name not in self.waiting:
            sys.exit(f"{self.program} ended with status {status} before it measured anything")
        print(f"{name}: {what} ended the program (status {status})", file=sys.stderr, flush=True)
        self.waiting = self.waiting[self.waiting.index(name) :]
        self.crashes[what] = self.crashes.get(what, 0) + 1
        if what in INPUTS_OWN:
            del self.waiting[0]
            if self.crashes[what] == MOST_CRASHES:
                sys.exit(f"{what} has ended {self.program} {MOST_CRASHES} times")
            return
        if self.crashes[what] == MOST_CRASHES:
            print(f"{what} is not run any more", file=sys.stderr, flush=True)
        self.failed.setdefault(name, []).append(what)


def main() -> None:
    """measure.py NAME --program P [--gpu] --out FILE [INPUT ...]"""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", help="the example's folder")
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--gpu", action="store_true", help="inputs that suit a GPU")
    parser.add_argument("--cold", action="store_true", help="empty the L2 cache before each run")
    parser.add_argument("--out", type=Path, required=True, help="lines of JSON are written to it")
    parser.add_argument("--limit", type=float, default=1e9, metavar="S", help="end after S seconds")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="for the variants of an input, about"
    )
    parser.add_argument("--resume", action="store_true", help="add to the file what it has not")
    parser.add_argument("--training", nargs="*", metavar="INPUT", help="instead of inputs.json's")
    parser.add_argument("--test", nargs="*", metavar="INPUT", help="instead of inputs.json's")
    options = parser.parse_args()
    if options.cold:
        os.environ["FETTLE_L2"] = "cold"
    file = EXAMPLES / options.name / "inputs.json"
    sets = {"training": options.training, "test": options.test}
    counts = {}
    known = known_inputs(options.out) if options.resume else set()
    with options.out.open("a" if options.resume else "w", encoding="utf-8") as out:
        for share, (which, given) in enumerate(sets.items(), 1):
            inputs = draw(file, which == "test", gpu=options.gpu) if given is None else given
            limit = options.limit if share == 2 else options.limit * 0.4
            began = time.monotonic()
            left = [name for name in inputs if (which, name) not in known]
            counts[which] = len(inputs) - len(left)
            program = options.program.resolve()
            for row in Campaign(program, left, limit, options.seconds).rows():
                out.write(json.dumps({"set": which, **row}) + "\n")
                out.flush()
                counts[which] += 1
            options.limit -= time.monotonic() - began
            print(f"{options.name}: {counts[which]} of {len(inputs)} {which} inputs", flush=True)


if __name__ == "__main__":
    main()
