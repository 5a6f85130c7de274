"""Learns from what measure.py has written where the device is: a model without a build.

python learn.py sort sort.jsonl            writes ./gpu/fettle_models/sort
python ../sort/judge.py --gpu --measured sort.jsonl
"""

from __future__ import annotations

import argparse
from pathlib import Path

from measured import failures, read_rows, trainer_for, training_set

from fettle.model.model_directory import write_model
from fettle.training.feature_selection import select_features


def main() -> None:
    """learn.py NAME FILE [--folder gpu]"""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", help="of the function, as its policy has it")
    parser.add_argument("file", type=Path, help="what measure.py has written")
    parser.add_argument(
        "--select-features",
        action="store_true",
        help="leave out what costs more than it tells, with a selection for --calls calls",
    )
    parser.add_argument(
        "--calls", type=int, default=100, metavar="N", help="that share a selection (default 100)"
    )
    parser.add_argument("--folder", type=Path, default=Path("gpu"), help="of the tuned program")
    options = parser.parse_args()
    rows = read_rows(options.file, "training")
    data = training_set(options.name, rows)
    trainer = trainer_for(options.calls)
    features = None
    if options.select_features:
        curve = select_features(trainer, data)
        features = curve.kept if curve else None
    learned = trainer.learn(data, features)
    for variant, count in failures(rows).items():
        print(f"{variant} failed on {count} of {len(rows)} inputs and is never chosen")
    model_directory = options.folder / "fettle_models" / options.name
    model_directory.parent.mkdir(parents=True, exist_ok=True)
    write_model(model_directory, learned.model)
    said = f", share of best {learned.score.mean:.3f}" if learned.score else ""
    names = ", ".join(features or data.features)
    print(f"{len(data)} inputs, features {names}{said}: {model_directory}")


if __name__ == "__main__":
    main()
