"""Predicting the part of the space that holds the best: the forest, its file, its accuracy."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stencil_model import LOADING, spec_named, stencil_space, stencils

from fettle.core.errors import FettleError
from fettle.search.grouped import (
    Example,
    Grouped,
    PartitionModel,
    cross_validate,
    load_model,
    penalty_weighted_accuracy,
    save_model,
)
from fettle.search.run import search


def example(name: str, size: float, unique: str, *times: float) -> Example:
    return Example(name, {"size": size, "unique": unique}, dict(zip("abc", times, strict=True)))


def made_up(count: int = 40, seed: int = 0) -> list[Example]:
    """a is best for small sizes, else b where the unique dimension is x, else c."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(count):
        size, unique = float(rng.uniform(1, 100)), str(rng.choice(["x", "y", "none"]))
        best = 0 if size < 30 else 1 if unique == "x" else 2
        times = [2.0, 2.0, 2.0]
        times[best] = 1.0
        found.append(example(f"k{seed}.{i}", size, unique, *times))
    return found


@pytest.mark.parametrize("learns", ["share", "label"])
def test_what_is_best_is_learned_from_other_kernels(learns: Any) -> None:
    model = PartitionModel.fit("way", made_up(80), trees=50, learns=learns)
    right = [one.share(model.predict(one.features)) == 1 for one in made_up(100, seed=1)]
    assert sum(right) >= 97
    assert model.predict({"size": 5, "unique": "y"}, top=3)[0] == "a"
    scores = model.scores({"size": 90, "unique": "x"})
    assert max(scores, key=lambda v: scores[v]) == "b"
    # A word that no example had is none of those that some had.
    assert model.predict({"size": 90, "unique": "z"}) in (("b",), ("c",))


def test_the_forest_predicts_as_scikit_learn_does() -> None:
    from sklearn.ensemble import RandomForestRegressor

    examples = made_up()
    model = PartitionModel.fit("way", examples, trees=20, seed=3)
    rows = [
        [float(str(e.features["size"])), *(e.features["unique"] == w for w in ("none", "x", "y"))]
        for e in examples
    ]
    shares = [[one.share([value]) for value in "abc"] for one in examples]
    forest = RandomForestRegressor(20, max_features=3, random_state=3).fit(rows, shares)
    ours = [list(model.scores(one.features).values()) for one in examples]
    assert np.allclose(ours, forest.predict(rows), rtol=1e-12)


def test_costly_mistakes_count_where_shares_are_learned() -> None:
    # The features say nothing. a is best by a hair on most kernels, and b never much worse.
    examples = [example(f"a{i}", 1, "x", 1.00, 1.01, 9.0) for i in range(6)]
    examples += [example(f"b{i}", 1, "x", 9.00, 1.00, 9.0) for i in range(4)]
    by_share = PartitionModel.fit("way", examples)
    by_label = PartitionModel.fit("way", examples, learns="label")
    assert by_share.predict({"size": 1, "unique": "x"}) == ("b",)
    assert by_label.predict({"size": 1, "unique": "x"}) == ("a",)


def test_models_are_deterministic_and_read_back_as_they_were(tmp_path: Path) -> None:
    examples = made_up(15)
    model = PartitionModel.fit("way", examples, trees=7, seed=1)
    assert model == PartitionModel.fit("way", examples, trees=7, seed=1)
    assert model != PartitionModel.fit("way", examples, trees=7, seed=2)
    save_model(model, tmp_path / "model.json")
    assert load_model(tmp_path / "model.json") == model
    kernels = [
        Example("k", {"f": True}, {1: 2.0, 4: 1.0}),
        Example("l", {"f": 2}, {1: 1.0, 4: 2.0}),
    ]
    numbers = PartitionModel.fit("width", kernels)
    save_model(numbers, tmp_path / "model.json")
    assert load_model(tmp_path / "model.json") == numbers


