"""The dissertation's listings 3.1 and 3.2 with the import changed, on four machines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from stand_in import StandIn

from fettle.model.deployed import load
from fettle.store.sqlite import SqliteStore
from fettle.transfer.this_machine import known_machines

SOURCE = """
from fettle import *
import glob
histogram = code_variant("histogram", 6)
# Record training data in store
histogram.record = True
histogram.device_id = "@DEVICE@"
# Create autotuner instance
tuner = autotuner("histogram")
inputs = glob.glob("training/*.jpg")
tuner.set_training_args(inputs)
# Tune for current architecture
tuner.tune([histogram])
"""

TARGET = """
from fettle import *
histogram = code_variant("histogram", 6)
histogram.profiling_based_dfs = True
histogram.search_based_dfs = True
# Create autotuner instance
tuner = autotuner("histogram")
# Build model from source data
tuner.tune_from_source([histogram])
"""

VARIANTS = ["sort_es", "sort_dynamic", "ga_es", "ga_dynamic", "sa_es", "sa_dynamic"]
ATOMICS = {"gtx_480": 1.0, "gtx_770": 3.0, "k20c": 4.0, "here": 2.0}


def build(folder: Path, machine: str) -> None:
    """Atomics are best up to a size that falls with what they cost on the machine."""
    (folder / "training").mkdir(exist_ok=True)
    for i in range(12):
        times = {name: 3.0 + k / 10 for k, name in enumerate(VARIANTS)}
        times |= {"sort_es": 1.0, "sa_es": 0.5 + (i * ATOMICS[machine]) / 20}
        call = {"features": {"size": float(i)}, "variants": times}
        (folder / "training" / f"{i}.jpg").write_text(json.dumps({"calls": [call]}))
    StandIn(folder, name="histogram", function="histogram", variants=VARIANTS, features=["size"])


def run(script: str, machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the script runs on that machine."""
    found = {machine: {"shared_atomic_ns": ATOMICS[machine], "copy_gb_s": 100.0}}
    for module in ("training.subject", "transfer.target_machine", "transfer.this_machine"):
        monkeypatch.setattr(f"fettle.{module}.machine_name", lambda: machine)
    monkeypatch.setattr("fettle.transfer.this_machine.device_features", lambda: found)
    exec(script, {"__name__": "script"})


def test_the_listings_run_as_printed(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for machine in ("gtx_480", "gtx_770", "k20c"):
        build(here, machine)
        run(SOURCE.replace("@DEVICE@", machine), machine, monkeypatch)
    with SqliteStore(here / "fettle.sqlite") as store:
        assert known_machines(store).keys() == {"gtx_480", "gtx_770", "k20c"}
    capsys.readouterr()
    run(TARGET, "here", monkeypatch)
    report = capsys.readouterr().err
    assert "histogram on here, from gtx_480, gtx_770, k20c:" in report
    assert "(cv-dfs;" in report
    assert "device features shared_atomic_ns" in report
    model = load(here / "fettle_models" / "histogram")
    assert model.provenance["transferred_to"] == "here"
    assert model.choose(size=1.0).variant == "sa_es"
    assert model.choose(size=10.0).variant == "sort_es"
