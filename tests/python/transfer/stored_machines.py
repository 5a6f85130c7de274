"""A store with a function's measurements on machines that differ in speed, and their features."""

from __future__ import annotations

import json
from pathlib import Path

from fettle import Autotuner, CodeVariant
from fettle.classifiers import TreeClassifier
from fettle.core.progress import Silence
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import InputKey, Offer, Subject
from fettle.transfer.outcome import FromSource
from fettle.transfer.this_machine import NOTE

SPEEDS = {"A": 1.0, "B": 2.0, "D": 8.0, "E": 16.0, "here": 4.0, "strange": 1e9}
VARIANTS = ("low", "high", "broken")


def costs(machine: str, size: float) -> dict[str, float]:
    """`low` is best below a size that grows with the machine's speed."""
    ratio = size / (40 * SPEEDS[machine] ** 0.3)
    return {"low": 1 + ratio, "high": 1 + 1 / ratio}


def measure(
    store: SqliteStore,
    machine: str,
    variants: tuple[str, ...] = VARIANTS,
    *,
    filed_as: str = "",
) -> None:
    """What a tuning run leaves; variants beside `low` and `high` are best, and fail at times."""
    subject = Subject("/p/app", "f", filed_as or machine, "metric=returned")
    store.set_offer(subject, Offer(variants, ("size",), "low", "s", False, {}))
    for i in range(40):
        given = InputKey(f"i{i}", str(i))
        size = 10 ** (i / 10)
        store.add_call(subject, given, 0, {"size": size}, {"size": 1e-6})
        for variant, cost in costs(machine, size).items():
            if variant in variants:
                store.add_samples(subject, given, 0, variant, [cost])
                store.add_verdict(subject, given, 0, variant, "measured")
        for variant in set(variants) - {"low", "high"}:
            store.add_samples(subject, given, 0, variant, [0.1])
            verdict = ("failed", "crashed") if i == 7 else ("measured", "")
            store.add_verdict(subject, given, 0, variant, *verdict)
        store.finish(subject, given, 1)


def fill(path: Path, machines: str = "ABDE", known: tuple[str, ...] = tuple(SPEEDS)) -> None:
    """A database with the measurements of `machines` and the features of those `known`."""
    with SqliteStore(path) as store:
        with store.together():
            for machine in machines:
                measure(store, machine)
        features = {name: {"features": {"speed": SPEEDS[name]}} for name in known}
        store.set_note(NOTE, json.dumps(features))


def tune(machine: str, **options: object) -> FromSource:
    """A model for a machine, from the database in the current directory."""
    function = CodeVariant("f", 3, classifier=TreeClassifier())
    tuner = Autotuner("app", machine=machine, display=Silence())
    [found] = tuner.tune_from_source([function], **options)  # type: ignore[arg-type]
    return found
