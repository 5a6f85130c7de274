"""Which calls are measured again to find out whether a changed program still takes as long.

A few, always the same for the same measurements: spread evenly over the inputs by what the best
variant took, without the longest and the shortest tenth, and such that each variant is among them
as often as the rest, as far as it was measured at all.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fettle.store.contents import Example
from fettle.training.program import Input
from fettle.training.request import Measuring

# A tenth of the inputs, within these limits.
FEWEST, MOST = 3, 5
# A probe takes less than an input did: the question is a factor, not an order.
SAMPLES = 6
BUDGET_SECONDS = 0.25


def choose_probes(
    known: Mapping[Input, Sequence[Example]], variants: Sequence[str]
) -> list[tuple[Input, Example]]:
    """Calls on which the variants are to be measured again."""
    calls = [(given, example) for given, its in known.items() for example in its if example.samples]
    calls.sort(key=lambda call: (_best(call[1]), call[0].name, call[1].call))
    count = max(FEWEST, min(MOST, len(calls) // 10))
    chosen = _spread(calls, count)
    for variant in variants:
        having = [call for call in calls if variant in call[1].samples]
        lacking = count - sum(variant in example.samples for _, example in chosen)
        if lacking > 0:
            chosen += _spread([call for call in having if call not in chosen], lacking)
    return chosen


def probing(measuring: Measuring) -> Measuring:
    """How carefully a probe is measured."""
    most = min(SAMPLES, int(measuring.maximum_samples or SAMPLES))
    return replace(
        measuring,
        minimum_samples=min(most, FEWEST),
        maximum_samples=most,
        budget_s=min(BUDGET_SECONDS, measuring.budget_s or BUDGET_SECONDS),
    )


def _spread(calls: Sequence[tuple[Input, Example]], count: int) -> list[tuple[Input, Example]]:
    """`count` of the calls at even distances, or all."""
    count = min(count, len(calls))
    return [calls[int((index + 0.5) * len(calls) / count)] for index in range(count)]


def _best(example: Example) -> float:
    return min(map(statistics.median, example.samples.values()))
