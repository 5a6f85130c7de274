"""`fettle export`: measurements of a tuner as a table that `fettle train` reads."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn

from fettle import Autotuner, CodeVariant
from fettle.cli import main
from fettle.core.progress import Silence
from fettle.data.table import read_table
from fettle.data.table_training_set import failed_columns, training_set
from fettle.data.training_set import TrainingSet
from fettle.model.model_directory import read_model


def tune_args(folder: Path) -> list[str]:
    """Twelve input files of growing size; the first half is best done by "small"."""
    for size in range(12):
        variants = {"small": 1e-3 * (size + 1), "large": 6.5e-3}
        call = {"features": {"n": size, "m": 1}, "variants": variants}
        (folder / f"in{size:02}").write_text(json.dumps({"calls": [call]}))
    return [f"in{size:02}" for size in range(12)]


@pytest.fixture
def tuned(here: Path) -> TrainingSet:
    """Twelve inputs, one with a failed variant, one with an excluded one."""
    StandIn(here, variants=["small", "large", "odd, one"], features=["n", "m"])
    names = tune_args(here)
    odd = {"n": 0.1, "m": 1e300}
    for name, what in (("in03", "throw"), ("in05", "exclude")):
        told = json.loads((here / name).read_text())
        told["calls"][0]["variants"]["odd, one"] = what
        told["calls"].append({"features": odd, "variants": {"small": 1e-9, "large": 1 / 3}})
        (here / name).write_text(json.dumps(told))
    made = Autotuner("app", display=Silence(), report_directory=None, comparing=None)
    made.set_training_args(names)
    [result] = made.tune([CodeVariant("f", 3, classifier=QuickClassifier())])
    return result.training


def test_what_is_exported_is_what_was_trained_on(
    tuned: TrainingSet, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "fettle.sqlite", "--csv", "t.csv"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("14 rows; train on them by: fettle train --table t.csv --features n,m")
    with Path("t.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["input", "n", "m", "small", "large", "odd, one"]
    assert [row[0] for row in rows[1:]] == list(tuned.inputs)
    cells = {row[0]: row[-1] for row in rows}
    assert (cells["in03"], cells["in05"]) == ("failed", "")
    table = read_table(Path("t.csv"))
    again = training_set(
        table, "f", tuned.features, tuned.variants, failed_columns(table, tuned.variants)
    )
    assert np.array_equal(again.values, tuned.values)
    assert np.array_equal(again.costs, tuned.costs)
    assert again.failed_on == tuned.failed_on


def test_fettle_train_reads_it(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    StandIn(here, variants=["small", "large"])
    made = Autotuner("app", display=Silence(), report_directory=None, comparing=None)
    made.set_training_args(tune_args(here))
    made.tune([CodeVariant("f", 2, classifier=QuickClassifier())])
    capsys.readouterr()
    assert main(["export", "fettle.sqlite", "--csv"]) == 0
    Path("t.csv").write_text(capsys.readouterr().out)
    train = ["train", "--table", "t.csv", "--features", "n", "--metrics", "small,large"]
    assert main([*train, "--model", "m", "--name", "f", "--classifier", "tree"]) == 0
    assert read_model(here / "m").variants == ("small", "large")


def test_what_a_store_has(
    tuned: TrainingSet,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    tuner: Callable[..., Autotuner],
) -> None:
    tuner(3, machine="another one").tune([CodeVariant("f", 3, classifier=QuickClassifier())])
    capsys.readouterr()
    assert main(["export", "fettle.sqlite"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith(f"f: 3 inputs of {here / 'app'} on another one, metric=returned")
    assert main(["export", "fettle.sqlite", "--csv"]) == 2
    assert "has measurements of several; name one by --function, --machine" in (
        capsys.readouterr().err
    )
    assert main(["export", "fettle.sqlite", "--csv", "--machine", "another"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 3 + 2
    assert main(["export", "fettle.sqlite", "--function", "g"]) == 2
    assert "has no such measurements; it has those of f" in capsys.readouterr().err
    assert main(["export", "none.sqlite"]) == 2
    assert "the file none.sqlite does not exist" in capsys.readouterr().err
    assert not Path("none.sqlite").exists()


@pytest.fixture
def tuner(here: Path) -> Callable[..., Autotuner]:
    def make(count: int, **options: str) -> Autotuner:
        made = Autotuner("app", display=Silence(), report_directory=None, comparing=None, **options)
        made.set_training_args([f"in{size:02}" for size in range(3, 3 + count)])
        return made

    return make
