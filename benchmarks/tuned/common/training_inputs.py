"""How many of its training inputs a tuned benchmark needs: table 5.7 of the dissertation.

    python benchmarks/common/record.py training_inputs_openmp -- \\
        python benchmarks/tuned/common/training_inputs.py reduction scan --platform openmp

Of benchmarks whose candidates are measured on all inputs (run.py, with the same --folder). For each
computation `NdpTuner.itune` is replayed from these measurements, in several orders of the inputs,
beside a random order. An order has enough when the model of what it has measured so far is, on the
test inputs, within FULL of the model of all training inputs; shares are of the best of all
candidates.
"""

import argparse
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from definitions import ALL
from run import environment_of
from suite import PLATFORMS, ROOT
from tuning import Options, train

from fettle import TreeClassifier
from fettle.classifiers.winners import winners
from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.training.active import Goal, Learner
from fettle.training.incremental import judge_by
from fettle.training.program import Input
from fettle.training.trainer import Trainer

sys.path += [str(ROOT / "benchmarks" / "common"), str(ROOT / "examples" / "support")]
from incremental import FULL, RandomOrder, inputs_for, mean_curve
from record import append_rows

TRAINER = Trainer(TreeClassifier())


def kept(data: TrainingSet) -> TrainingSet:
    """The candidates that are worth having by these inputs, as the tuner keeps them."""
    return data.narrowed(winners(data)) if len(data) else data


def curve_of(
    kind: type[Learner], data: TrainingSet, test: TrainingSet, seed: int
) -> dict[int, float]:
    """The mean share of best after each number of inputs, up to half of them."""
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(data.inputs):  # the calls of an input
        rows.setdefault(name.split(" #")[0], []).append(row)
    order = [list(rows)[k] for k in np.random.default_rng(seed).permutation(len(rows))]
    learner = kind(
        [Input(name, (name,)) for name in order],
        [data.values[rows[name]] for name in order],
        (),
        list,
        lambda given: kept(data.rows([row for one in given for row in rows[one.name]])),
        TRAINER,
        judge_by(TRAINER, test),
        lambda _: None,
    )
    learner.learn(Goal(len(order) // 2, None))
    return {step.inputs: step.share_of_best for step in learner.steps}


def needed_by(data: TrainingSet, test: TrainingSet, repetitions: int) -> dict[str, object]:
    """How many inputs each order needs; None where half of them are not enough."""
    score = judge_by(TRAINER, test)(TRAINER.learn(kept(data)))
    curves = {
        name: mean_curve([curve_of(kind, data, test, seed) for seed in range(repetitions)])
        for name, kind in (("itune", Learner), ("random", RandomOrder))
    }
    return {
        "inputs": len({name.split(" #")[0] for name in data.inputs}),
        "full": round(score.mean, 4),
        "needed": {name: inputs_for(curve, score.mean - FULL) for name, curve in curves.items()},
        "curves": curves,
    }


def rows_of(name: str, options: argparse.Namespace) -> list[dict[str, object]]:
    """A row a computation of a benchmark."""
    platform, benchmark = options.platform, ALL[name]
    patterns = options.patterns.resolve() if options.patterns else None
    how = Options(
        folder=options.folder.resolve() / name / platform,
        environment=environment_of(platform, patterns),
    )
    training, test = benchmark.training(platform, patterns), benchmark.test(platform, patterns)
    found: list[dict[str, object]] = []
    for result in train(benchmark, platform, training, test, how).results:
        if result.measured is None or result.held_out is None:
            raise SystemExit(f"{result.function}: measure it on training and test inputs first")
        needed = needed_by(result.measured, result.held_out, options.repetitions)
        found.append({"benchmark": name, "function": result.function, **needed})
    return found


def line(row: Mapping[str, object]) -> str:
    """A row as it is printed."""
    needed = row["needed"]
    assert isinstance(needed, dict)
    return (
        f"{row['function']:32} {row['inputs']:4} inputs: itune {needed['itune']}, random "
        f"{needed['random']}; all {row['full']}"
    )


def main() -> None:
    """Replay, print, and add rows to the record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("benchmarks", nargs="+", choices=sorted(ALL))
    parser.add_argument("--platform", choices=PLATFORMS, default="openmp")
    parser.add_argument("--folder", type=Path, default=Path("build/ndp_tuned"), help="of run.py")
    parser.add_argument("--patterns", type=Path, help="the file that matrix_cache wrote, for SpMV")
    parser.add_argument("--repetitions", type=int, default=4, help="orders of the inputs")
    options = parser.parse_args()
    warnings.simplefilter("ignore", TrainingWarning)  # few inputs teach little
    found = [row for name in options.benchmarks for row in rows_of(name, options)]
    print("\n".join(map(line, found)))
    append_rows(found)


if __name__ == "__main__":
    main()
