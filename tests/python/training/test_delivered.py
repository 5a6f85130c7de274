"""What is to be deployed: what models may choose, and the decision where nothing is compared."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stand_in import StandIn
from stand_in_measurer import Said, call, measurer_in, tell

from fettle import Comparing
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import Delivered
from fettle.model.choices import always_default, choosable, is_always_default, is_same
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.model.trees import one_leaf
from fettle.training.delivered import NOT_COMPARED, Delivery, default_works
from fettle.training.measure import Measurer
from fettle.training.program import ProgramError
from fettle.training.trainer import Judged

ALWAYS_B = Model("f", ("a", "b"), ("n",), (), one_leaf([1.0, 0.0]), "a", 0.25, {"from": "here"})
POINTS = replace(
    ALWAYS_B, variants=("b small=1", "b small=2"), default="b small=1", predictor=one_leaf([1, 0])
)
REFINED = replace(ALWAYS_B, refinements={"b": POINTS}, parameters={"b": {"small": (1, 2)}})


def data(*costs: tuple[float, float]) -> TrainingSet:
    names = tuple(f"x{k}" for k in range(len(costs)))
    values = np.arange(float(len(costs)))[:, None]
    return TrainingSet("f", ("n",), ("a", "b"), names, values, np.array(costs), np.zeros(1), "a")


def test_what_a_model_may_choose() -> None:
    assert choosable(ALWAYS_B) == {"a", "b"}, "the default runs outside of the region"
    assert choosable(REFINED) == {"a", "b small=1", "b small=2"}
    assert choosable(always_default(REFINED)) == {"a"}
    assert is_always_default(always_default(REFINED))
    assert not is_always_default(ALWAYS_B)
    assert always_default(ALWAYS_B).provenance == {"from": "here"}


def test_models_are_the_same_whatever_they_come_from() -> None:
    assert is_same(ALWAYS_B, replace(ALWAYS_B, provenance={}))
    assert is_same(REFINED, replace(REFINED, refinements={"b": replace(POINTS, provenance={})}))
    assert not is_same(ALWAYS_B, always_default(ALWAYS_B))
    assert not is_same(REFINED, ALWAYS_B)
    other = replace(POINTS, predictor=one_leaf([0, 1]))
    assert not is_same(REFINED, replace(REFINED, refinements={"b": other}))


def test_the_default_works_where_it_has_a_cost_on_all_inputs() -> None:
    assert default_works(data((1, 2), (1, 2)))
    assert not default_works(data((1, 2), (math.inf, 2)))
    assert not default_works(replace(data((1, 2)), default=None))


class Case:
    """A delivery of ALWAYS_B on the inputs x0, x1, ... of a stand-in, in which b takes 1 ms."""

    def __init__(self, folder: Path, *calls: dict[str, Any], **options: Any) -> None:
        StandIn(folder)
        self.measurer: Measurer = measurer_in(folder, display=Said())
        inputs = [tell(folder, f"x{k}", its) for k, its in enumerate(calls)]
        for given in inputs:
            self.measurer.measure(given)
        known = {given.name: given for given in inputs}
        comparing = options.pop("comparing", Comparing())
        self.delivery = Delivery(self.measurer, comparing, known, **options)
        self.data = data(*[(4e-3, 1e-3)] * len(calls))
        self.judged = Judged(self.data, np.ones(len(calls), dtype=np.intp), np.zeros(len(calls)))

    def decide(self, model: Model = ALWAYS_B, former: Any = None) -> Delivered:
        return self.delivery.decide(model, self.judged, self.data, former)


def test_a_gain_deploys_the_new_model(tmp_path: Path) -> None:
    case = Case(tmp_path, call(a=4e-3, b=1e-3), call(a=1e-3, b=1e-3))
    found = case.decide()
    assert (found.deployed, found.inputs) == ("new", ("x0", "x1"))
    assert found.gain is not None
    assert found.gain.mean == pytest.approx(2.0)
    assert found.program_starts == 2


def test_a_gain_below_its_worth_deploys_the_default(tmp_path: Path) -> None:
    case = Case(tmp_path, call(a=4e-3, b=1e-3), comparing=Comparing(worth=5.0))
    found = case.decide()
    assert (found.deployed, found.is_unclear) == ("default", False)


def test_where_nothing_can_be_compared(tmp_path: Path) -> None:
    case = Case(tmp_path, call(a=4e-3, b=1e-3), deadline=-1.0)
    assert case.decide() == Delivered("new", reason=NOT_COMPARED)
    alone = case.delivery.decide(ALWAYS_B, None, case.data, None)
    assert alone == Delivered("new", reason="there are too few inputs to hold any out")
    default = always_default(ALWAYS_B)
    assert case.decide(default).reason == "the model chooses the default variant always"
    assert case.decide(default, (default, tmp_path)).deployed == "default", "it is there already"


def test_at_most_so_many_inputs_are_compared(tmp_path: Path) -> None:
    case = Case(tmp_path, *[call(a=4e-3, b=1e-3)] * 4, comparing=Comparing(inputs=2))
    assert case.decide().inputs == ("x0", "x3")


def test_a_choice_that_fails_is_named(tmp_path: Path) -> None:
    fails = {**call(a=4e-3, b=1e-3), "compare": {"candidate": "throw"}}
    with pytest.raises(ProgramError, match=r"what it chooses for x0, b, failed there: exception"):
        Case(tmp_path, fails).decide()


def test_an_untuned_program_that_fails_is_not_compared(tmp_path: Path) -> None:
    fails = {**call(a=4e-3, b=1e-3), "compare": {"default": "throw"}}
    case = Case(tmp_path, fails, call(a=4e-3, b=1e-3))
    assert case.decide().inputs == ("x1",)
    assert case.measurer.warnings == ["not compared: x0: default: exception: bad luck"]


def test_models_that_saw_an_input_are_compared_with_each_other(tmp_path: Path) -> None:
    case = Case(tmp_path, *[call(a=4e-3, b=1e-3)] * 4)
    former = always_default(ALWAYS_B)
    write_model(tmp_path / "former", former)
    folds = ((np.array([0, 1, 2]), ALWAYS_B), (np.array([3]), former))
    case.judged = replace(case.judged, folds=folds)

    def found(*seen: str) -> Delivered:
        case.delivery = replace(case.delivery, seen=frozenset(seen), _ratios={}, _starts=0)
        return case.decide(former=(former, tmp_path / "former"))

    unseen = found()
    assert unseen.over_former is not None
    assert unseen.over_former.least == pytest.approx(1.0), "without x3 both choose a there"
    seen = found("x2", "x3")
    assert seen.over_former is not None
    assert seen.gain is not None
    assert seen.over_former.least == pytest.approx(4.0), "both are trained with x3"
    assert seen.gain.least == pytest.approx(1.0), "the gain is of models trained without it"
    assert (unseen.program_starts, seen.program_starts) == (4, 6)
    assert seen.deployed == "new"


def test_inputs_that_were_not_measured_are_compared_instead(tmp_path: Path) -> None:
    case = Case(tmp_path, *[call(a=4e-3, b=1e-3)] * 9)
    first = case.data.rows([0, 1, 2])
    folds = ((np.arange(3), always_default(ALWAYS_B)),)
    case.judged = Judged(first, np.ones(3, dtype=np.intp), np.zeros(3), folds=folds)
    others = tuple(case.data.inputs[3:])
    case.delivery = replace(case.delivery, unmeasured=others)
    found = case.decide()
    assert set(found.inputs) == set(others)
    assert (found.deployed, found.trained_on) == ("new", False)
    case.delivery = replace(case.delivery, unmeasured=others[:5], _ratios={})
    assert set(case.decide().inputs) == set(first.inputs), "too few others"
    case.delivery = replace(
        case.delivery, unmeasured=others, seen=frozenset(others[:1]), _ratios={}
    )
    assert set(case.decide().inputs) == set(first.inputs), "the deployed model was trained on one"


def test_a_choice_that_fails_on_an_input_that_was_not_measured(tmp_path: Path) -> None:
    calls = [call(a=4e-3, b=1e-3)] * 8 + [
        {**call(a=4e-3, b=1e-3), "compare": {"candidate": "throw"}}
    ]
    case = Case(tmp_path, *calls)
    case.judged = replace(
        case.judged.against(case.data), folds=((np.arange(3), ALWAYS_B),), data=case.data
    )
    case.delivery = replace(case.delivery, unmeasured=case.data.inputs[3:])
    with pytest.raises(ProgramError, match=r"what it chooses for x8 failed there: exception"):
        case.decide()


def test_a_model_of_more_inputs_stays_where_nothing_can_be_held_out(tmp_path: Path) -> None:
    case = Case(tmp_path, call(a=4e-3, b=1e-3))
    write_model(tmp_path / "former", POINTS)
    former = (replace(ALWAYS_B, variants=("a", "c")), tmp_path / "former")
    case.delivery = replace(case.delivery, seen=frozenset(("x0", "y")))
    found = case.delivery.decide(ALWAYS_B, None, case.data, former)
    assert found.deployed == "kept"
    assert found.reason.endswith("the deployed model was trained on 2, the new one on 1")
    case.delivery = replace(case.delivery, seen=frozenset(("x0",)))
    assert case.delivery.decide(ALWAYS_B, None, case.data, former).deployed == "new"
