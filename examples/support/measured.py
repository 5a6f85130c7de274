"""What measure.py has written, as what is learned from and judged by."""

from __future__ import annotations

import json
import lzma
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fettle import AutoClassifier
from fettle.data.training_set import TrainingSet
from fettle.training.trainer import Trainer

Row = Mapping[str, Any]

FAILURE_REGRET = 2.0  # of a solver that comes to no result, as solvers/tune.py has it


def trainer_for(calls: int) -> Trainer:
    """Learns as the tuning scripts do, for so many calls that share a selection."""
    return Trainer(AutoClassifier(calls=calls, failure_regret=FAILURE_REGRET))


def read_rows(file: Path, which: str) -> list[Row]:
    """The rows of "training" or "test", of a plain or an xz-compressed file."""
    packed = file.read_bytes()
    text = (lzma.decompress(packed) if file.suffix == ".xz" else packed).decode()
    rows = [json.loads(line) for line in text.splitlines()]
    found = [row for row in rows if row["set"] == which]
    if not found:
        raise SystemExit(f"{file} has no {which} inputs")
    return found


def seconds_of(row: Row) -> dict[str, float]:
    """Of each variant; infinite where it is excluded, has failed, gave up, or has no result."""
    return {name: seconds_in(said) for name, said in row["seconds"].items()}


def seconds_in(said: Any) -> float:
    """What the program says of a variant's seconds, as a number."""
    return math.inf if said in ("excluded", "failed", "late") else float(said)


def failures(rows: Sequence[Row]) -> Counter[str]:
    """On how many inputs each variant crashed or was wrong."""
    return Counter(
        name for row in rows for name, seconds in row["seconds"].items() if seconds == "failed"
    )


def sets_of(row: Row) -> tuple[frozenset[str], ...]:
    """The sets of features that are found together."""
    return tuple(frozenset(names.split()) for names in row.get("shared_features", ()))


def selection_seconds(row: Row, features: Collection[str]) -> float:
    """What evaluating these features took: several that are found together cost what one does."""
    seconds = {feature: float(row["feature_seconds"][feature]) for feature in features}
    shared = [max(seconds.pop(f) for f in set(seconds) & s) for s in sets_of(row) if s & {*seconds}]
    return sum(seconds.values()) + sum(shared)


def training_set(function: str, rows: Sequence[Row]) -> TrainingSet:
    """The inputs on which some variant has a result; the first variant is the default.

    A variant that has failed somewhere has a result nowhere, so that it is never chosen."""
    costs = np.array([list(seconds_of(row).values()) for row in rows])
    failed = failures(rows)
    costs[:, [name in failed for name in rows[0]["seconds"]]] = math.inf
    usable = np.isfinite(costs).any(axis=1)
    kept = [row for row, use in zip(rows, usable, strict=True) if use]
    features = tuple(rows[0]["features"])
    variants = tuple(rows[0]["seconds"])
    times = np.array([[row["feature_seconds"][f] for f in features] for row in kept])
    lost = np.array([[row.get("lost_seconds", {}).get(v, 0.0) for v in variants] for row in kept])
    return TrainingSet(
        function=function,
        features=features,
        variants=variants,
        inputs=tuple(row["input"] for row in kept),
        values=np.array([[float(row["features"][f]) for f in features] for row in kept]),
        costs=costs[usable],
        feature_seconds=np.median(times, axis=0),
        feature_times=times,
        default=variants[0],
        lost_seconds=lost if lost.any() else None,
        shared_features=sets_of(rows[0]),
    )
