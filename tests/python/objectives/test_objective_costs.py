"""Objectives as costs: maximised, bounded, lacking a metric, not satisfied by any variant."""

from __future__ import annotations

import numpy as np
import pytest
from objectives.made_up import NAN, metrics, table

from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingWarning
from fettle.objectives.costs import costs_by
from fettle.objectives.objective import aggregate, maximize, minimize, parse_objective


def test_what_is_minimised_is_the_cost_and_of_what_is_maximised_the_inverse() -> None:
    of = metrics(throughput="1 / seconds")
    down = costs_by(minimize("seconds * watts"), table(of))
    up = costs_by(maximize("throughput / watts"), table(of))
    np.testing.assert_allclose(down.costs[0], [300, 620, 200])
    np.testing.assert_allclose(up.costs, down.costs)


def test_an_expression_alone_is_optimised_as_its_metrics_say() -> None:
    of = metrics(throughput="1 / seconds")
    assert parse_objective("a", "throughput / watts**2", of).maximize
    assert not parse_objective("a", "seconds * watts", of).maximize
    with pytest.raises(FettleError, match="write 'minimize seconds / watts' or 'maximize"):
        parse_objective("a", "seconds / watts", of)
    assert parse_objective("a", "minimize seconds / watts", of).expression is not None
    assert parse_objective("a", "Maximise seconds / watts", of).maximize
    assert not parse_objective("a", "minimise throughput", of).maximize


def test_the_listing_s_minimum_is_told_to_be_the_wrong_way_round() -> None:
    of = metrics(throughput="1 / seconds")
    told = minimize("throughput / watts").against(of)
    assert "the worst variants are chosen; maximize is probably meant" in told
    assert maximize("throughput / watts").against(of) == ""


def test_a_bound_excludes_where_it_is_broken() -> None:
    found = costs_by(minimize("watts", subject_to="seconds <= 2 * best(seconds)"), table())
    assert np.isfinite(found.costs).tolist() == [
        [True, True, False],
        [True, True, False],
        [True, True, True],
    ]
    assert not found.unsatisfied


def test_where_no_variant_satisfies_a_bound_the_default_has_a_cost_and_no_other() -> None:
    found = costs_by(minimize("seconds", subject_to="watts <= 95"), table(), "middling")
    assert found.costs.tolist() == [
        [np.inf, np.inf, 4.0],
        [np.inf, 1.5, np.inf],
        [np.inf, np.inf, 2.5],
    ]
    [one] = found.unsatisfied
    assert (one.input, one.nearest) == ("b", "cool")
    [line] = found.lines()
    assert "no variant satisfies watts <= 95 on 1 of 3 inputs, where the default, middling" in line
    assert "most nearly feasible is cool on b, 5.26 % beyond the limit" in line


def test_a_bound_compares_nothing_with_a_negative_best() -> None:
    measured = table()
    measured.measured["watts"][1, 2] = -3.0
    with pytest.raises(
        FettleError, match=r"watts is -3 for .* on b, and no multiple of a negative"
    ):
        costs_by(minimize("seconds", subject_to="watts <= 1.5 * best(watts)"), measured)
    costs_by(minimize("seconds", subject_to="watts <= 150"), measured)


def test_bounds_that_nothing_satisfies_leave_the_default_everywhere() -> None:
    with pytest.warns(TrainingWarning, match="no variant satisfies watts <= 1 on any input"):
        found = costs_by(minimize("seconds", subject_to="watts <= 1"), table())
    assert found.default == "cool"  # the most nearly feasible one
    assert np.isfinite(found.costs).tolist() == [[False, False, True]] * 3
    assert len(found.unsatisfied) == 3


def test_variants_may_have_different_numbers_of_metrics() -> None:
    watts = [[300.0, NAN, 50.0], [200.0, NAN, 100.0], [100.0, NAN, 90.0]]
    found = costs_by(minimize("seconds * watts"), table(watts=watts))
    assert np.isinf(found.costs[:, 1]).all()
    assert found.lacking == (("middling", 3),)
    assert list(found.lines()) == [
        "objective default: middling lacks a metric on 3 of 3 inputs, where it cannot be chosen"
    ]
    assert np.isfinite(costs_by(minimize("seconds"), table(watts=watts)).costs).all()


def test_a_negative_objective_is_refused_and_zero_is_perfect() -> None:
    with pytest.raises(FettleError, match="is -299 for quick on a; it has to be positive"):
        costs_by(minimize("seconds - watts"), table())
    found = costs_by(minimize("seconds - best(seconds)"), table())
    assert (found.costs[:, 0] > 0).all()
    assert np.isinf(costs_by(maximize("seconds - best(seconds)"), table()).costs[0, 0])


def test_a_metric_of_zero_is_said_and_one_that_is_zero_everywhere_refused() -> None:
    watts = [[300.0, 0.0, 50.0], [200.0, 100.0, 100.0], [100.0, 90.0, 90.0]]
    with pytest.warns(TrainingWarning, match="watts, is 0 in 1 of 9 runs, first for middling on a"):
        costs_by(minimize("watts"), table(watts=watts))
    with pytest.raises(FettleError, match="is 0 for every variant on every input"):
        costs_by(minimize("watts * 0"), table())


def test_a_function_s_order_is_the_cost() -> None:
    found = costs_by(aggregate(lambda ls: min(ls, key=lambda x: x[2])), table())
    assert found.costs.tolist() == [[2, 3, 1]] * 3


def test_unknown_metrics_are_refused_in_objective_and_bound() -> None:
    with pytest.raises(FettleError, match="the objective default, 'joules' names 'joules'"):
        costs_by(minimize("joules"), table())
    with pytest.raises(FettleError, match="the bound 'p99_ms' names 'p99_ms'"):
        costs_by(minimize("seconds", subject_to="p99_ms <= 5"), table())
