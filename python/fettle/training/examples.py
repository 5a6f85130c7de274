"""From what the store holds to the table that classifiers learn from."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fettle.store.base import Example, Offer
from fettle.training.costs import cost_of, exhaustive_cost
from fettle.training_set import TrainingSet
from fettle.tuning_result import Failure


@dataclass(frozen=True)
class Table:
    """A training set with what did not make it into the set."""

    data: TrainingSet
    failures: tuple[Failure, ...]


def make_table(
    function: str,
    offer: Offer,
    examples: Iterable[tuple[str, Sequence[Example]]],
    shared_features: tuple[frozenset[str], ...] = (),
) -> Table:
    """One row for each completely measured call of each input; `examples` are (input name, calls).

    A cost is the median of a variant's samples (its reciprocal where larger is better), infinite
    for a variant that was excluded or failed. Calls on which no variant worked, and calls with a
    feature that is not finite, are left out and reported as failures.
    """
    names: list[str] = []
    rows: list[list[float]] = []
    costs: list[list[float]] = []
    exhaustive: list[float] = []
    seconds: list[list[float]] = []
    failures: list[Failure] = []
    for name, example in distinct_calls(offer, examples):
        failures += _failures(name, offer, example)
        features = [example.features[feature] for feature in offer.features]
        wrong = [
            f for f, value in zip(offer.features, features, strict=True) if not math.isfinite(value)
        ]
        if wrong:
            failures.append(Failure(name, None, f"feature {wrong[0]} is not a finite number"))
            continue
        cost = [cost_of(example, variant, offer) for variant in offer.variants]
        if not any(math.isfinite(value) for value in cost):
            failures.append(Failure(name, None, "no variant works on this input"))
            continue
        names.append(name)
        rows.append(features)
        costs.append(cost)
        exhaustive.append(exhaustive_cost(example, offer, cost))
        seconds.append([example.feature_seconds.get(f, 0.0) for f in offer.features])
    count, width = len(names), len(offer.features)
    times = np.array(seconds, dtype=float).reshape(count, width)
    data = TrainingSet(
        function=function,
        features=offer.features,
        variants=offer.variants,
        inputs=tuple(names),
        values=np.array(rows, dtype=float).reshape(count, width),
        costs=np.array(costs, dtype=float).reshape(count, len(offer.variants)),
        feature_seconds=np.median(times, axis=0) if count else np.zeros(width),
        default=offer.default,
        cost_seconds=1.0 if offer.unit == "s" else None,
        feature_times=times,
        shared_features=shared_features,
        exhaustive=np.array(exhaustive, dtype=float),
    )
    return Table(data, tuple(failures))


def is_settled(example: Example, offer: Offer) -> bool:
    """Whether everything about a call is known."""
    return example.features.keys() >= set(offer.features) and all(
        variant in example.verdicts for variant in offer.variants
    )


def distinct_calls(
    offer: Offer, examples: Iterable[tuple[str, Sequence[Example]]]
) -> Iterator[tuple[str, Example]]:
    """The calls about which everything is known, each with its name; of equal ones the first."""
    for name, calls in examples:
        seen: set[tuple[float, ...]] = set()
        for example in calls:
            if not is_settled(example, offer):
                continue
            point = tuple(example.features[feature] for feature in offer.features)
            if point in seen:
                continue
            yield (f"{name} #{example.call}" if seen else name), example
            seen.add(point)


def _failures(name: str, offer: Offer, example: Example) -> list[Failure]:
    found = []
    for variant in offer.variants:
        verdict, reason = example.verdicts[variant]
        if verdict in ("failed", "unmeasured"):
            found.append(Failure(name, variant, reason))
        elif verdict == "measured" and not math.isfinite(cost_of(example, variant, offer)):
            metric = statistics.median(example.samples[variant])
            found.append(Failure(name, variant, f"its metric {metric:g} cannot be a cost"))
    return found
