"""What is deployed at the end of tuning, where no comparison decides it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from quick_classifier import QuickClassifier
from stand_in_measurer import Said, measurer_in

from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import Evaluation, FailedVariant
from fettle.model.choices import always_default, is_always_default
from fettle.model.model import Model
from fettle.model.model_directory import read_model, write_model
from fettle.model.trees import one_leaf
from fettle.store.subject import Offer
from fettle.training.deploy import Deployer
from fettle.training.examples import Table
from fettle.training.failed import FailedVariants
from fettle.training.settings import Settings
from fettle.training.train import Trained
from fettle.training.trainer import Judged, Trainer

ALWAYS_B = Model("f", ("a", "b"), ("n",), (), one_leaf([1.0, 0.0]), "a", None, {})
DATA = TrainingSet(
    "f", ("n",), ("a", "b"), ("x", "y"), np.array([[1.0], [2.0]]), np.ones((2, 2)), np.zeros(1), "a"
)
WRONG_B = FailedVariants((FailedVariant("b", 1, 2, "x", "wrong result"),))
WRONG_A = FailedVariants((FailedVariant("a", 1, 2, "x", "wrong result"),))


def deployer(folder: Path, *, narrowed: bool = False, incomparable: str = "", **how: Any) -> Any:
    measurer = measurer_in(folder, display=Said())
    measurer.take_offer(Offer(("a", "b"), ("n",), "a", "s", False, {}))
    settings = Settings(program="app", working_directory=folder, **how)
    trainer = Trainer(QuickClassifier())
    return Deployer(settings, measurer, trainer, folder / "f", None, narrowed, incomparable)


def trained(model: Model = ALWAYS_B) -> Trained:
    chosen = np.array([1, 1])
    return Trained(
        model, Evaluation("held-out", DATA, chosen), Judged(DATA, chosen, np.zeros(2)), None
    )


@pytest.mark.parametrize(
    ("how", "failed", "reason"),
    [
        ({"measure": False}, FailedVariants(), "the program was not to be started"),
        ({"incomparable": "by joules"}, FailedVariants(), "by joules"),
        ({"comparing": None}, FailedVariants(), "the tuner was set up without a comparison"),
        ({}, WRONG_A, "the default variant failed in training"),
    ],
)
def test_a_new_model_is_deployed_where_nothing_can_be_compared(
    tmp_path: Path, how: dict[str, Any], failed: FailedVariants, reason: str
) -> None:
    given = trained()
    settled, delivered = deployer(tmp_path, **how).settle(given, Table(DATA, (), failed), None)
    assert settled is given
    assert (delivered.deployed, delivered.reason) == ("new", reason)


def test_workers_elsewhere_do_not_tell_what_a_gain_is_here(tmp_path: Path) -> None:
    class Elsewhere:
        are_elsewhere = True

    made = deployer(tmp_path)
    made.measurer.workers = Elsewhere()
    _, delivered = made.settle(trained(), Table(DATA, ()), None)
    assert delivered.reason.startswith("this machine is not the one that was tuned for")


@pytest.mark.parametrize("narrowed", [False, True])
def test_where_the_default_is_deployed_it_is_judged(tmp_path: Path, narrowed: bool) -> None:
    given = trained(always_default(ALWAYS_B))
    settled, delivered = deployer(tmp_path, narrowed=narrowed).settle(given, Table(DATA, ()), None)
    assert delivered.deployed == "default"
    assert is_always_default(settled.model)
    assert settled.model.variants == (("a",) if narrowed else ("a", "b"))
    assert settled.judged.chosen.tolist() == [0, 0]
    assert settled.evaluation.chosen.tolist() == [0, 0]


def test_a_deployed_model_that_may_choose_what_failed_is_withdrawn(tmp_path: Path) -> None:
    write_model(tmp_path / "f", ALWAYS_B)
    made = deployer(tmp_path)
    made.withdraw(ALWAYS_B, Table(DATA, ()))
    assert read_model(tmp_path / "f") == replace(ALWAYS_B)
    made.withdraw(ALWAYS_B, Table(DATA, (), WRONG_B))
    assert is_always_default(read_model(tmp_path / "f"))
    [warning] = made.measurer.warnings
    assert "is replaced, because it may choose b, which failed in training" in warning


def test_where_nothing_is_deployed_nothing_is_withdrawn(tmp_path: Path) -> None:
    deployer(tmp_path).withdraw(ALWAYS_B, Table(DATA, (), WRONG_B))
    assert not (tmp_path / "f").exists()


def test_a_model_of_other_features_is_not_kept(tmp_path: Path) -> None:
    write_model(tmp_path / "f", replace(ALWAYS_B, features=("m",)))
    made = deployer(tmp_path)
    # Two models that choose alike are the same; one of other features cannot be compared.
    _, delivered = made.settle(trained(always_default(ALWAYS_B)), Table(DATA, ()), None)
    assert delivered.deployed == "default"
    made.withdraw(ALWAYS_B, Table(DATA, (), WRONG_B))
    assert made.measurer.warnings == []
