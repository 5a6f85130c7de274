"""Device features of the user's, and the options of the paper's listings 3.1 and 3.2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from stand_in import StandIn
from stored_machines import SPEEDS, fill, tune

from fettle import Autotuner, CodeVariant, SearchLimits, TreeClassifier
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.store.sqlite import SqliteStore
from fettle.transfer.methods import asked_for, methods_for
from fettle.transfer.this_machine import known_machines


@pytest.fixture
def quick_features(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measuring a machine takes seconds."""
    found = {"processor": {"cores": 2.0}}
    monkeypatch.setattr("fettle.transfer.this_machine.machine_name", lambda: "processor")
    monkeypatch.setattr("fettle.transfer.this_machine.device_features", lambda: found)


def recorded(database: Path) -> dict[str, dict[str, float]]:
    with SqliteStore(database) as store:
        return known_machines(store)


def test_record_keeps_measurements_and_features_by_the_device_id(
    here: Path, quick_features: None
) -> None:
    """Listing 3.1 but for its import."""
    for size in range(4):
        call = {"features": {"n": size}, "variants": {"a": 1e-3 * (size + 1), "b": 2.5e-3}}
        (here / f"in{size}").write_text(json.dumps({"calls": [call]}))
    StandIn(here)
    histogram = CodeVariant("f", 2, classifier=TreeClassifier())
    histogram.record = True
    histogram.device_id = "gtx_480"
    tuner = Autotuner("app", display=Silence(), report_directory=None, comparing=None)
    tuner.set_training_args([f"in{size}" for size in range(4)])
    tuner.set_device_features({"atomic_ns": lambda: 4.5, "slots": 3})
    tuner.tune([histogram])
    features = recorded(here / "fettle.sqlite")
    assert features == {"gtx_480": {"cores": 2.0, "atomic_ns": 4.5, "slots": 3.0}}
    with SqliteStore(here / "fettle.sqlite") as store:
        assert {subject.machine for subject in store.subjects()} == {"gtx_480"}


def test_features_of_a_machines_file_and_of_the_script_are_added(here: Path) -> None:
    fill(here / "fettle.sqlite", "ABDE", ())  # the database knows nothing of the machines
    with pytest.raises(FettleError, match="the database has no device features of 'here'"):
        tune("here")
    lines = [f"{name},{SPEEDS[name]}" for name in "ABDE"]
    (here / "machines.csv").write_text("\n".join(["machine,velocity", *lines, "here,1"]) + "\n")
    tuner = Autotuner("app", machine="here", display=Silence())
    tuner.set_machines("machines.csv")
    tuner.set_device_features({"velocity": lambda: SPEEDS["here"]})  # the script's counts
    [found] = tuner.tune_from_source([CodeVariant("f", classifier=TreeClassifier())])
    assert found.sources == ("A", "B", "D", "E")
    assert found.expected is not None
    assert found.expected > 0.9


def test_selection_of_device_features_is_asked_for_by_the_function(here: Path) -> None:
    """Listing 3.2."""
    fill(here / "fettle.sqlite")
    histogram = CodeVariant("f", 3, classifier=TreeClassifier())
    assert asked_for(histogram, "auto") == "auto"
    histogram.profiling_based_dfs = True
    assert asked_for(histogram, "auto") == "p-dfs"
    histogram.search_based_dfs = True
    histogram.search_limits = SearchLimits(rows=40, subset_size=1, sources=2)
    assert asked_for(histogram, "auto") == "cv-dfs"
    assert asked_for(histogram, "blend") == "blend"
    assert "cv-dfs" in methods_for(histogram)
    tuner = Autotuner("app", machine="here", display=Silence())
    [found] = tuner.tune_from_source([histogram])
    assert found.method == "cv-dfs"


def test_a_feature_without_a_value_is_named(here: Path) -> None:
    fill(here / "fettle.sqlite")
    tuner = Autotuner("app", machine="here", display=Silence())

    def broken() -> float:
        raise OSError("no such device")

    tuner.set_device_features({"link_gb_s": broken})
    with pytest.raises(FettleError, match="'link_gb_s' has no value: OSError: no such device"):
        tuner.tune_from_source([CodeVariant("f")])
    tuner.set_device_features({"link_gb_s": lambda: float("nan")})
    with pytest.raises(FettleError, match="'link_gb_s' is nan; where it is not known, leave it"):
        tuner.tune_from_source([CodeVariant("f")])
    with pytest.raises(FettleError, match="must be a number or a function, not 'fast'"):
        tuner.set_device_features({"link_gb_s": "fast"})  # type: ignore[dict-item]
    with pytest.raises(FettleError, match="'link_gb_s' is -4; a device feature is a positive"):
        tuner.set_device_features({"link_gb_s": -4})
    tuner.set_device_features({"link_gb_s": lambda: -4.5})
    with pytest.raises(FettleError, match=r"'link_gb_s' is -4\.5; a device feature is a positive"):
        tuner.tune_from_source([CodeVariant("f")])
    with pytest.raises(FettleError, match="SearchLimits: rows must be at least 1, not 0"):
        SearchLimits(rows=0)
    with pytest.raises(FettleError, match="device_id must be a name for this machine"):
        CodeVariant("f", device_id="")
