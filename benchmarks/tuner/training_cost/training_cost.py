"""What training costs: the tuner, against measuring every variant on every input in a process each.

    python benchmarks/common/record.py training_cost -- \\
        python benchmarks/tuner/training_cost/training_cost.py --program build/.../spmv

Three ways to measure the same generated matrices with the same program (the SpMV example), each
interleaved with the others input by input, so that a change of the machine's speed hits all alike:

- tuner: one start of the program an input, variants race;
- pair, same runs: one start a (variant, input) pair, with as many samples of it as the tuner took;
- pair, all runs: the same with all samples for every variant (no race), as without a tuner.

Then a model is trained on what each way measured, and judged by its mean share of best on held-out
matrices, whose costs are those of "all runs".
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from fettle.classifiers import ForestClassifier
from fettle.core.progress import Silence
from fettle.data.training_set import TrainingSet
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import Subject
from fettle.training.examples import make_table
from fettle.training.measure import Measurer
from fettle.training.program import Input, Program
from fettle.training.record import Record, Sample
from fettle.training.request import Measuring, Request
from fettle.training.run import run_program
from fettle.training.trainer import Trainer

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

FUNCTION = "spmv"
# The program's default for a variant that stays in the race to the end.
ALL_RUNS = 30


@dataclass
class Way:
    """One way to measure, and what it has cost."""

    name: str
    seconds: float = 0.0
    starts: int = 0
    runs: int = 0
    medians: dict[tuple[str, str], float] = field(default_factory=dict)  # (input, variant)


@dataclass
class Lab:
    """The program, and where its logs go."""

    program: Program
    logs: Path
    count: int = 0

    def pair(
        self, given: Input, variant: str, others: Sequence[str], how: Measuring
    ) -> list[float]:
        """Samples of one variant on one input, from a process of their own."""
        samples: list[float] = []

        def keep(record: Record) -> None:
            if isinstance(record, Sample):
                samples.extend(record.metric)

        self.count += 1
        log = self.logs / f"pair{self.count}.jsonl"
        request = Request(FUNCTION, given.name, skip=tuple(others), measuring=how)
        run_program(
            self.program.command(given),
            directory=self.program.directory,
            environment={**self.program.full_environment(), **request.environment(str(log))},
            log=log,
            handle=keep,
            silence_seconds=300.0,
        )
        log.unlink(missing_ok=True)
        return samples


def measure_pairs(lab: Lab, way: Way, given: Input, wanted: dict[str, int]) -> None:
    """Measures some variants of an input, a process and so many samples each."""
    begin = time.monotonic()
    for variant, count in wanted.items():
        how = Measuring(race=False, minimum_samples=count, maximum_samples=count)
        others = [other for other in wanted if other != variant]
        samples = lab.pair(given, variant, others, how)
        way.starts += 1
        way.runs += len(samples)
        if samples:
            way.medians[given.name, variant] = statistics.median(samples)
    way.seconds += time.monotonic() - begin


def table_of(way: Way, like: TrainingSet) -> TrainingSet:
    """The training set that a way has measured, with the features of `like`."""
    costs = np.full(like.costs.shape, np.inf)
    for row, name in enumerate(like.inputs):
        for column, variant in enumerate(like.variants):
            costs[row, column] = way.medians.get((name, variant), np.inf)
    return replace(like, costs=costs)


def generated(program: Path, which: str, count: int) -> list[Input]:
    """Matrices that the example generates, evenly from its list."""
    names = subprocess.run(
        [program, "--list-generated", "--set", which], check=True, capture_output=True, text=True
    ).stdout.split()
    indices = np.linspace(0, len(names) - 1, min(count, len(names))).round().astype(int)
    return [Input(names[index], (names[index],)) for index in indices]


def compare(program: Path, train: int, test: int, folder: Path) -> list[dict[str, object]]:
    """Measures in all three ways, trains, judges; one row a way."""
    lab = Lab(Program(str(program.resolve()), folder), folder)
    store = SqliteStore(folder / "tuner.sqlite")
    measurer = Measurer(
        lab.program, Subject(str(program), FUNCTION, "here", ""), store, folder, Silence()
    )
    tuner, same, every = Way("tuner"), Way("pair, same runs"), Way("pair, all runs")
    inputs, held_out = generated(program, "train", train), generated(program, "test", test)
    for index, given in enumerate([*inputs, *held_out]):
        print(f"\r{index + 1} of {len(inputs) + len(held_out)}", end="", flush=True)
        begin = time.monotonic()
        measurer.measure(given)
        seconds = time.monotonic() - begin
        [example] = measurer.examples(given)
        ran = {variant: len(samples) for variant, samples in example.samples.items()}
        for variant, samples in example.samples.items():
            tuner.medians[given.name, variant] = statistics.median(samples)
        if index < len(inputs):
            tuner.seconds += seconds
            measure_pairs(lab, same, given, ran)
            measure_pairs(lab, every, given, dict.fromkeys(ran, ALL_RUNS))
        else:  # what the judge needs is not charged
            spent = replace(every)
            measure_pairs(lab, every, given, dict.fromkeys(ran, ALL_RUNS))
            every.seconds, every.starts, every.runs = spent.seconds, spent.starts, spent.runs
        if index == len(inputs) - 1:
            tuner.starts, tuner.runs = measurer.spent.program_starts, measurer.spent.variant_runs
    print()
    assert measurer.offer is not None
    learned = make_table(FUNCTION, measurer.offer, [(g.name, measurer.examples(g)) for g in inputs])
    unseen = make_table(
        FUNCTION, measurer.offer, [(g.name, measurer.examples(g)) for g in held_out]
    )
    reference = table_of(every, unseen.data)
    trainer = Trainer(ForestClassifier())
    rows: list[dict[str, object]] = []
    for way in (tuner, same, every):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = trainer.fit(table_of(way, learned.data))
        share = trainer.judge(model, reference).share_of_best()
        rows.append(
            {
                "case": way.name,
                "inputs": len(inputs),
                "seconds": round(way.seconds, 2),
                "program_starts": way.starts,
                "variant_runs": way.runs,
                "share_of_best": round(share, 4),
                "times_the_tuner": round(way.seconds / tuner.seconds, 2),
            }
        )
    store.close()
    return rows


def main() -> None:
    """Measure, print, record."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", type=Path, required=True, help="the SpMV example's program")
    parser.add_argument("--train", type=int, default=60, help="inputs to learn from")
    parser.add_argument("--test", type=int, default=40, help="inputs to judge by")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fettle-") as folder:
        rows = compare(options.program, options.train, options.test, Path(folder))
    print(f"{'':17}{'seconds':>9}{'starts':>8}{'runs':>8}{'share of best':>15}{'x tuner':>9}")
    for row in rows:
        print(
            f"{row['case']:17}{row['seconds']:9.1f}{row['program_starts']:8}"
            f"{row['variant_runs']:8}{row['share_of_best']:15.4f}{row['times_the_tuner']:9.2f}"
        )
    append_rows(rows)


if __name__ == "__main__":
    main()
