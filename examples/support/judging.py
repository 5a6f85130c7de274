"""Judges a tuned example on inputs that it was not trained on: its judge.py calls main()."""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from example import Example, absolute
from inputs import draw
from judgement import Judgement, Summary, fifth_percentile, judge_measured

from fettle.core.wording import counted


def print_table(judged: list[Judgement], name: str) -> dict[str, Any]:
    """The table and the least family; returns what they say."""
    found = Summary.of(judged)
    rows = [
        *found.fixed.items(),
        ("tuned, selection free", found.free),
        ("tuned, selection charged", found.charged),
        ("tuned", found.headline),
    ]
    print(f"{name:25} {'mean':>6} {'p5':>6} {'worst':>6} {'best on':>8} {'chosen':>7}")
    for label, shares in rows:
        counts = f"{found.wins[label]:8} {found.chosen[label]:7}" if label in found.fixed else ""
        mean, p5 = statistics.fmean(shares), fifth_percentile(shares)
        print(f"{label:25} {mean:6.3f} {p5:6.3f} {min(shares):6.3f} {counts}".rstrip())
    means = found.families
    print("by family: " + ", ".join(f"{f} {m:.3f}" for f, m in sorted(means.items())))
    least = min(means, key=lambda family: means[family])
    print(f"least family: {least} {means[least]:.3f}")
    if judged[0].calls > 1:
        print(f"features and selection are charged, spread over {judged[0].calls:g} calls")
    else:
        print("features and selection are charged where the best variant takes 1 ms or more")
    return found.figures()


def print_convergence(judged: list[Judgement]) -> None:
    """How often a variant with a result was chosen where some have none, if any has none."""
    mixed = [j for j in judged if j.diverging]
    open_choice = [j for j in mixed if not math.isinf(j.seconds[j.chosen])]
    solved = [j for j in mixed if not math.isinf(j.tuned)]
    print(
        f"of {counted(len(mixed), 'input')} on which some variants have no result, one with a "
        f"result was chosen on {len(open_choice)}, and the call had a result on {len(solved)}"
    )


def judge_by_program(example: Example) -> tuple[list[Judgement], int]:
    """What the program measures and chooses, and its exit status."""
    options = example.options
    if not example.program.exists():
        sys.exit(f"{example.program} does not exist: run tune.py in this folder first")
    names: list[str] = options.inputs or draw(
        example.source / "inputs.json",
        test=True,
        count=options.generate,
        seed=options.seed,
        gpu=example.gpu,
    )
    names = absolute(names)
    command = [str(example.program), "--judge", *names]
    judged: list[Judgement] = []
    with subprocess.Popen(
        command, cwd=example.folder, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        for line in program.stdout:
            judged.append(Judgement.of(line))
            if sys.stderr.isatty():
                print(f"\r\033[K{len(judged)} of {len(names)}", end="", file=sys.stderr)
    return judged, program.returncode


def main(script: str, description: str) -> None:
    """judge.py [--cpu|--gpu] [--inputs FILE... | --generate N | --measured FILE] [--json FILE]"""
    parser = argparse.ArgumentParser()
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--inputs", nargs="+", metavar="INPUT", help="files, or family:size:type")
    which.add_argument("--generate", type=int, metavar="N", help="that many inputs of all families")
    which.add_argument(
        "--measured", type=Path, metavar="FILE", help="what support/measure.py measured elsewhere"
    )
    parser.add_argument("--seed", type=int, default=0, help="of --generate")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all measurements as JSON")
    example = Example(script, description, parser)
    options = example.options
    if options.measured:
        judged, status = judge_measured(options.measured, example.name, example.folder), 0
    else:
        judged, status = judge_by_program(example)
    if status < 0 or not judged:
        sys.exit(2)
    solvable = [j for j in judged if not math.isinf(j.best)]
    if len(solvable) < len(judged):
        print(f"no variant has a result on {len(judged) - len(solvable)} inputs, left out")
    if not solvable:
        sys.exit("no input to judge by")
    for judgement in sorted(solvable, key=lambda j: j.headline)[:10]:
        best = min(judgement.seconds, key=lambda v: judgement.seconds[v])
        print(
            f"{judgement.headline:6.3f} chosen {judgement.chosen:20} best {best:20} "
            f"{judgement.best * 1e3:9.3g} ms  {judgement.name} ({judgement.reason})"
        )
    print()
    summary = print_table(solvable, example.name)
    if any(j.diverging for j in judged):
        print_convergence(solvable)
    if options.json:
        rows = [vars(j) for j in judged]
        text = json.dumps({"example": example.name, **summary, "inputs": rows}, indent=1)
        options.json.write_text(text.replace("Infinity", '"inf"') + "\n", encoding="utf-8")
    print(
        f"share of best {summary['share']:.3f} (best fixed variant {summary['best_fixed']} "
        f"{summary['best_fixed_share']:.3f}) on {len(solvable)} held-out inputs"
    )
    if status:
        sys.exit(2)  # the program has said which inputs are wrong
