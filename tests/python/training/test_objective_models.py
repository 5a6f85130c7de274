"""The models of several objectives: trained from one set of measurements, written and removed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from quick_classifier import QuickClassifier

from fettle.classifiers import TreeClassifier
from fettle.classifiers.base import Classifier
from fettle.model.model_directory import read_model
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.code_variant import CodeVariant
from fettle.training.examples import make_table
from fettle.training.objective_models import ObjectiveModels, train_objectives, write_objectives
from fettle.training.objectives import FunctionObjectives, by_objective, objectives_of
from fettle.training.trainer import Trainer

METRICS = {"seconds": "s", "joules": "J"}
OFFER = Offer(("a", "b"), ("n",), "a", "s", False, {}, metrics=METRICS)
COUNT = 24


def calls(*, sensor: bool = True) -> list[tuple[str, list[Example]]]:
    """a is faster below the middle, b above; a draws 100 W, b 10 W: b takes less energy always."""
    found = []
    for n in range(COUNT):
        low = n < COUNT / 2
        seconds = {"a": 1.0 if low else 4.0, "b": 4.0 if low else 1.0}
        one = Example(0, {"n": float(n)}, {"n": 1e-9}, {k: [s] for k, s in seconds.items()})
        one.verdicts = dict.fromkeys("ab", ("measured", ""))
        joules = {"a": 100 * seconds["a"], "b": 10 * seconds["b"]}
        one.others = {k: {"joules": [j if sensor else float("nan")]} for k, j in joules.items()}
        found.append((f"i{n}", [one]))
    return found


def trained(
    classifier: Classifier, of: Any = None, **how: Any
) -> tuple[FunctionObjectives, ObjectiveModels]:
    """The models of a fast and an eco objective."""
    of = of or calls()
    function = CodeVariant(
        "f", metrics=METRICS, objectives={"fast": "seconds", "eco": "minimize joules"}
    )
    wanted = objectives_of(function, OFFER)
    assert wanted is not None
    own = make_table("f", OFFER, of)
    tables = [by_objective(one, wanted.metrics, own, OFFER, of) for one in wanted.objectives]
    trainer = Trainer(classifier)
    learned = trainer.learn(tables[0].table.data)
    first = learned.model, learned.fit, learned.score
    return wanted, train_objectives(trainer, wanted, tables, first, how.get("withheld", ()))


@pytest.mark.parametrize("classifier", [QuickClassifier(), TreeClassifier()])
def test_each_objective_has_its_model(classifier: Classifier) -> None:
    _, found = trained(classifier)
    fast, eco = found.models
    assert (fast.objective.name, eco.objective.name) == ("fast", "eco")
    assert fast.model is not None and eco.model is not None
    trainer = Trainer(classifier)
    values = make_table("f", OFFER, calls()).data.values
    of = {
        one.objective.name: [one.model.variants[k] for k in trainer.choose(one.model, values)]
        for one in found.models
        if one.model is not None
    }
    assert of["fast"] == ["a"] * (COUNT // 2) + ["b"] * (COUNT // 2)
    assert of["eco"] == ["b"] * COUNT
    assert eco.model.provenance["objective_name"] == "eco"
    assert eco.model.provenance["objective"] == "minimize joules"
    assert eco.score is None or eco.score.mean == 1.0


def test_a_withheld_variant_is_chosen_by_no_objective() -> None:
    _, found = trained(QuickClassifier(), withheld={"b"})
    eco = found.models[1].model
    assert eco is not None
    values = make_table("f", OFFER, calls()).data.values
    chosen = {eco.variants[k] for k in Trainer(QuickClassifier()).choose(eco, values)}
    assert chosen == {"a"}


def test_an_objective_whose_metric_is_not_known_has_no_model() -> None:
    _, found = trained(QuickClassifier(), calls(sensor=False))
    assert found.models[0].model is not None
    assert found.models[1].model is None
    assert (
        "objective eco: minimize joules: its metrics are not known on any input, so that nothing "
        "is learned and there is no model"
    ) in found.lines()


def test_what_is_written_and_what_is_removed(tmp_path: Path) -> None:
    wanted, found = trained(QuickClassifier())
    (tmp_path / "objective-gone").mkdir()
    (tmp_path / "objective-gone" / "model.txt").touch()
    (tmp_path / "model.txt").touch()
    write_objectives(tmp_path, wanted, found)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"model.txt", "objectives.json", "objective-fast", "objective-eco"}
    assert read_model(tmp_path / "objective-eco").variants == ("a", "b")
    write_objectives(tmp_path, None, None)
    assert {path.name for path in tmp_path.iterdir()} == {"model.txt"}
