"""tune_from_source with a few inputs measured here, and `fettle tune --from-source`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from stand_in import StandIn
from stored_machines import VARIANTS, costs, fill

from fettle import Autotuner, CodeVariant
from fettle.classifiers import TreeClassifier
from fettle.cli import main
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.model.deployed import load
from fettle.transfer.outcome import FromSource
from fettle.transfer.telling_inputs import telling_inputs

SIZES = [10 ** (i / 8) for i in range(32)]


@pytest.fixture
def app(here: Path) -> StandIn:
    fill(here / "fettle.sqlite")
    for i, size in enumerate(SIZES):
        variants = {**costs("here", size), "broken": "crash"}
        (here / f"in{i}").write_text(
            json.dumps({"calls": [{"features": {"size": size}, "variants": variants}]})
        )
    return StandIn(here, variants=[*VARIANTS], features=["size"])


def tune(machine: str, measure: int) -> FromSource:
    tuner = Autotuner("app", machine=machine, display=Silence())
    tuner.set_training_args([f"in{i}" for i in range(len(SIZES))])
    [found] = tuner.tune_from_source(
        [CodeVariant("f", 3, classifier=TreeClassifier())], measure=measure
    )
    return found


def share(found: FromSource) -> float:
    model = load(found.directory)
    each = [costs("here", size) for size in SIZES]
    chosen = model.choose_many([[size] for size in SIZES])
    return float(
        np.mean([min(one.values()) / one[name] for one, name in zip(each, chosen, strict=True)])
    )


def test_a_few_inputs_are_measured_and_no_others(app: StandIn) -> None:
    found = tune("here", 6)
    assert found.measured == 6
    assert len({one.split()[1] for one in app.runs()}) == 6
    assert found.before is not None
    assert "6 inputs measured here; on them" in str(found)
    assert share(found) > 0.97
    before = len(app.runs())
    again = tune("here", 6)  # what is known is not measured again
    assert len(app.runs()) == before
    assert again.measured == 6


def test_a_machine_unlike_the_sources_is_measured(app: StandIn) -> None:
    assert share(tune("strange", 0)) < 0.8
    found = tune("strange", 20)
    assert "far outside the range" in found.unlike
    assert found.method != "default"
    assert share(found) > 0.9


def test_telling_inputs_stand_for_the_others() -> None:
    values = np.array([[10.0**place] for place in (0.0, 0.01, 0.02, 4.0, 4.01, 4.02, 8.0, 8.01)])
    chosen = telling_inputs(values, 3, (), 0)
    assert sorted(chosen) in ([1, 4, 6], [1, 4, 7])
    assert {i // 3 for i in telling_inputs(values, 2, [6], 0)} == {0, 1}
    assert sorted(telling_inputs(values, 99, [2], 0)) == [0, 1, 3, 4, 5, 6, 7]
    assert telling_inputs(values, 0, (), 0) == []
    assert len(telling_inputs(np.ones((5, 1)), 3, (), 0)) == 3


def test_the_command_line(app: StandIn, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = here / "tune.py"
    script.write_text(
        "from fettle import Autotuner, CodeVariant, TreeClassifier\n"
        "tuner = Autotuner('app', machine='here')\n"
        f"tuner.set_training_args(['in%d' % i for i in range({len(SIZES)})])\n"
        "results = tuner.tune([CodeVariant('f', classifier=TreeClassifier())])\n"
        "assert results == []\n"
    )
    assert main(["tune", "--plain", "--from-source", str(script)]) == 0
    assert app.runs() == []
    assert "f on here, from A, B, D, E:" in capsys.readouterr().err
    assert main(["tune", "--plain", "--from-source", str(script), "--measure", "3"]) == 0
    assert len({one.split()[1] for one in app.runs()}) == 3
    assert "3 inputs measured here" in capsys.readouterr().err
    assert main(["tune", "--plain", str(script), "--measure", "3"]) == 2
    assert "--measure N is for --from-source" in capsys.readouterr().err


def test_what_cannot_be_measured(app: StandIn, here: Path) -> None:
    app.change(variants=["low", "high", "other"])
    with pytest.raises(FettleError, match="the program has the variants low, high, other, but the"):
        tune("here", 3)
    tuner = Autotuner("app", machine="here", display=Silence())
    with pytest.raises(FettleError, match="no training inputs of which 3 could be measured"):
        tuner.tune_from_source([CodeVariant("f")], measure=3)
    with pytest.raises(FettleError, match="from 0 on, not -1"):
        tuner.tune_from_source([CodeVariant("f")], measure=-1)
