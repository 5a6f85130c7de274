"""What a store or its machines may lack: each named, with what to do, and nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from stored_machines import SPEEDS, fill, measure, tune

from fettle import Autotuner, CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.store.sqlite import SqliteStore
from fettle.transfer.this_machine import NOTE


@pytest.fixture
def database(here: Path) -> Path:
    path = here / "fettle.sqlite"
    fill(path)
    return path


def contents(database: Path) -> tuple[int, str | None]:
    with SqliteStore(database) as store:
        return sum(len(store.inputs(one)) for one in store.subjects()), store.note(NOTE)


def know(database: Path, **features: dict[str, float]) -> None:
    with SqliteStore(database) as store:
        kept = {name: {"features": its} for name, its in features.items()}
        store.set_note(NOTE, json.dumps(kept))


def refused(database: Path, message: str, **options: object) -> None:
    """Tuning ends in this message, the store is as it was, and no model is written."""
    before = contents(database)
    with pytest.raises(FettleError, match=message):
        tune("here", **options)
    assert contents(database) == before
    assert not (database.parent / "fettle_models").exists()


def test_a_store_without_the_function(database: Path) -> None:
    tuner = Autotuner("app", machine="here", display=Silence())
    with pytest.raises(FettleError, match=r"g: the database has no measurements of it on another"):
        tuner.tune_from_source([CodeVariant("g")])


def test_a_store_of_other_variants(here: Path) -> None:
    path = here / "fettle.sqlite"
    fill(path, "", ("A", "here"))
    with SqliteStore(path) as store, store.together():
        measure(store, "A", ("low", "other"))
    tuner = Autotuner("app", machine="here", display=Silence())
    with pytest.raises(FettleError, match=r"(?s)used; tune there .*A measured other variant"):
        tuner.tune_from_source([CodeVariant("f", ("low", "high"))])


def test_a_store_of_one_machine_alone(here: Path) -> None:
    path = here / "fettle.sqlite"
    fill(path, "", ("here",))
    with SqliteStore(path) as store, store.together():
        measure(store, "here")
    refused(path, "no measurements of it on another machine .*tune there with the same database")


def test_device_features_that_are_missing(database: Path) -> None:
    know(database, here={"speed": 4.0})
    refused(database, r"A has no device features \(run `fettle machine` there with this database\)")
    know(database, A={"speed": 1.0}, here={"other": 1.0})
    refused(
        database,
        r"A has no device feature in common with here, but speed .*`fettle machine --fresh`",
    )
    know(database, A={"speed": 1.0})
    refused(database, "no device features of 'here'; it has those of A")


def test_device_features_that_are_zero(database: Path) -> None:
    speeds = {name: {"speed": value, "cores": 0.0} for name, value in SPEEDS.items()}
    know(database, **speeds)
    found = tune("here")
    assert found.expected is not None
    assert found.left_out == ()


def test_a_device_feature_in_another_unit(database: Path) -> None:
    speeds = {name: {"speed": value, "cores": 8.0} for name, value in SPEEDS.items()}
    know(database, **{**speeds, "here": {"speed": 4.0, "cores": 8e9}})
    found = tune("here")
    assert found.unlike == ""
    [why] = found.left_out
    assert why.startswith(
        "cores = 8e+09 (the sources have 8 to 8) of here, perhaps in another unit"
    )
    assert "`fettle machine --fresh`" in str(found)
    know(database, **{**speeds, "here": {"speed": 4e9, "cores": 8e9}})  # that is another machine
    assert "far outside the range" in tune("here").unlike


def test_a_machines_file_with_a_column_that_is_unknown(database: Path) -> None:
    lines = [f"{name},{speed},7" for name, speed in SPEEDS.items() if name != "A"]
    path = database.parent / "machines.csv"
    path.write_text("\n".join(["machine,speed,unheard_of", *lines]) + "\n")
    tuner = Autotuner("app", machine="here", display=Silence())
    tuner.set_machines(path)
    [found] = tuner.tune_from_source([CodeVariant("f", 3)])
    assert found.expected is not None  # what A lacks is not compared by
    path.write_text("machine,speed\nA,fast\n")
    with pytest.raises(FettleError, match="has no column of numbers"):
        tuner.tune_from_source([CodeVariant("f", 3)])
