"""What a model says that its variants cost, and the options of monitoring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from quick_classifier import QuickClassifier

from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet
from fettle.model.model import Model, ModelInput
from fettle.model.model_directory import read_model, write_model
from fettle.training.compiled_policy import check_policy, options_of
from fettle.training.expectations import SMALLEST, with_expectations
from fettle.training.policy_header import policy_header


def table(*, noise: float = 0.0) -> TrainingSet:
    """`a` costs as much as n, `b` always 50; b fails on most inputs."""
    random = np.random.default_rng(3)
    sizes = np.geomspace(1, 1000, 40)
    costs = np.column_stack([sizes, np.full(40, 50.0)])
    costs *= np.exp(noise * random.normal(size=(40, 2)))
    costs[4:, 1] = np.inf
    costs[20:, 1] = 50.0
    names = tuple(f"i{i}" for i in range(40))
    return TrainingSet("f", ("n",), ("a", "b"), names, sizes[:, None], costs, np.zeros(1))


def model_of(data: TrainingSet) -> Model:
    inputs = (ModelInput("log", "n", None, 0.0, float(np.log(1000))),)
    return replace(QuickClassifier().fit(data), inputs=inputs)


def test_the_logarithm_of_the_metric_is_regressed(tmp_path: Path) -> None:
    data = table(noise=0.2)
    model = with_expectations(model_of(data), data, larger_is_better=False)
    a, b = model.expectations["a"], model.expectations["b"]
    middle = np.log(np.sqrt(1000))
    assert a.constant == pytest.approx(middle, abs=0.15)
    assert a.slopes[0] == pytest.approx(middle, abs=0.3)
    assert 0.15 < a.deviation < 0.3
    assert b.constant == pytest.approx(np.log(50), abs=0.2)
    write_model(tmp_path, model)
    assert read_model(tmp_path).expectations == model.expectations
    inverse = with_expectations(model_of(data), data, larger_is_better=True)
    assert inverse.expectations["a"].constant == -a.constant


def test_too_few_inputs_say_nothing_and_too_good_a_fit_not_much() -> None:
    data = table()
    model = model_of(data)
    assert with_expectations(model, data, larger_is_better=False).expectations["b"].deviation == (
        SMALLEST
    )
    few = with_expectations(model, data.rows(list(range(8))), larger_is_better=False)
    assert set(few.expectations) == {"a"}


def test_options_reach_the_program_or_are_missed() -> None:
    function = CodeVariant("f", monitor=1024, on_unexpected="default")
    header = policy_header([function], Path("models"))
    assert "static constexpr unsigned monitor = 1024;" in header
    assert "on_unexpected = fettle::unexpected_cost::use_default;" in header
    assert "monitor" not in policy_header([CodeVariant("f")], Path("models"))
    plain = options_of(CodeVariant("f"))
    with pytest.raises(FettleError, match="monitor=1024, on_unexpected='default', the program was"):
        check_policy("f", options_of(function), plain)
    check_policy("f", plain, {**plain, "monitor": 0})
    with pytest.raises(FettleError, match="monitor must be how many calls share one"):
        CodeVariant("f", monitor=-1)
    with pytest.raises(FettleError, match="on_unexpected must be 'report' or 'next_best' or"):
        CodeVariant("f", on_unexpected="stop")  # type: ignore[arg-type]
