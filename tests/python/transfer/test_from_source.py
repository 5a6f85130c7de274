"""tune_from_source: a model from what a store holds of other machines, without the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fettle import Autotuner, CodeVariant
from fettle.classifiers import TreeClassifier
from fettle.core.errors import FettleError
from fettle.model.deployed import load
from fettle.store.base import InputKey, Offer, Subject
from fettle.store.sqlite import SqliteStore
from fettle.transfer.from_source import FromSource
from fettle.transfer.this_machine import NOTE

SPEEDS = {"A": 1.0, "B": 2.0, "D": 8.0, "E": 16.0, "here": 4.0, "strange": 1e9}
VARIANTS = ("low", "high", "broken")


def measure(store: SqliteStore, machine: str, variants: tuple[str, ...] = VARIANTS) -> None:
    """`low` is best below a size that grows with the machine's speed; `broken` fails at times."""
    subject = Subject("/p/app", "f", machine, "metric=returned")
    store.set_offer(subject, Offer(variants, ("size",), "low", "s", False, {}))
    for i in range(40):
        given = InputKey(f"i{i}", str(i))
        size = 10 ** (i / 10)
        ratio = size / (40 * SPEEDS[machine] ** 0.3)
        store.add_call(subject, given, 0, {"size": size}, {"size": 1e-6})
        for variant, cost in (("low", 1 + ratio), ("high", 1 + 1 / ratio)):
            if variant in variants:
                store.add_samples(subject, given, 0, variant, [cost])
                store.add_verdict(subject, given, 0, variant, "measured")
        for variant in set(variants) - {"low", "high"}:
            store.add_samples(subject, given, 0, variant, [0.1])
            verdict = ("failed", "crashed") if i == 7 else ("measured", "")
            store.add_verdict(subject, given, 0, variant, *verdict)
        store.finish(subject, given, 1)


@pytest.fixture
def database(here: Path) -> Path:
    path = here / "fettle.sqlite"
    with SqliteStore(path) as store:
        with store.together():
            for machine in "ABDE":
                measure(store, machine)
        known = {name: {"features": {"speed": speed}} for name, speed in SPEEDS.items()}
        store.set_note(NOTE, json.dumps(known))
    return path


def tune(machine: str, **options: str) -> FromSource:
    function = CodeVariant("f", 3, classifier=TreeClassifier())
    tuner = Autotuner("app", machine=machine)
    [found] = tuner.tune_from_source([function], **options)
    return found


def test_a_model_for_a_machine_between_the_sources(database: Path) -> None:
    found = tune("here")
    assert found.sources == ("A", "B", "D", "E")
    assert found.expected is not None
    assert found.expected > 0.9
    assert "expected share of best" in str(found)
    model = load(found.directory)
    assert model.default == "low"
    assert model.choose(size=2.0).variant == "low"
    assert model.choose(size=4000.0).variant == "high"
    assert model.provenance["transferred_from"] == "A, B, D, E"
    sizes = [[10 ** (i / 10)] for i in range(40)]
    assert "broken" not in model.choose_many(sizes)  # it failed on one input of each source


def test_a_machine_too_unlike_gets_the_default(database: Path) -> None:
    found = tune("strange")
    assert "far outside the range" in found.unlike
    assert "the default variant runs" in str(found)
    assert load(found.directory).choose(size=4000.0).variant == "low"


def test_what_cannot_be_used_is_named(database: Path) -> None:
    with SqliteStore(database) as store, store.together():
        measure(store, "here")
        measure(store, "strange", ("low", "other"))
    found = tune("here")
    assert found.sources == ("A", "B", "D", "E")
    assert [one.split()[0] for one in found.left_out] == ["strange"]
    assert "measured other variants or features: low, other by size" in found.left_out[0]
    with SqliteStore(database) as store:
        store.set_note(NOTE, json.dumps({"here": {"features": {"speed": 4.0}}}))
    with pytest.raises(FettleError, match="A has no device features"):
        tune("here")
    with pytest.raises(FettleError, match="the database has no device features of 'nowhere'"):
        tune("nowhere")
    with pytest.raises(FettleError, match="no method 'guess'; it has auto"):
        tune("here", method="guess")


def test_one_source_and_none(here: Path) -> None:
    path = here / "fettle.sqlite"
    with SqliteStore(path) as store:
        known = {name: {"features": {"speed": SPEEDS[name]}} for name in ("A", "here")}
        store.set_note(NOTE, json.dumps(known))
    with pytest.raises(FettleError, match="no measurements of it on another machine"):
        tune("here")
    with SqliteStore(path) as store, store.together():
        measure(store, "A")
    found = tune("here")
    assert found.expected is None
    assert "what to expect here cannot be judged" in str(found)
    assert load(found.directory).choose(size=4000.0).variant == "high"
