"""What is still to be measured of one input: the next start of the program, or nothing.

Pure: from what the store holds and what the program offers to a request. This is how a killed run
goes on, how a new variant is measured alone, and how a crash costs one variant only.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Literal

from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.costs import metric_cost
from fettle.training.request import Measuring, Request

# A variant without a verdict is measured again after a restart, together with its rivals, unless it
# is this much slower than the best: then its samples say enough.
HOPELESS = 2.0


def next_request(
    function: str,
    name: str,
    want: Literal["measure", "features"],
    offer: Offer | None,
    examples: Sequence[Example],
    finished_calls: int | None,
    measuring: Measuring,
    seconds_seen: Mapping[int, float],
) -> Request | None:
    """The next start of the program for an input; None when everything wanted is known.

    `seconds_seen` says how long the fastest run of a call took at most, for metrics that are not
    times: without it a variant that hangs would get the time-out of a first run.
    """
    if offer is None:
        return Request(function, name, want, measuring=measuring)
    if finished_calls is not None:
        examples = [example for example in examples if example.call < finished_calls]
    if want == "measure":
        for index, example in enumerate(examples):
            if not all(variant in example.verdicts for variant in offer.variants):
                return Request(
                    function,
                    name,
                    first_call=example.call,
                    skip=skipped(example, offer),
                    best_seconds=best_seconds(example, offer) or seconds_seen.get(example.call),
                    last_call=_before_known(examples[index + 1 :]),
                    measuring=measuring,
                )
        if finished_calls is None:
            first = examples[-1].call + 1 if examples else 0
            return Request(function, name, first_call=first, measuring=measuring)
    features = set(offer.features)
    if finished_calls is None or not all(
        features <= example.features.keys() for example in examples
    ):
        return Request(function, name, "features", measuring=measuring)
    return None


def _before_known(later: Sequence[Example]) -> int | None:
    """The call before which this start has to end: later ones are partly known already."""
    return next((example.call - 1 for example in later if example.verdicts), None)


def skipped(example: Example, offer: Offer) -> tuple[str, ...]:
    """The variants of a call that need no further runs."""
    medians = _medians(example, offer)
    best = min(medians.values(), default=math.inf)
    return tuple(
        variant
        for variant in offer.variants
        if variant in example.verdicts or medians.get(variant, 0.0) > HOPELESS * best
    )


def best_seconds(example: Example, offer: Offer) -> float | None:
    """The fastest variant so far; None where nothing is known or metrics are not times."""
    best = min(_medians(example, offer).values(), default=math.inf)
    return best if offer.unit == "s" and math.isfinite(best) else None


def _medians(example: Example, offer: Offer) -> dict[str, float]:
    """Cost of each variant that ran and has not failed; smaller is better."""
    costs = {}
    for variant in offer.variants:
        samples = example.samples.get(variant)
        if samples and example.verdicts.get(variant, ("measured", ""))[0] == "measured":
            costs[variant] = metric_cost(statistics.median(samples), offer)
    return costs
