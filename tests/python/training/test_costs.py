"""What an exhaustive search comes to, which is not the luckiest measurement."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest

from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training import costs
from fettle.training.costs import cost_of
from fettle.training.examples import make_table

MANY = tuple(f"v{i}" for i in range(30))


def offer_of(*variants: str, larger: bool = False) -> Offer:
    return Offer(variants, (), variants[0], "returned" if larger else "s", larger, {})


def example(samples: dict[str, list[float]]) -> Example:
    return Example(0, {}, {}, samples, dict.fromkeys(samples, ("measured", "")))


def exhaustive_cost(given: Example, offer: Offer) -> float:
    known = [cost_of(given, variant, offer) for variant in offer.variants]
    return costs.exhaustive_cost(given, offer, known)


def test_the_luckiest_of_many_equal_variants_is_not_faster_than_they_are() -> None:
    random = np.random.default_rng(0)
    lowest, found = [], []
    for _ in range(200):
        noisy = example({name: list(random.lognormal(0.0, 0.1, 20)) for name in MANY})
        lowest.append(min(cost_of(noisy, name, offer_of(*MANY)) for name in MANY))
        found.append(exhaustive_cost(noisy, offer_of(*MANY)))
    assert statistics.fmean(found) == pytest.approx(1.0, abs=0.006)
    assert statistics.fmean(lowest) < 0.96


def test_a_variant_that_is_clearly_the_best_costs_what_it_costs() -> None:
    given = example({"a": [2.0, 2.2, 2.0, 2.2], "b": [1.0, 1.2, 1.0, 1.2]})
    assert exhaustive_cost(given, offer_of("a", "b")) == pytest.approx(1.1)


def test_each_half_times_what_the_other_chose() -> None:
    given = example({"a": [1.0, 1.0, 5.0, 5.0], "b": [2.0, 2.0, 3.0, 3.0]})
    # By the earlier half a, which takes 5 in the later one; by the later b, which took 2.
    assert exhaustive_cost(given, offer_of("a", "b")) == pytest.approx(3.5)


def test_what_was_given_up_after_a_few_samples_has_no_part_in_it() -> None:
    given = example({"a": [2.0] * 10, "lucky once": [1.0, 2.5, 2.5]})
    assert exhaustive_cost(given, offer_of("a", "lucky once")) == 2.0


def test_what_is_far_from_the_best_has_no_part_in_it() -> None:
    given = example({"a": [2.0] * 4, "in two modes": [1.0, 1.0, 9.0, 9.0]})
    assert exhaustive_cost(given, offer_of("a", "in two modes")) == 2.0


def test_too_few_samples_to_divide() -> None:
    given = example({"a": [3.0, 1.0, 2.0], "b": [5.0]})
    assert exhaustive_cost(given, offer_of("a", "b")) == 2.0


def test_larger_metrics_cost_less() -> None:
    given = example({"a": [4.0] * 4, "b": [2.0] * 4})
    assert exhaustive_cost(given, offer_of("a", "b", larger=True)) == 0.25


def test_nothing_works() -> None:
    given = example({"a": [], "b": []})
    given.verdicts = dict.fromkeys("ab", ("failed", "it crashed"))
    assert exhaustive_cost(given, offer_of("a", "b")) == math.inf


def test_tables_know_it_of_every_input() -> None:
    given = example({"a": [1.0, 1.0, 5.0, 5.0], "b": [2.0, 2.0, 3.0, 3.0]})
    data = make_table("f", offer_of("a", "b"), [("x", [given]), ("y", [given])]).data
    assert data.exhaustive is not None
    assert data.exhaustive.tolist() == [3.5, 3.5]
    assert data.rows([1]).exhaustive == [3.5]
    assert data.only(["b"]).exhaustive is not None
