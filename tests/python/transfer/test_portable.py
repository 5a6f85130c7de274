"""Portable models: one model, which chooses on each machine by the machine's own features."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from stored_machines import SPEEDS, costs, fill

from fettle import Autotuner, CodeVariant
from fettle.classifiers import SvmClassifier, TreeClassifier
from fettle.classifiers.base import Classifier
from fettle.cli import main
from fettle.core.errors import FettleError
from fettle.core.native import native
from fettle.core.progress import Silence
from fettle.model.deployed import load
from fettle.model.embedded_model import embedded_model_header
from fettle.model.model_directory import read_model, write_model
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import InputKey, Offer, Subject
from fettle.transfer.outcome import FromSource
from fettle.transfer.this_machine import NOTE

GOLDEN = Path(__file__).resolve().parents[2] / "model" / "golden" / "portable" / "spmv"
SIZES = [10 ** (i / 8) for i in range(32)]


def tune(classifier: Classifier) -> FromSource:
    tuner = Autotuner("app", machine="here", display=Silence())
    function = CodeVariant("f", 3, classifier=classifier)
    [found] = tuner.tune_from_source([function], portable=True)
    return found


def share_on(speed: float, name: str, found: FromSource) -> float:
    """What the model's choices reach where the machine file says that speed."""
    native().write_machine("machine.txt", {"speed": speed}, {})
    model = load(found.directory)
    assert model.features == ("size",)
    chosen = model.choose_many([[size] for size in SIZES])
    each = [costs(name, size) for size in SIZES]
    shares = [min(one.values()) / one[its] for one, its in zip(each, chosen, strict=True)]
    return float(np.mean(shares))


@pytest.mark.parametrize("classifier", [TreeClassifier(), SvmClassifier()])
def test_one_model_chooses_on_each_machine(
    classifier: Classifier, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FETTLE_MACHINE", str(here / "machine.txt"))
    fill(here / "fettle.sqlite")
    found = tune(classifier)
    assert found.device == ("speed",)
    assert found.expected is not None
    assert found.expected > 0.85
    assert "asks a machine for speed; each source in turn left out" in str(found)
    for name in ("A", "here", "E"):  # one of them is no source
        assert share_on(SPEEDS[name], name, found) > 0.93
    assert share_on(SPEEDS["A"], "E", found) < share_on(SPEEDS["E"], "E", found)
    native().write_machine("machine.txt", {"speed": 1e6}, {})
    with pytest.raises(FettleError, match="this machine is unlike those that the model was made"):
        load(found.directory)


def test_a_feature_that_no_measurement_finds_is_named(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FETTLE_MACHINE", str(here / "machine.txt"))
    fill(here / "fettle.sqlite")
    found = tune(TreeClassifier())
    with pytest.raises(FettleError, match="has no device feature 'speed'; give it one: `fettle m"):
        load(found.directory)


def test_the_files_say_what_was_written(here: Path) -> None:
    model = read_model(GOLDEN)
    assert model.device == ("cores", "copy_gb_s")
    assert model.expectations["dia"].slopes == (0.5, -0.5, -0.1)
    write_model(here / "spmv", model)
    assert read_model(here / "spmv") == model
    lines = (here / "spmv" / "model.txt").read_text().splitlines()
    golden = (GOLDEN / "model.txt").read_text().splitlines()
    assert lines[0] == "fettle-model 3"
    kept = [line for line in golden if line.split()[0] not in ("predictor", "end")]
    assert {*kept} <= {*lines}
    with pytest.raises(FettleError, match="a portable model is specialised where it is loaded"):
        embedded_model_header(model)


def test_the_command_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = here / "tune.py"
    script.write_text(
        "from fettle import Autotuner, CodeVariant, TreeClassifier\n"
        "tuner = Autotuner('app', machine='here')\n"
        "tuner.tune([CodeVariant('f', classifier=TreeClassifier())])\n"
    )
    fill(here / "fettle.sqlite")
    assert main(["tune", "--plain", str(script), "--from-source", "--portable"]) == 0
    assert "f on any machine, from A, B, D, E:" in capsys.readouterr().err
    assert read_model(here / "fettle_models" / "f").device == ("speed",)
    assert main(["tune", "--plain", str(script), "--portable"]) == 2
    assert "--portable is for --from-source" in capsys.readouterr().err


def test_fettle_machine_writes_the_file_that_programs_read(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    features = {native().machine_description()["processor"]: {"cores": 3.0}}
    monkeypatch.setattr("fettle.transfer.this_machine.device_features", lambda: features)
    name = next(iter(features))
    monkeypatch.setattr("fettle.transfer.this_machine.machine_name", lambda: name)
    assert main(["machine", "--set", "link_gb_s=7", "--write", "m.txt"]) == 0
    lines = (here / "m.txt").read_text().splitlines()
    assert "own link_gb_s 7" in lines
    assert "feature cores 3" in lines
    monkeypatch.setenv("FETTLE_MACHINE", str(here / "deeper" / "m.txt"))
    assert main(["machine", "--write"]) == 0
    assert (here / "deeper" / "m.txt").exists()
    assert main(["machine", "--write", "/proc/none/m.txt"]) == 2


def fill_with_errors(path: Path, machines: str) -> None:
    """`rough` is ten times as fast, with an error of 1 / size."""
    with SqliteStore(path) as store, store.together():
        for machine in machines:
            subject = Subject("/p/app", "f", machine, "metric=returned")
            quality = {"approximate": ["rough"], "bound": 0.05}
            offer = Offer(("exact", "rough"), ("size",), "exact", "s", False, {}, quality=quality)
            store.set_offer(subject, offer)
            for i in range(80):
                given = InputKey(f"i{i}", str(i))
                size = 10 ** (i / 20)
                store.add_call(subject, given, 0, {"size": size}, {"size": 1e-6})
                for variant, cost in (("exact", size), ("rough", 0.1 * size)):
                    store.add_samples(subject, given, 0, variant, [cost / SPEEDS[machine]])
                    store.add_verdict(subject, given, 0, variant, "measured")
                store.add_samples(subject, given, 0, "rough", [1 / size], metric="error")
                store.finish(subject, given, 1)
        features = {name: {"features": {"speed": SPEEDS[name]}} for name in SPEEDS}
        store.set_note(NOTE, json.dumps(features))


@pytest.mark.parametrize("coverage", [0.9, 0.95])
def test_a_portable_model_admits_approximate_variants_that_test_inputs_prove(
    coverage: float, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FETTLE_MACHINE", str(here / "machine.txt"))
    fill_with_errors(here / "fettle.sqlite", "ABDE")
    tuner = Autotuner("app", machine="here", display=Silence())
    tuner.set_test_args([f"i{i}" for i in range(0, 80, 2)])
    function = CodeVariant("f", 2, classifier=TreeClassifier(), coverage=coverage)
    [found] = tuner.tune_from_source([function], portable=True)
    native().write_machine("machine.txt", {"speed": 4.0}, {})
    model = load(found.directory)
    small, large = model.choose_many([[3.0], [5000.0]])
    assert small == "exact"
    proven = coverage == 0.9  # 40 inputs prove 92.8 %
    assert large == ("rough" if proven else "exact")
    assert ("which proves at least 92.78 % of inputs" in str(found)) == proven
    assert ("19 more are needed" in str(found)) != proven
    errors = read_model(found.directory).errors
    assert errors is not None
    assert errors.bound == 0.05
    assert [one.feature for one in errors.inputs] == (["size"] if proven else [])
