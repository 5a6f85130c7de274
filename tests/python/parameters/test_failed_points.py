"""A point that failed on one input is chosen on none; its variant's other points may be."""

from __future__ import annotations

import math

from fettle.parameters.deployed import table_of_points, table_of_variants, worth_deploying
from fettle.search.variant_space import offered_spaces
from fettle.store.contents import Example, Verdict
from fettle.store.subject import Offer
from fettle.training.failed import failed_variants

OFFER = Offer(
    variants=("plain", "tiled tile=4"),
    features=("n",),
    default="plain",
    unit="s",
    larger_is_better=False,
    machine={},
    parameters={"tiled": {"values": {"tile": [4, 8]}, "defaults": {"tile": 4}, "constraints": []}},
)
SPACES = offered_spaces(OFFER.parameters)
CLASSES = ("plain", "tiled tile=4", "tiled tile=8")


def example(n: float, **seconds: float) -> Example:
    """What "plain" takes is 9; an infinite time is a failure."""
    times = {"plain": 9.0, **{f"tiled tile={name[1:]}": its for name, its in seconds.items()}}
    verdicts: dict[str, tuple[Verdict, str]] = {
        name: ("measured", "") if math.isfinite(its) else ("failed", "wrong result")
        for name, its in times.items()
    }
    return Example(0, {"n": n}, {"n": 0.0}, {name: [its] for name, its in times.items()}, verdicts)


CALLS = [("x", [example(1, t4=3.0, t8=1.0)]), ("y", [example(2, t4=4.0, t8=math.inf)])]


def test_the_point_is_withheld_and_not_its_variant() -> None:
    failed = failed_variants(OFFER, CALLS)
    assert failed.withheld == {"tiled tile=8"}
    data = table_of_points("f", OFFER, CALLS, CLASSES, failed=failed).data
    assert data.costs.tolist() == [[9.0, 3.0, math.inf], [9.0, 4.0, math.inf]]
    assert worth_deploying(data, OFFER.variants, SPACES, 8) == OFFER.variants
    assert failed_variants(OFFER, CALLS, allowed={"tiled"}).withheld == set()


def test_a_variant_is_taken_at_the_best_point_that_never_failed() -> None:
    data = table_of_variants("f", OFFER, CALLS, SPACES, (), failed_variants(OFFER, CALLS)).data
    assert data.costs.tolist() == [[9.0, 3.0], [9.0, 4.0]]
    at_defaults = [("x", [example(1, t4=math.inf, t8=1.0)]), ("y", [example(2, t4=4.0, t8=2.0)])]
    failed = failed_variants(OFFER, at_defaults)
    data = table_of_variants("f", OFFER, at_defaults, SPACES, (), failed).data
    assert data.costs.tolist() == [[9.0, 1.0], [9.0, 2.0]]
    alone = [("x", [example(1, t4=math.inf)]), ("y", [example(2, t4=4.0)])]
    data = table_of_variants("f", OFFER, alone, SPACES, (), failed_variants(OFFER, alone)).data
    assert data.costs.tolist() == [[9.0, math.inf], [9.0, math.inf]]


def test_a_point_of_a_variant_that_is_no_more_does_not_count() -> None:
    gone = Offer(**{**vars(OFFER), "variants": ("plain",), "parameters": {}})
    assert failed_variants(gone, CALLS).variants == ()
