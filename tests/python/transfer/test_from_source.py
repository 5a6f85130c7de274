"""tune_from_source: a model from what a store holds of other machines, without the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from stored_machines import fill, measure, tune

from fettle import Autotuner, CodeVariant
from fettle.classifiers import TreeClassifier
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.model.deployed import load
from fettle.store.sqlite import SqliteStore
from fettle.transfer.this_machine import NOTE


@pytest.fixture
def database(here: Path) -> Path:
    path = here / "fettle.sqlite"
    fill(path)
    return path


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
    assert "model_directory = " in (database.parent / "fettle_config.hpp").read_text()


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
    with pytest.raises(FettleError, match=r"a number of inputs from 0 on, not 2\.5"):
        tune("here", measure=2.5)


def test_a_script_with_another_number_of_variants_is_refused(database: Path) -> None:
    four = CodeVariant("f", 4, classifier=TreeClassifier())
    tuner = Autotuner("app", machine="here", display=Silence())
    with pytest.raises(
        FettleError, match=r"says that 'f' has 4 variants, .* measured 3: low, high"
    ):
        tuner.tune_from_source([four])
    assert not (database.parent / "fettle_config.hpp").exists()
    with pytest.raises(FettleError, match="the function 'f' is given twice"):
        tuner.tune_from_source([four, four])


def test_one_source_and_none(here: Path) -> None:
    path = here / "fettle.sqlite"
    fill(path, "", ("A", "here"))
    with pytest.raises(FettleError, match="no measurements of it on another machine"):
        tune("here")
    with SqliteStore(path) as store, store.together():
        measure(store, "A")
    found = tune("here")
    assert found.expected is None
    assert "what to expect here cannot be judged" in str(found)
    assert load(found.directory).choose(size=4000.0).variant == "high"


def test_device_features_that_say_nothing_are_named_or_left_out(database: Path) -> None:
    known = {name: {"features": {"speed": 1.0 + i}} for i, name in enumerate("ABDE")}
    with SqliteStore(database) as store:
        store.set_note(NOTE, json.dumps({**known, "here": {"features": {"velocity": 4.0}}}))
    with pytest.raises(FettleError, match="A has no device feature in common with here, but speed"):
        tune("here")
    apart = {**known, "A": {"features": {"velocity": 4.0}}, "here": {"features": {"speed": 4.0}}}
    with SqliteStore(database) as store:
        store.set_note(NOTE, json.dumps(apart))
    found = tune("here")
    assert found.sources == ("B", "D", "E")
    assert "A has no device feature in common with here, but velocity" in found.left_out[0]
    with SqliteStore(database) as store:  # a zero says that it is not known
        store.set_note(NOTE, json.dumps({**known, "here": {"features": {"speed": 0.0}}}))
    found = tune("here", method="blend")
    assert found.unlike == ""
    assert load(found.directory).choose(size=2.0).variant == "low"
    with SqliteStore(database) as store:
        store.set_note(NOTE, json.dumps({"here": {"features": {"speed": "fast"}}}))
    with pytest.raises(FettleError, match=r"cannot be read .*; measure again with `fettle machine"):
        tune("here")