def test_damaged_models_are_named(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    with pytest.raises(FettleError, match=r"model\.json: no partition model can be read"):
        load_model(path)
    path.write_text("[1]")
    with pytest.raises(FettleError, match="is not a partition model"):
        load_model(path)
    save_model(PartitionModel.fit("way", made_up(15), trees=2), path)
    good = json.loads(path.read_text())

    def damaged(change: Any) -> str:
        record = json.loads(json.dumps(good))
        change(record)
        path.write_text(json.dumps(record))
        with pytest.raises(FettleError) as caught:
            load_model(path)
        return str(caught.value)

    assert "version 2, and 1 is read" in damaged(lambda r: r.update(version=2))
    assert "KeyError('values')" in damaged(lambda r: r.pop("values"))
    assert "has no trees" in damaged(lambda r: r.update(trees=[]))
    for change, message in (
        (lambda t: t["left"].pop(), "arrays of different lengths"),
        (lambda t: t["left"].__setitem__(0, 0), "node 0 has the children 0 and"),
        (lambda t: t["right"].__setitem__(0, 999), "has the children"),
        (lambda t: t["feature"].__setitem__(0, 9), "input 9 of 4"),
        (lambda t: t["value"].__setitem__(0, [1]), "node 0 has the values"),
        (lambda t: t["threshold"].__setitem__(0, "x"), "could not convert"),
    ):
        assert message in damaged(lambda r, change=change: change(r["trees"][0]))
    with pytest.raises(FettleError, match=r"the value \(1, 2\) of way is not a number or word"):
        times = {(1, 2): 1.0}
        save_model(PartitionModel.fit("way", [Example("k", {"f": 1}, times)]), path)
    (tmp_path / "file").touch()
    with pytest.raises(FettleError, match="the model cannot be written"):
        save_model(PartitionModel.fit("way", made_up(3)), tmp_path / "file" / "model.json")


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ([], "no examples to learn way from"),
        ([Example("k", {}, {"a": 1.0})], "'k' has no times or no features"),
        ([Example("k", {"f": 1}, {})], "'k' has no times or no features"),
        (
            [Example("k", {"f": 1}, {"a": 1.0}), Example("l", {"f": 1}, {"b": 1.0})],
            "the examples 'k' and 'l' differ in times for 'a', 'b'",
        ),
        (
            [Example("k", {"f": 1}, {"a": 1.0}), Example("l", {"g": 1}, {"a": 1.0})],
            "differ in the features 'f', 'g'",
        ),
        ([Example("k", {"f": 1}, {"a": math.nan})], "'k' with way='a' is nan"),
        ([Example("k", {"f": 1}, {"a": 0.0})], "with way='a' is 0.0; give a positive number"),
        ([Example("k", {"f": 1}, {"a": math.inf})], "nothing worked on the example 'k'"),
        ([Example("k", {"f": math.nan}, {"a": 1.0})], "the example 'k': the feature 'f' is nan"),
        (
            [Example("k", {"f": 1}, {"a": 1.0}), Example("l", {"f": "x"}, {"a": 1.0})],
            "the example 'l': the feature 'f' is 'x'; give a finite number",
        ),
        (
            [Example("k", {"f": "x"}, {"a": 1.0}), Example("l", {"f": 1}, {"a": 1.0})],
            "the example 'l': the feature 'f' is 1, no word",
        ),
    ],
)
def test_examples_that_teach_nothing_are_named(examples: list[Example], message: str) -> None:
    with pytest.raises(FettleError, match=message):
        PartitionModel.fit("way", examples, trees=2)


def test_bad_questions() -> None:
    model = PartitionModel.fit("way", made_up(5), trees=2)
    with pytest.raises(FettleError, match="the feature 'unique' is missing; there are size"):
        model.predict({"size": 1})
    for top in (0, 4):
        with pytest.raises(FettleError, match="way has 3 values, so give 1 to 3"):
            model.predict({"size": 1, "unique": "x"}, top=top)
    with pytest.raises(FettleError, match="a forest of 0 trees"):
        PartitionModel.fit("way", made_up(5), trees=0)
    with pytest.raises(FettleError, match="learns='rank'"):
        PartitionModel.fit("way", made_up(5), learns="rank")  # type: ignore[arg-type]


