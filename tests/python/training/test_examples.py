"""From stored measurements to the table that classifiers learn from."""

from __future__ import annotations

import math

import numpy as np

from fettle.data.tuning_result import Failure
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.costs import TINY
from fettle.training.examples import make_table

OFFER = Offer(("a", "b"), ("n", "m"), "b", "s", False, {})


def example(call: int = 0, n: float = 1.0, **more: object) -> Example:
    made = Example(call, {"n": n, "m": 2.0}, {"n": 1e-6, "m": 3e-6})
    made.samples = {"a": [3.0, 1.0, 2.0], "b": [5.0]}
    made.verdicts = {"a": ("measured", ""), "b": ("measured", "")}
    for name, value in more.items():
        setattr(made, name, value)
    return made


def test_costs_are_medians() -> None:
    data = make_table("f", OFFER, [("x", [example()])]).data
    assert data.inputs == ("x",)
    assert data.values.tolist() == [[1.0, 2.0]]
    assert data.costs.tolist() == [[2.0, 5.0]]
    assert data.default == "b"
    assert data.cost_seconds == 1.0


def test_feature_seconds_are_medians_over_inputs() -> None:
    rows = [example(feature_seconds={"n": s, "m": 0.0}) for s in (1.0, 9.0, 2.0)]
    data = make_table("f", OFFER, [(str(i), [row]) for i, row in enumerate(rows)]).data
    assert data.feature_seconds.tolist() == [2.0, 0.0]


def test_failed_and_excluded_variants_cost_infinity() -> None:
    bad = example(verdicts={"a": ("excluded", "constraint failed"), "b": ("measured", "")})
    table = make_table("f", OFFER, [("x", [bad])])
    assert table.data.costs.tolist() == [[math.inf, 5.0]]
    assert table.failures == (), "an excluded variant is not a failure"
    bad = example(verdicts={"a": ("failed", "crashed"), "b": ("measured", "")})
    table = make_table("f", OFFER, [("x", [bad])])
    assert table.data.costs.tolist() == [[math.inf, 5.0]]
    assert table.failures == (Failure("x", "a", "crashed"),)


def test_an_infinite_metric_is_a_cost_and_no_failure() -> None:
    diverged = example(samples={"a": [math.inf], "b": [5.0]}, lost_seconds={"a": 2.0})
    table = make_table("f", OFFER, [("x", [diverged])])
    assert table.data.costs.tolist() == [[math.inf, 5.0]]
    assert table.failures == ()
    none = example(n=2.0, samples={"a": [math.inf], "b": [math.inf]}, lost_seconds={"a": 2.0})
    table = make_table("f", OFFER, [("x", [diverged]), ("y", [none])])
    assert table.data.inputs == ("x",)
    assert table.failures == (Failure("y", None, "no variant works on this input"),)
    larger = Offer(("a", "b"), ("n", "m"), "b", "returned", True, {})
    for metric in (0.0, -math.inf):
        worst = example(samples={"a": [metric], "b": [5.0]})
        table = make_table("f", larger, [("x", [worst])])
        assert table.data.costs.tolist() == [[math.inf, 0.2]]
        assert table.failures == ()


def test_an_approximate_variant_alone_is_nothing_to_learn_from() -> None:
    rough = Offer(
        ("a", "b"), ("n", "m"), "b", "s", False, {}, quality={"approximate": ["a"], "bound": 0.1}
    )
    alone = example(samples={"a": [1.0]}, verdicts={"a": ("measured", ""), "b": ("failed", "no")})
    table = make_table("f", rough, [("x", [alone])])
    assert table.data.inputs == ()
    assert table.failures == (
        Failure("x", "b", "no"),
        Failure("x", None, "only approximate variants work on this input (a)"),
    )


def test_the_next_best_variant_is_charged_with_the_run_before_it() -> None:
    calls = [
        example(samples={"a": [math.inf], "b": [5.0]}, lost_seconds={"a": 2.0}),
        example(1, 3.0, verdicts={"a": ("excluded", ""), "b": ("measured", "")}),
    ]
    data = make_table("f", OFFER, [("x", calls)], runs_next_best=True).data
    assert data.costs.tolist() == [[7.0, 5.0], [math.inf, 5.0]]
    assert data.lost_seconds is not None
    assert data.lost_seconds.tolist() == [[2.0, 0.0], [0.0, 0.0]]
    assert data.rows([1]).only(["b"]).lost_seconds.tolist() == [[0.0]]  # type: ignore[union-attr]
    joules = Offer(("a", "b"), ("n", "m"), "b", "returned", False, {})
    data = make_table("f", joules, [("x", calls)], runs_next_best=True).data
    assert data.costs.tolist()[0] == [math.inf, 5.0], "seconds are not joules"
    assert data.lost_seconds is None


def test_larger_metrics_cost_less() -> None:
    offer = Offer(("a", "b"), ("n", "m"), "b", "returned", True, {})
    data = make_table("f", offer, [("x", [example()])]).data
    assert data.costs.tolist() == [[0.5, 0.2]]
    assert data.cost_seconds is None


def test_a_perfect_metric_still_has_a_cost() -> None:
    data = make_table("f", OFFER, [("x", [example(samples={"a": [0.0], "b": [1.0]})])]).data
    assert data.costs.tolist() == [[TINY, 1.0]]


def test_a_negative_metric_is_a_failure() -> None:
    table = make_table("f", OFFER, [("x", [example(samples={"a": [-1.0], "b": [1.0]})])])
    assert table.data.costs.tolist() == [[math.inf, 1.0]]
    assert table.failures == (Failure("x", "a", "its metric -1 cannot be a cost"),)


def test_incomplete_calls_are_not_learned_from() -> None:
    assert not len(make_table("f", OFFER, [("x", [example(verdicts={})])]).data)
    assert not len(make_table("f", OFFER, [("x", [example(features={"n": 1.0})])]).data)


def test_a_feature_that_is_not_finite_leaves_the_input_out() -> None:
    table = make_table("f", OFFER, [("x", [example(n=math.nan)]), ("y", [example()])])
    assert table.data.inputs == ("y",)
    assert table.failures == (Failure("x", None, "feature n is not a finite number"),)


def test_calls_of_an_input_are_numbered_and_distinct() -> None:
    calls = [example(0, 1.0), example(1, 1.0), example(4, 2.0)]
    assert make_table("f", OFFER, [("x", calls)]).data.inputs == ("x", "x #4")


def test_no_features_at_all() -> None:
    offer = Offer(("a", "b"), (), "b", "s", False, {})
    data = make_table("f", offer, [("x", [example()]), ("y", [example()])]).data
    assert data.values.shape == (2, 0)
    assert np.all(data.costs == [[2.0, 5.0], [2.0, 5.0]])
