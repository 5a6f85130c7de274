"""Share of best on measured SpMV schedules: 1798 matrices, split in half at random, three seeds.

    python benchmarks/common/record.py schedules -- \\
        python benchmarks/tuner/schedules/run.py --table CSV

Trains each classifier on one half by (rows, cols, nnz) and judges it on the other through the
deployed predictor, beside every fixed schedule; one is Nitro's SVM on labels, without weights. The
table is spmv_schedules/measured.csv in $FETTLE_DATA: one line a matrix, milliseconds of three
load-balancing schedules and of cuSPARSE on one GPU (gunrock/loops, Apache-2.0).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fettle import _native
from fettle.classifiers import (
    AutoClassifier,
    ForestClassifier,
    KccaClassifier,
    SvmClassifier,
    TreeClassifier,
)
from fettle.data.score import Score, share_of_best
from fettle.data.table import read_table
from fettle.data.table_training_set import training_set
from fettle.data.training_set import TrainingSet
from fettle.model.model_directory import write_model

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

FEATURES = ("rows", "cols", "nnz")
SCHEDULES = ("merge_path_ms", "thread_mapped_ms", "group_mapped_ms")
SEEDS = (0, 1, 2)
CLASSIFIERS = {
    "SVM on labels": partial(SvmClassifier, weighted=False),
    "svm": SvmClassifier,
    "tree": TreeClassifier,
    "forest": ForestClassifier,
    "auto": AutoClassifier,
    "kcca": KccaClassifier,
}
Choices = NDArray[np.intp]
Chooser = Callable[[TrainingSet, TrainingSet, int], tuple[Choices, str]]


@dataclass(frozen=True)
class Result:
    """One way of choosing on one split."""

    score: Score
    seconds: float  # of training
    model: str


def halves(data: TrainingSet, seed: int) -> tuple[TrainingSet, TrainingSet]:
    """Two random halves, to train on and to judge on."""
    order = np.random.default_rng(seed).permutation(len(data))
    middle = len(data) // 2
    return data.rows(np.sort(order[:middle])), data.rows(np.sort(order[middle:]))


def fixed(variant: int) -> Chooser:
    """Always the same variant."""
    return lambda _, unseen, seed: (np.full(len(unseen), variant, dtype=np.intp), "")


def by_classifier(name: str) -> Chooser:
    """A classifier of Fettle's, chosen with as a program would."""

    def choose(known: TrainingSet, unseen: TrainingSet, seed: int) -> tuple[Choices, str]:
        model = CLASSIFIERS[name](seed=seed).fit(known)
        with tempfile.TemporaryDirectory() as folder:
            write_model(Path(folder), model)
            chosen, _ = _native.Model(folder).select_many(unseen.values)
        return np.asarray(chosen, dtype=np.intp), model.provenance["parameters"]

    return choose


def measure(data: TrainingSet, name: str, chooser: Chooser) -> list[Result]:
    """Train and judge on each split."""
    results = []
    for seed in SEEDS:
        known, unseen = halves(data, seed)
        begin = time.perf_counter()
        chosen, model = chooser(known, unseen, seed)
        seconds = time.perf_counter() - begin
        shares = share_of_best(unseen.costs)[np.arange(len(unseen)), chosen]
        results.append(Result(Score.of(name, shares, shares == 1), seconds, model))
    return results


def row(variants: Sequence[str], name: str, results: Sequence[Result]) -> dict[str, object]:
    """The means over the splits, and what each split gave."""
    scores = [result.score for result in results]
    return {
        "variants": len(variants),
        "case": name,
        "mean": round(float(np.mean([score.mean for score in scores])), 4),
        "p5": round(float(np.mean([score.p5 for score in scores])), 4),
        "worst": round(min(score.worst for score in scores), 4),
        "accuracy": round(float(np.mean([score.accuracy for score in scores])), 4),
        "means": [round(score.mean, 4) for score in scores],
        "training_s": round(float(np.mean([result.seconds for result in results])), 1),
        "models": [result.model for result in results],
    }


def rows_of(path: Path, metrics: Sequence[str], only: Sequence[str]) -> list[dict[str, object]]:
    """All ways of choosing among the columns `metrics`, printed as they are measured.

    `only`: these classifiers, and no fixed variants.
    """
    data = training_set(read_table(path), "spmv", FEATURES, metrics)
    choosers: dict[str, Chooser] = {name: fixed(i) for i, name in enumerate(metrics)}
    choosers |= {name: by_classifier(name) for name in CLASSIFIERS}
    choosers = {name: choosers[name] for name in only or choosers}
    print(f"\n{len(metrics)} variants, {len(data)} inputs; means over seeds {SEEDS}")
    print(f"{'':18}{'mean':>7}{'p5':>7}{'worst':>7}{'training':>10}   each seed")
    found = []
    for name, chooser in choosers.items():
        one = row(metrics, name, measure(data, name, chooser))
        each = " ".join(f"{mean:.4f}" for mean in one["means"])  # type: ignore[attr-defined]
        print(
            f"{name:18}{one['mean']:7.4f}{one['p5']:7.4f}{one['worst']:7.4f}"
            f"{one['training_s']:8.1f} s   {each}",
            flush=True,
        )
        found.append(one)
    return found


def main() -> None:
    """Measure, print, record."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--only", nargs="+", choices=CLASSIFIERS, default=())
    options = parser.parse_args()
    every = (SCHEDULES, (*SCHEDULES, "cusparse_ms"))
    append_rows([row for metrics in every for row in rows_of(options.table, metrics, options.only)])


if __name__ == "__main__":
    main()
