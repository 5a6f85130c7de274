"""What approximate variants within a bound gain, and how well the bound is kept.

Each computation of the program is measured on inputs that the model learns from, and on others that
judge it. A margin is proven on one half of these, so that the other half judges it unseen. The
yardstick is the best exact variant of each input, which no model of exact variants could beat; the
evaluation of features is charged.

    python benchmarks/selection/approximate/judge.py --program build/benchmark/approximate
    python benchmarks/selection/approximate/judge.py --logs FOLDER

With `--logs` alone nothing is run: the folder holds NAME.train and NAME.test, training logs of
another machine (docs/formats.md, section 2). With both, the logs that the folder lacks are written
there, so that a run that was cut short goes on where it ended.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fettle.classifiers import TreeClassifier
from fettle.data.training_set import TrainingSet
from fettle.store.contents import ERROR, Example
from fettle.store.subject import Offer
from fettle.training.approximation import admit
from fettle.training.code_variant import CodeVariant
from fettle.training.examples import make_table
from fettle.training.log import read_log
from fettle.training.record import Call, Failed, Header, Sample
from fettle.training.trainer import Trainer, used_features

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

COMPUTATIONS = {
    "processor": ("kmeans", "monte_carlo", "stencil", "histogram", "solver", "n_body"),
    "gpu": ("monte_carlo", "stencil", "histogram", "n_body"),
    "layer": ("ndp_density", "ndp_prices", "ndp_squares"),
}
MEASURING = "warm_up=1 minimum_samples=3 maximum_samples=3 race=0 max_calls=1000000"


@dataclass(frozen=True)
class Judged:
    """One computation on the inputs that were held out."""

    name: str
    inputs: int
    speedup: float  # over the best exact variant of each input: the geometric mean
    best: float  # what could be: the fastest variant within the bound on each input
    kept: float  # fraction of inputs within the bound
    kept_unseen: float  # of the half that did not prove the margin
    approximate: float  # fraction of inputs with an approximate choice
    proven: float
    worst: float


def read(path: Path) -> tuple[Offer, list[tuple[str, list[Example]]]]:
    """The measurements of a log as the tuner's store would give them."""
    examples: dict[int, Example] = {}
    offer: Offer | None = None
    for record in read_log(path):
        match record:
            case Header():
                offer = Offer(
                    record.variants,
                    record.features,
                    record.default,
                    record.unit,
                    record.larger_is_better,
                    record.machine,
                    quality=record.quality,
                )
            case Call():
                examples[record.call] = Example(
                    record.call, record.features, record.feature_seconds
                )
            case Sample():
                one = examples[record.call]
                one.samples.setdefault(record.variant, []).extend(record.metric)
                one.verdicts[record.variant] = "measured", ""
                if record.error is not None:
                    one.others[record.variant] = {ERROR: [record.error]}
            case Failed():
                examples[record.call].verdicts[record.variant] = "failed", record.reason
    assert offer is not None
    return offer, [(f"{path.name} {call}", [one]) for call, one in examples.items()]


def judge(folder: Path, name: str) -> Judged:
    """Learns from one log and judges by the other."""
    offer, learned = read(folder / f"{name}.train")
    _, held_out = read(folder / f"{name}.test")
    data = make_table(name, offer, learned).data
    test = make_table(name, offer, held_out).data
    trainer = Trainer(TreeClassifier())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = trainer.fit(data)
    proving = test.rows(np.arange(0, len(test), 2))
    model, found = admit(trainer, CodeVariant(name), offer, model, data, proving)
    if not found.is_admitted:
        print(f"{name}: {found.reason}", file=sys.stderr)
        model = trainer.fit(_exact(data, offer))
    chosen = trainer.choose(model, test.values)
    rows = np.arange(len(test))
    assert test.errors is not None
    errors = test.errors[rows, chosen]
    exact = _exact(test, offer).costs.min(axis=1)
    assert test.measured is not None
    paid = test.measured[rows, chosen] + test.evaluation_seconds(used_features(model))
    unseen = rows % 2 == 1
    rough = np.isin(chosen, [offer.variants.index(one) for one in offer.approximate])
    return Judged(
        name,
        len(test),
        float(np.exp(np.log(exact / paid).mean())),
        float(np.exp(np.log(exact / test.costs.min(axis=1)).mean())),
        float((errors <= offer.bound).mean()),
        float((errors[unseen] <= offer.bound).mean()),
        float(rough.mean()),
        found.proven,
        float(errors.max()),
    )


