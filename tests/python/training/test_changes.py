"""What differs between two offers of a program, and between two measurements of one call."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fettle.store.contents import Example, Verdict
from fettle.store.subject import Offer
from fettle.training.changes import (
    changed_outcomes,
    compare_offers,
    families,
    features_differ,
    how_it_moved,
)
from fettle.training.moved import Move
from fettle.training.program import Input

TILED = {"values": {"tile": [8, 16]}, "defaults": {"tile": 8}, "constraints": []}
OFFER = Offer(
    variants=("plain", "tiled tile=8"),
    features=("n",),
    default="plain",
    unit="s",
    larger_is_better=False,
    machine={},
    parameters={"tiled": TILED},
    versions={"plain": "1"},
)
KNOWN = {Input("x", ("x",)): [Example(0, {"n": 1.0}, {}, {"plain": [1.0], "tiled tile=8": [2.0]})]}


def stale(offer: Offer, known: Offer = OFFER) -> dict[str, str]:
    """What is measured anew where `offer` follows `known`."""
    found: dict[str, str] = {}
    compare_offers(known, offer, KNOWN, found)
    return found


def test_a_family_is_shown_at_its_default_point() -> None:
    assert families(OFFER) == {"plain": "plain", "tiled": "tiled tile=8"}


def test_an_equal_offer_makes_nothing_stale() -> None:
    assert stale(OFFER) == {}


def test_a_version_that_changes_or_disappears_is_named_with_both() -> None:
    anew = "it is measured anew on all inputs"
    newer = replace(OFFER, versions={"plain": "2"})
    assert stale(newer) == {"plain": f"is of version 2 now, 1 was measured: {anew}"}
    without = replace(OFFER, versions={})
    assert stale(without) == {"plain": f"is of version none now, 1 was measured: {anew}"}


@pytest.mark.parametrize("change", [{"unit": "J"}, {"larger_is_better": True}])
def test_another_metric_makes_all_variants_stale(change: dict[str, object]) -> None:
    found = stale(replace(OFFER, **change))  # type: ignore[arg-type]
    assert set(found) == {"plain", "tiled"}
    assert all(why.startswith("has another metric") for why in found.values())


def test_other_defaults_of_parameters_are_named_with_both_points() -> None:
    moved = replace(
        OFFER,
        variants=("plain", "tiled tile=16"),
        parameters={"tiled": {**TILED, "defaults": {"tile": 16}}},
    )
    [(name, why)] = stale(moved).items()
    assert name == "tiled"
    assert why.startswith("runs by default at tiled tile=16 now, and did at tiled tile=8:")


def test_a_variant_that_returns_is_stale_only_if_it_was_measured() -> None:
    without = replace(OFFER, variants=("plain",), parameters={})
    assert list(stale(OFFER, known=without)) == ["tiled"]
    never_measured = replace(OFFER, variants=(*OFFER.variants, "new"))
    assert stale(never_measured) == {}


def example(**verdicts: tuple[Verdict, str]) -> Example:
    return Example(0, {"n": 1.0}, {}, verdicts=verdicts)


def test_changed_outcomes_are_reported_with_the_reason() -> None:
    before = example(a=("measured", ""), b=("excluded", "odd"), c=("measured", ""))
    now = example(a=("failed", "threw"), b=("measured", ""), c=("measured", ""))
    assert changed_outcomes(before, now) == {
        "a": "measured then, failed now (threw)",
        "b": "excluded then, measured now",
    }


def test_failures_and_what_was_not_measured_do_not_count_as_changes() -> None:
    before = example(a=("failed", "threw"), b=("unmeasured", ""))
    now = example(a=("measured", ""), b=("measured", ""), c=("measured", ""))
    assert changed_outcomes(before, now) == {}
    assert changed_outcomes(now, example(a=("unmeasured", ""))) == {}


def test_only_features_that_both_know_can_differ() -> None:
    before = Example(0, {"n": 1.0, "m": 2.0}, {})
    assert not features_differ(before, Example(0, {"n": 1.0, "k": 5.0}, {}))
    assert features_differ(before, Example(0, {"n": 1.0, "m": 3.0}, {}))
    nan = float("nan")
    assert not features_differ(Example(0, {"n": nan}, {}), Example(0, {"n": nan}, {}))


def test_a_move_is_shown_in_the_unit_of_the_metric() -> None:
    move = Move(1e-3, 2e-3, 2.0)
    text = how_it_moved([("x", move), ("y", move)], 3, OFFER)
    assert text == (
        "has changed on 2 of 3 inputs that were measured again (x: 1 ms then, 2 ms now): "
        "it is measured anew on all inputs"
    )
    joules = how_it_moved([("x", Move(3.0, 4.5, 1.5))], 1, replace(OFFER, unit="J"))
    assert "on 1 of 1 input that" in joules
    assert "(x: 3 then, 4.5 now)" in joules
    assert "(x: excluded now)" in how_it_moved([("x", "excluded now")], 1, OFFER)