def test_penalty_weighted_accuracy_weighs_mistakes_by_what_they_cost() -> None:
    examples = [
        example("k1", 1, "x", 1.0, 2.0, 4.0),
        example("k2", 2, "x", 1.0, 2.0, 4.0),
        example("k3", 3, "x", 2.0, 1.0, math.inf),
    ]
    # Each kernel is predicted from the two others, by a constant model of their best.
    left_out: list[set[str]] = []

    def train(others: Any) -> PartitionModel:
        left_out.append({e.name for e in examples} - {e.name for e in others})
        best = "c" if others[0].name == "k2" else "a"
        fixed = [Example("k", {"size": 1, "unique": "x"}, {**dict.fromkeys("abc", 9.0), best: 1.0})]
        return PartitionModel.fit("way", fixed, trees=1)

    found = cross_validate(examples, train)
    assert left_out == [{"k1"}, {"k2"}, {"k3"}]
    assert found.predicted == {"k1": ("c",), "k2": ("a",), "k3": ("a",)}
    assert found.shares == {"k1": 0.25, "k2": 1.0, "k3": 0.5}
    assert found.absolute == pytest.approx(1 / 3)
    assert found.penalty_weighted == pytest.approx((0.25 + 1 + 0.5) / 3)
    assert found.geometric == pytest.approx(0.125 ** (1 / 3))
    together = cross_validate(examples, train, group=lambda e: e.name != "k3")
    assert set(together.predicted) == {"k1", "k2", "k3"}
    assert left_out[3:] == [{"k1", "k2"}, {"k3"}]
    failing = cross_validate(
        [examples[2], example("k4", 1, "x", 1.0, 9.0, 9.0)],
        lambda others: PartitionModel.fit(
            "way", [Example("k", {"size": 1, "unique": "x"}, {"a": 9.0, "b": 9.0, "c": 1.0})]
        ),
    )
    assert failing.shares["k3"] == failing.geometric == 0


def test_cross_validation_needs_two_kernels() -> None:
    def train(others: Any) -> PartitionModel:
        return PartitionModel.fit("way", others, trees=2)

    with pytest.raises(FettleError, match="there is only one"):
        cross_validate([example("k", 1, "x", 1.0, 2.0, 3.0)], train)
    with pytest.raises(FettleError, match="two examples are named 'k'"):
        cross_validate([example("k", 1, "x", 1.0, 2.0, 3.0)] * 2, train)
    with pytest.raises(FettleError, match="no kernels were given"):
        penalty_weighted_accuracy([])


def test_the_predicted_part_costs_a_quarter_and_hardly_a_percent() -> None:
    """As in the paper: every technique searched on every kernel, each predicted from the others."""
    space = stencil_space(8)
    examples = []
    for kernel in stencils():
        times = {}
        for way in LOADING:
            strategy = Grouped(space, 0, spec=spec_named("hybrid", 0), partition={"loading": way})
            times[way] = search(space, kernel.time, strategy).best_value
        examples.append(Example(kernel.name, kernel.features(), times))
    assert len({min(e.times, key=lambda v: e.times[v]) for e in examples}) >= 3
    found = cross_validate(examples, lambda others: PartitionModel.fit("loading", others, trees=30))
    assert found.penalty_weighted >= 0.97
    fixed = max(penalty_weighted_accuracy([e.share([way]) for e in examples]) for way in LOADING)
    assert found.penalty_weighted > fixed
    two = cross_validate(
        examples, lambda others: PartitionModel.fit("loading", others, trees=30), top=2
    )
    assert two.penalty_weighted >= found.penalty_weighted
