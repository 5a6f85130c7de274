"""What is still to be measured of an input."""

from __future__ import annotations

import math

from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.plan import best_seconds, skipped

OFFER = Offer(("a", "b", "c"), (), "a", "s", False, {})


def test_a_variant_with_an_infinite_metric_is_not_run_again_and_not_compared_with() -> None:
    seen = Example(0, {}, {}, samples={"a": [math.inf], "b": [0.5]})
    assert skipped(seen, OFFER) == ("a",)
    assert best_seconds(seen, OFFER) == 0.5
    assert best_seconds(Example(0, {}, {}, samples={"a": [math.inf]}), OFFER) is None


def test_nothing_is_infinitely_dear_where_larger_is_better() -> None:
    offer = Offer(("a", "b", "c"), (), "a", "returned", True, {})
    for worst in (0.0, -math.inf):
        seen = Example(0, {}, {}, samples={"a": [worst], "b": [3.0], "c": [2.0]})
        assert skipped(seen, offer) == ("a",)
