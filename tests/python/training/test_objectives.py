"""From the metrics in a store to what the models of objectives learn."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.search.parameter import Parameter
from fettle.store.contents import Example
from fettle.store.rows import offer_of, offer_text
from fettle.store.subject import Offer
from fettle.training.code_variant import CodeVariant
from fettle.training.costs import cost_of
from fettle.training.examples import make_table
from fettle.training.objective_view import objective_view
from fettle.training.objectives import by_objective, check_stated, objectives_of

METRICS = {"seconds": "s", "joules": "J"}
OFFER = Offer(("a", "b"), ("n",), "a", "returned", False, {}, metrics=METRICS)


def example(n: float, a: list[float], b: list[float]) -> Example:
    """a draws 100 W, b 10 W."""
    found = Example(0, {"n": n}, {"n": 1e-9}, {"a": a, "b": b})
    found.verdicts = {"a": ("measured", ""), "b": ("measured", "")}
    found.others = {"a": {"joules": [100 * s for s in a]}, "b": {"joules": [10 * s for s in b]}}
    return found


def wanted(offer: Offer = OFFER, **options: Any) -> Any:
    return objectives_of(CodeVariant("f", **options), offer)


def test_without_options_there_are_none() -> None:
    assert wanted() is None
    assert wanted(metrics=METRICS) is None


def test_bounds_without_an_objective_are_refused() -> None:
    with pytest.raises(FettleError, match="subject_to bounds an objective, and none is given"):
        wanted(metrics=METRICS, subject_to="joules <= 100")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"minimize": "jules"}, "'jules', which is not a metric; did you mean 'joules'"),
        ({"objectives": {"a": "seconds", "b": "watt"}}, "'watt', which is not a metric"),
        ({"define": {"x": "2 * x"}, "minimize": "x"}, "'x', which is not a metric"),
        ({"minimize": "seconds", "maximize": "joules"}, "are given together"),
        ({"minimize": "seconds", "subject_to": "joule <= 1"}, "'joule', which is not a metric"),
        ({"subject_to": "joules <= 1"}, "none is given"),
        ({"objectives": {"a": "seconds"}, "objective": "b"}, "objective is 'b', but objectives"),
    ],
)
def test_what_a_script_says_is_checked_before_anything_is_built(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(FettleError, match=re.escape(message)):
        check_stated(CodeVariant("f", metrics=METRICS, **options))


def test_metrics_of_meters_are_not_known_before_the_program_is() -> None:
    check_stated(CodeVariant("f", metrics=METRICS, minimize="seconds * peak_bytes"))
    check_stated(CodeVariant("f", minimize="anything"))
    defined = {"watts": "joules / seconds"}
    check_stated(CodeVariant("f", metrics=METRICS, define=defined, minimize="watts"))
    check_stated(CodeVariant("f", metrics=METRICS, minimize="seconds", subject_to="error <= 0.1"))


def test_the_medians_of_all_metrics_make_the_costs() -> None:
    calls = [("x", [example(1, [1, 2, 9], [3, 3, 3])]), ("y", [example(2, [1, 1], [20, 20])])]
    own = make_table("f", OFFER, calls)
    found = wanted(minimize="joules")
    made = by_objective(found.first, found.metrics, own, OFFER, calls)
    assert own.data.costs.tolist() == [[2, 3], [1, 20]]
    assert made.table.data.costs.tolist() == [[200, 30], [100, 200]]
    assert made.table.data.cost_seconds is None
    assert not found.is_own_metric
    assert wanted(minimize="seconds").is_own_metric


def test_an_input_without_a_value_of_the_objective_is_a_failure() -> None:
    blind = example(1, [1.0], [3.0])
    blind.others = {"a": {"joules": [float("nan")]}}
    calls = [("x", [blind]), ("y", [example(2, [1.0], [20.0])])]
    found = wanted(minimize="joules")
    made = by_objective(found.first, found.metrics, make_table("f", OFFER, calls), OFFER, calls)
    assert made.table.data.inputs == ("y",)
    assert [one.input for one in made.table.failures] == ["x"]
    assert np.isnan(made.runs.measured["joules"][0]).all()


def test_a_function_of_one_metric_has_objectives_of_it() -> None:
    timed = replace(OFFER, unit="s", metrics={})
    assert wanted(timed, minimize="seconds").metrics.measured == ("seconds",)
    assert wanted(timed, minimize="seconds", subject_to="seconds <= 2").first.bounds
    rate = replace(OFFER, larger_is_better=True, metrics={})
    assert wanted(rate, objectives={"a": "metric"}, larger_is_better=True).first.maximize


@pytest.mark.parametrize(
    ("offer", "options", "said"),
    [
        (OFFER, {"minimize": "jules"}, "did you mean 'joules'"),
        (OFFER, {"minimize": "joules", "maximize": "joules"}, "given together"),
        (OFFER, {"minimize": "joules", "objectives": {"a": "joules"}}, "given together"),
        (OFFER, {"metrics": {"watts": "W"}}, ""),
        (OFFER, {"metrics": {"watts": "W"}, "minimize": "watts"}, "was not compiled so"),
        (replace(OFFER, metrics={}), {"metrics": METRICS}, "let the function return"),
        (OFFER, {"minimize": "joules", "on_infinite_metric": "next_best"}, "is for one metric"),
        (
            OFFER,
            {"minimize": "joules", "parameters": [Parameter("TILE", (8, 16))]},
            "objectives are not for compile-time parameters",
        ),
    ],
)
def test_what_is_refused(offer: Offer, options: dict[str, Any], said: str) -> None:
    if not said:
        assert wanted(offer, **options) is None
        return
    with pytest.raises(FettleError, match=said):
        wanted(offer, **options)


def test_an_offer_keeps_its_metrics_and_earlier_ones_are_read() -> None:
    assert offer_of(offer_text(OFFER)) == OFFER
    earlier = offer_text(OFFER).replace(', "metrics": {"seconds": "s", "joules": "J"}', "")
    assert offer_of(earlier).metrics == {}


def test_the_objective_that_calls_go_by_is_one_of_them() -> None:
    both = {"fast": "seconds", "eco": "joules"}
    assert len(wanted(objectives=both, objective="eco").objectives) == 2
    with pytest.raises(FettleError, match="'ecco', but objectives names fast, eco; name one"):
        wanted(objectives=both, objective="ecco")
    with pytest.raises(FettleError, match="objectives names none"):
        wanted(objective="eco")


@pytest.mark.parametrize("larger", [False, True])
def test_the_view_of_a_call_has_the_objective_s_costs(larger: bool) -> None:
    offer = replace(OFFER, larger_is_better=larger)
    found = wanted(minimize="joules", subject_to="seconds <= 2 * best(seconds)")
    seen = objective_view(found.first, found.metrics, offer)(example(1, [1, 2, 9], [3.0]))
    assert cost_of(seen, "a", offer) == pytest.approx(200)
    assert cost_of(seen, "b", offer) == pytest.approx(30)
    assert len(seen.samples["a"]) == 3
    slow = objective_view(found.first, found.metrics, offer)(example(1, [1.0], [20.0]))
    assert cost_of(slow, "b", offer) == float("inf")  # beyond the bound
    blind = example(1, [1.0], [1.5])
    blind.others = {"a": blind.others["a"]}
    seen = objective_view(found.first, found.metrics, offer)(blind)
    assert cost_of(seen, "b", offer) == float("inf")  # a metric is missing
    assert blind.samples["b"] == [1.5]  # what is known does not change
