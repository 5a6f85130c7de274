"""Data that hold little or nothing to learn: a model or an error that says why, never a crash."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from made_up import data_of, deployed

from fettle.classifiers import AutoClassifier, ForestClassifier, SvmClassifier, TreeClassifier
from fettle.classifiers.base import SearchingClassifier
from fettle.classifiers.constant import always_the_best, always_the_default
from fettle.classifiers.judging import Judged
from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingWarning
from fettle.model.trees import TreePredictor

CLASSIFIERS = [SvmClassifier, TreeClassifier, ForestClassifier]
Kind = type[SearchingClassifier]


@pytest.fixture(params=CLASSIFIERS, ids=lambda kind: kind.__name__)
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


def always(model: object, folder: Path, width: int) -> str:
    values = np.random.default_rng(0).uniform(0, 100, (20, width))
    chosen = set(deployed(model, folder, values).tolist())  # type: ignore[arg-type]
    assert len(chosen) == 1
    return model.variants[chosen.pop()]  # type: ignore[attr-defined,no-any-return]


def test_one_variant(kind: Kind, tmp_path: Path) -> None:
    with pytest.warns(TrainingWarning, match="one variant only"):
        model = kind().fit(data_of([[1.0], [2.0]], [[3.0], [4.0]]))
    assert always(model, tmp_path, 1) == "a"


def test_one_input(kind: Kind, tmp_path: Path) -> None:
    with pytest.warns(TrainingWarning, match="one input only; the model always chooses 'b'"):
        model = kind().fit(data_of([[1.0]], [[3.0, 2.0]]))
    assert always(model, tmp_path, 1) == "b"
    assert "share_of_best" not in model.provenance


def test_one_variant_is_always_the_best(kind: Kind, tmp_path: Path) -> None:
    costs = np.column_stack([np.full(30, 2.0), np.full(30, 1.0)])
    with pytest.warns(TrainingWarning, match="one variant is the best on all 30 inputs"):
        model = kind().fit(data_of(np.arange(30.0)[:, None], costs))
    assert always(model, tmp_path, 1) == "b"
    assert isinstance(model.predictor, TreePredictor)
    assert model.inputs == ()
    assert model.provenance["share_of_best"] == "1.0000"


@pytest.mark.parametrize("huge", [1e39, -1e39, 1e300, -1e300])
def test_values_that_single_precision_cannot_hold(kind: Kind, huge: float, tmp_path: Path) -> None:
    features = np.concatenate([np.arange(1.0, 41), huge * np.arange(1.0, 41)])[:, None]
    costs = np.repeat([[1.0, 2.0], [2.0, 1.0]], 40, axis=0)
    model = kind().fit(data_of(features, costs))
    assert deployed(model, tmp_path, features).tolist() == [0] * 40 + [1] * 40


def test_constant_features(kind: Kind, tmp_path: Path) -> None:
    costs = [[1.0, 2.0], [3.0, 1.0], [1.0, 2.0]] * 4
    with pytest.warns(TrainingWarning) as told:
        model = kind().fit(data_of([[5.0]] * 12, costs))
    texts = [str(one.message) for one in told]
    assert any("feature 'x' is 5 on every input" in text for text in texts)
    assert any("no feature tells the inputs apart" in text for text in texts)
    assert always(model, tmp_path, 1) == "a"


def test_one_input_differs(kind: Kind, tmp_path: Path) -> None:
    values = np.ones((12, 1))
    values[7] = 2.0
    costs = np.tile([1.0, 2.0], (12, 1))
    costs[7] = (2.0, 1.0)
    model = kind().fit(data_of(values, costs))
    assert deployed(model, tmp_path, np.array([[1.0]])).tolist() == [0]


def test_no_feature_at_all(kind: Kind, tmp_path: Path) -> None:
    with pytest.warns(TrainingWarning, match="no feature tells the inputs apart"):
        model = kind().fit(data_of(np.zeros((3, 0)), [[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]]))
    assert always(model, tmp_path, 0) == "a"


def test_a_few_inputs_make_a_model_without_a_score(kind: Kind, tmp_path: Path) -> None:
    data = data_of([[1.0], [2.0], [8.0], [9.0]], [[1, 2], [1, 2], [2, 1], [2, 1]])
    model = kind().fit(data)
    assert deployed(model, tmp_path, data.values).tolist() == [0, 0, 1, 1]
    assert "share_of_best" not in model.provenance


def test_a_variant_that_wins_once_among_others_that_alternate(kind: Kind, tmp_path: Path) -> None:
    x = np.arange(40.0)
    costs = np.column_stack([np.where(x < 20, 1, 2), np.where(x < 20, 2, 1), np.full(40, 9.0)])
    costs[39] = (5, 5, 1)
    model = kind().fit(data_of(x[:, None], costs))
    assert deployed(model, tmp_path, x[:, None])[[2, 10, 30]].tolist() == [0, 0, 1]


def test_values_that_are_not_finite(kind: Kind, tmp_path: Path) -> None:
    x = np.geomspace(1, 1e5, 40)
    y = np.arange(40.0)
    x[3], y[5] = np.inf, np.nan
    costs = np.column_stack(
        [np.where(np.arange(40) < 20, 1, 2), np.where(np.arange(40) < 20, 2, 1)]
    )
    data = data_of(np.column_stack([x, y]), costs)
    with pytest.warns(TrainingWarning) as told:
        model = kind().fit(data)
    assert [str(one.message) for one in told] == [
        "f: feature 'x' is not finite on 1 of 40 inputs",
        "f: feature 'y' is not finite on 1 of 40 inputs",
    ]
    assert (deployed(model, tmp_path, data.values) == costs.argmin(axis=1))[6:].mean() > 0.9


def test_inputs_with_equal_features_and_different_costs(kind: Kind, tmp_path: Path) -> None:
    values = np.repeat([[1.0], [2.0]], 20, axis=0)
    costs = np.tile([1.0, 1.1], (40, 1))
    costs[::4] = (10.0, 1.0)  # a quarter of each, dear
    costs[:20][::3] = (1.0, 10.0)
    model = kind().fit(data_of(values, costs))
    best = [  # of the mean shares
        int((costs[rows].min(axis=1, keepdims=True) / costs[rows]).mean(axis=0).argmax())
        for rows in (slice(20), slice(20, 40))
    ]
    assert deployed(model, tmp_path, np.array([[1.0], [2.0]])).tolist() == best


def test_inputs_on_which_all_variants_fail_are_left_out(kind: Kind, tmp_path: Path) -> None:
    x = np.arange(30.0)
    costs = np.column_stack([np.where(x < 15, 1, np.inf), np.where(x < 15, 2, 1.0)])
    costs[4] = np.inf
    with pytest.warns(TrainingWarning, match="1 of 30 inputs are left out .* 'input 4'"):
        model = kind().fit(data_of(x[:, None], costs))
    assert model.provenance["inputs"] == "29"
    assert deployed(model, tmp_path, np.array([[2.0], [25.0]])).tolist() == [0, 1]


def test_no_input_works(kind: Kind) -> None:
    with pytest.raises(FettleError, match="no variant works on any of its 3 inputs"):
        kind().fit(data_of([[1.0], [2.0], [3.0]], np.full((3, 2), np.inf)))


def test_no_input(kind: Kind) -> None:
    with pytest.raises(FettleError, match="it has no inputs"):
        kind().fit(data_of(np.zeros((0, 1)), np.zeros((0, 2))))


def test_auto_with_too_few_inputs_to_compare(tmp_path: Path) -> None:
    model = AutoClassifier().fit(data_of([[1.0], [2.0], [8.0]], [[1, 2], [1, 2], [2, 1]]))
    assert deployed(model, tmp_path, np.array([[1.5], [8.0]])).tolist() == [0, 1]


def test_the_training_set_names_the_default_or_the_best_fixed_variant_is_it() -> None:
    data = data_of(np.arange(8.0)[:, None], [[1, 2], [2, 1], [1, 9], [3, 1]] * 2)
    assert TreeClassifier().fit(data).default == "a"
    named = data_of(data.values, data.costs, default="b")
    assert TreeClassifier().fit(named).default == "b"


def test_a_default_that_no_one_named_ran_on_every_input_where_one_did() -> None:
    values = np.arange(8.0)[:, None]
    costs = [[5, 1]] * 7 + [[5, math.inf]]
    assert TreeClassifier().fit(data_of(values, costs)).default == "a"
    with pytest.warns(TrainingWarning, match=r"the default, 'b', could not on 1 of 8, first on"):
        model = TreeClassifier().fit(data_of(values, [[math.inf, 1]] * 2 + costs[2:]))
    assert model.default == "b"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"variants": ("a",)}, "costs have shape"),
        ({"features": ("x", "x")}, "values have shape"),
        ({"variants": ("a", "a")}, "variant 'a' is given twice"),
        ({"default": "z"}, "the default 'z' is none of the variants a, b"),
    ],
)
def test_a_training_set_that_contradicts_itself(options: dict[str, object], text: str) -> None:
    with pytest.raises(FettleError, match=text):
        data_of([[1.0]], [[1.0, 2.0]], **options)


@pytest.mark.parametrize("cost", [0.0, -1.0, np.nan])
def test_costs_are_positive(cost: float) -> None:
    with pytest.raises(FettleError, match=f"variant 'b' costs {cost} on input 'input 0'"):
        data_of([[1.0]], [[1.0, cost]])


@pytest.mark.parametrize("options", [{"guard": -0.1}, {"guard": float("nan")}, {"calls": 0}])
def test_options_out_of_range(kind: Kind, options: dict[str, float]) -> None:
    with pytest.raises(FettleError, match="must be"):
        kind(**options)  # type: ignore[arg-type]


def test_the_guard_is_the_models(kind: Kind, tmp_path: Path) -> None:
    x = np.arange(40.0)
    costs = np.column_stack([np.where(x < 10, 1, 2), np.where(x < 10, 2, 1)])
    data = data_of(x[:, None], costs, default="a")
    far = np.array([[1000.0]])
    assert deployed(kind(guard=0.25).fit(data), tmp_path, far).tolist() == [0]  # the default
    assert kind(guard=None).fit(data).guard is None


@pytest.mark.parametrize("default", ["a", "b", None])
def test_a_model_of_noise_is_not_taken(kind: Kind, default: str | None, tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    values = random.uniform(1, 9, (40, 2))
    costs = np.column_stack([np.ones(40), np.where(random.random(40) < 0.3, 0.9, 1.2)])
    fit = kind().fit_and_judge(data_of(values, costs, default=default))
    if default != "b":  # nothing tells when b is the better one, and it is not on the whole
        assert always(fit.model, tmp_path, 2) == "a"
        assert fit.chosen.net >= fit.searched.net
    assert fit.searched in fit.compared


def judged(nets: list[float]) -> Judged:
    data = data_of([[1.0]], [[1.0, 2.0]])
    recipe = always_the_best(data)
    return Judged("tree", recipe, recipe, None, np.array(nets), 0.0)


@pytest.mark.parametrize(
    ("nets", "surely"),
    [
        ([0.9] * 8, False),
        ([0.9] * 7 + [1.0], True),  # a gain on one input, and no loss
        ([1.0, 0.815] * 4, False),  # 0.0075 on average, of +-0.09
        ([1.0, 0.83] * 4, True),  # 0.015: doubts of few inputs are worth no more than 0.01
        ([1.0, 0.88] * 4, True),  # 0.04
        ([0.8] * 8, False),
    ],
)
def test_a_gain_is_sure_from_its_standard_error_on(nets: list[float], surely: bool) -> None:
    assert judged(nets).surely_better(judged([0.9] * 8)) == surely


@pytest.mark.parametrize(("gain", "sizes"), [(1.06, 4), (1.06, 3), (1.3, 4), (1.3, 3), (1.3, 2)])
def test_few_inputs_prove_large_gains_only(
    kind: Kind, gain: float, sizes: int, tmp_path: Path
) -> None:
    values = 10.0 ** np.arange(sizes)[:, None]
    small = values[:, 0] < 10
    costs = np.column_stack([np.where(small, 1, gain), np.where(small, gain, 1)])
    model = kind().fit(data_of(values, costs, default="a"))
    chosen = {model.variants[place] for place in deployed(model, tmp_path, values).tolist()}
    assert chosen == ({"a", "b"} if gain > 1.1 else {"b"})


def test_the_default_is_no_refuge_where_it_fails() -> None:
    costs = np.column_stack([np.ones(20), np.full(20, 1.5)])
    costs[3] = [np.inf, 1.0]
    data = data_of(np.arange(20.0)[:, None], costs, default="a")
    assert always_the_default(data) is None
    assert always_the_default(data.rows([0, 1, 2])) is not None
