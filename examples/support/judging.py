"""Judges a tuned example on inputs that it was not trained on: its judge.py calls main()."""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from example import Example, absolute
from inputs import draw, family_of
from measured import read_rows, seconds_of

import fettle

# Features and selection are charged where one call by the best variant takes at least this long;
# below, their cost is that of a call or more, and an application selects once for many calls.
CHARGED_FROM_S = 1e-3


@dataclass(frozen=True)
class Judgement:
    """What the program measured on one input."""

    name: str
    seconds: dict[str, float]
    chosen: str
    reason: str
    selection: float
    tuned: float
    calls: float
    diverging: tuple[str, ...]  # variants that ran and had no result

    @classmethod
    def of(cls, line: str) -> Judgement:
        """From a line of the program's output."""
        row = json.loads(line)
        return cls(
            name=row["input"],
            seconds=seconds_of(row),
            chosen=row["chosen"],
            reason=row["reason"],
            selection=float(row["selection_seconds"]),
            tuned=float(row["tuned_seconds"]),
            calls=float(row["calls"]),
            diverging=tuple(name for name, s in row["seconds"].items() if s == "inf"),
        )

    @property
    def best(self) -> float:
        """Seconds of the best variant; infinite where none has a result."""
        return min(self.seconds.values())

    def share(self, seconds: float) -> float:
        """The share of best of a time."""
        return 0.0 if math.isinf(seconds) else self.best / seconds

    @property
    def free(self) -> float:
        """The share of best of the choice, as if choosing took no time."""
        return self.share(self.tuned)

    @property
    def charged(self) -> float:
        """The same with features and selection, spread over the calls that one choice serves."""
        return self.share(self.tuned + self.selection / self.calls)

    @property
    def headline(self) -> float:
        """With features and selection where a call is long enough, or serves many."""
        is_charged = self.calls > 1 or self.best >= CHARGED_FROM_S
        return self.charged if is_charged else self.free


def fifth_percentile(shares: list[float]) -> float:
    """5 % of the shares are lower."""
    rank = 0.05 * (len(shares) - 1)
    ordered = sorted(shares)
    low = ordered[int(rank)]
    return low + (rank - int(rank)) * (ordered[min(int(rank) + 1, len(ordered) - 1)] - low)


def print_table(judged: list[Judgement], name: str) -> dict[str, object]:
    """The table, the least family and the last line; returns what they say."""
    variants = list(judged[0].seconds)
    fixed = {v: [j.share(j.seconds[v]) for j in judged] for v in variants}
    wins = Counter(min(j.seconds, key=lambda v, j=j: j.seconds[v]) for j in judged)  # type: ignore[misc]
    chosen = Counter(j.chosen for j in judged)
    rows: list[tuple[str, list[float]]] = sorted(
        fixed.items(), key=lambda row: -statistics.fmean(row[1])
    )
    best_fixed = rows[0]
    rows.append(("tuned, selection free", [j.free for j in judged]))
    rows.append(("tuned, selection charged", [j.charged for j in judged]))
    headline = [j.headline for j in judged]
    rows.append(("tuned", headline))
    print(f"{name:25} {'mean':>6} {'p5':>6} {'worst':>6} {'best on':>8} {'chosen':>7}")
    for label, shares in rows:
        counts = f"{wins[label]:8} {chosen[label]:7}" if label in fixed else ""
        mean, p5 = statistics.fmean(shares), fifth_percentile(shares)
        print(f"{label:25} {mean:6.3f} {p5:6.3f} {min(shares):6.3f} {counts}".rstrip())
    families: dict[str, list[float]] = defaultdict(list)
    for judgement in judged:
        families[family_of(judgement.name)].append(judgement.headline)
    means = {family: statistics.fmean(shares) for family, shares in families.items()}
    print("by family: " + ", ".join(f"{f} {m:.3f}" for f, m in sorted(means.items())))
    least = min(means, key=lambda family: means[family])
    print(f"least family: {least} {means[least]:.3f}")
    if judged[0].calls > 1:
        print(f"features and selection are charged, spread over {judged[0].calls:g} calls")
    else:
        print("features and selection are charged where the best variant takes 1 ms or more")
    return {
        "share": statistics.fmean(headline),
        "p5": fifth_percentile(headline),
        "worst": min(headline),
        "best_fixed": best_fixed[0],
        "best_fixed_share": statistics.fmean(best_fixed[1]),
        "families": means,
        "wins": dict(wins),
        "chosen": dict(chosen),
        "variants": {
            label: {"mean": statistics.fmean(shares), "p5": fifth_percentile(shares)}
            for label, shares in rows
        },
    }


def print_convergence(judged: list[Judgement]) -> None:
    """How often a variant with a result was chosen where some have none, if any has none."""
    mixed = [j for j in judged if j.diverging]
    open_choice = [j for j in mixed if not math.isinf(j.seconds[j.chosen])]
    solved = [j for j in mixed if not math.isinf(j.tuned)]
    print(
        f"of {len(mixed)} inputs on which some variants have no result, one with a result was "
        f"chosen on {len(open_choice)}, and the call had a result on {len(solved)}"
    )


def judge_measured(file: Path, name: str, folder: Path) -> list[Judgement]:
    """What the model in `folder` chooses for the test inputs that measure.py has measured.

    The selection takes the time of the features that the model looks at, as measured there; what
    the model itself takes, some 100 ns, is not in it. Where the choice is excluded or has no
    result, the next best runs, as on_constraint_failure and on_infinite_metric="next_best" have it.
    """
    model = fettle.load(folder / "fettle_models" / name)
    used = {entry.feature for entry in model.model.inputs}
    judged = []
    for row in read_rows(file, "test"):
        seconds = seconds_of(row)
        choice = model.choose({f: float(row["features"][f]) for f in model.features})
        scores = {v: -math.inf if s is None else s for v, s in choice.scores.items()}
        others = sorted(scores, key=lambda v: -scores[v])  # stable: in order of registration
        ranked = [choice.variant, *(v for v in others if v != choice.variant)]
        ranked = [v for v in ranked if row["seconds"][v] != "excluded"]
        lost = [v for v in ranked if math.isinf(seconds[v])]
        tuned = math.inf
        if len(lost) < len(ranked):
            best = next(n for n, v in enumerate(ranked) if not math.isinf(seconds[v]))
            before = sum(row.get("lost_seconds", {}).get(v, 0.0) for v in ranked[:best])
            tuned = seconds[ranked[best]] + before
        judged.append(
            Judgement(
                name=row["input"],
                seconds=seconds,
                chosen=ranked[0],
                reason=choice.reason,
                selection=sum(row["feature_seconds"][f] for f in used),
                tuned=tuned,
                calls=float(row["calls"]),
                diverging=tuple(v for v, s in row["seconds"].items() if s == "inf"),
            )
        )
    return judged


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