def _exact(data: TrainingSet, offer: Offer) -> TrainingSet:
    costs = data.costs.copy()
    costs[:, [offer.variants.index(one) for one in offer.approximate]] = np.inf
    return replace(data, costs=costs)


def measure(program: Path, names: Sequence[str], folder: Path, train: int, test: int) -> None:
    """Writes the training logs that the folder lacks; the others must have as many inputs."""
    for name in names:
        for what, seed, calls in (("train", 1, train), ("test", 2, test)):
            log = folder / f"{name}.{what}"
            if log.exists():
                if (found := len(read(log)[1])) != calls:
                    raise SystemExit(f"{log}: {found} inputs, not {calls}: name another folder")
                continue
            started = time.monotonic()
            unfinished = folder / f"{name}.{what}.unfinished"
            unfinished.unlink(missing_ok=True)
            environment = {
                **os.environ,
                "FETTLE_TRAINING_LOG": str(unfinished),
                "FETTLE_TRAINING": f"function={name} input={what} {MEASURING}",
            }
            command = [str(program), name, str(seed), str(calls)]
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
            unfinished.rename(log)
            print(f"{log.name}: {calls} inputs, {time.monotonic() - started:.0f} s", flush=True)


def report(folder: Path, names: Sequence[str]) -> None:
    """Judges the logs of these computations, prints a table and records it."""
    for log in (folder / f"{name}.{what}" for name in names for what in ("train", "test")):
        if not log.exists():
            raise SystemExit(f"{log}: no such training log: give --program to measure it")
    found = [judge(folder, name) for name in sorted(names)]
    print("computation    speedup   could be   bound kept   unseen half   approximate   proven")
    for one in found:
        print(
            f"{one.name:13} {one.speedup:8.2f} {one.best:10.2f} {one.kept:12.4f} "
            f"{one.kept_unseen:13.4f} {one.approximate:13.3f} {one.proven:8.4f}"
        )
    mean = float(np.exp(np.mean([np.log(one.speedup) for one in found])))
    print(f"geometric mean {mean:.2f}")
    append_rows([*(vars(one) for one in found), {"name": "geometric mean", "speedup": mean}])


def main() -> None:
    """Measures and reports, or reports what was measured elsewhere."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--program", type=Path, help="what is measured")
    parser.add_argument("--logs", type=Path, help="the folder of the logs; none is kept without")
    parser.add_argument(
        "--computations",
        choices=COMPUTATIONS,
        help="unless given, those for processors of a program, all of a folder",
    )
    parser.add_argument("--train", type=int, default=300, help="inputs that are learned from")
    parser.add_argument("--test", type=int, default=1000, help="inputs that are held out")
    options = parser.parse_args()
    if options.program is None and options.logs is None:
        parser.error("name a program to measure (--program), a folder of logs (--logs), or both")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.logs or Path(temporary)
        names = COMPUTATIONS.get(options.computations, ())
        if options.program is not None:
            folder.mkdir(parents=True, exist_ok=True)
            names = names or COMPUTATIONS["processor"]
            measure(options.program.resolve(), names, folder, options.train, options.test)
        names = names or tuple(path.stem for path in folder.glob("*.train"))
        if not names:
            parser.error(f"{folder}: no training logs (NAME.train and NAME.test)")
        report(folder, names)


if __name__ == "__main__":
    main()
