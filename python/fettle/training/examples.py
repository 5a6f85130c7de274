"""From what the store holds to the table that classifiers learn from."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from fettle.data.training_set import Floats, TrainingSet
from fettle.data.tuning_result import Failure
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.costs import cost_of, exhaustive_cost, is_infinite_cost
from fettle.training.errors import errors_of, may_choose
from fettle.training.failed import NONE_FAILED, FailedVariants
from fettle.training.spread import spreads_of


@dataclass(frozen=True)
class Table:
    """A training set with what did not make it into the set."""

    data: TrainingSet
    failures: tuple[Failure, ...]
    failed: FailedVariants = NONE_FAILED

    def kept(self, narrow: Narrow | None) -> TrainingSet:
        """The set with what a model is to choose from; without inputs, with all variants."""
        whole = self.data
        return whole if narrow is None or not len(whole) else whole.narrowed(narrow(self))


# Which of the variants that were measured a model is to choose from.
Narrow: TypeAlias = Callable[[Table], Sequence[str]]


def make_table(
    function: str,
    offer: Offer,
    examples: Iterable[tuple[str, Sequence[Example]]],
    shared_features: tuple[frozenset[str], ...] = (),
    failed: FailedVariants = NONE_FAILED,
    *,
    runs_next_best: bool = False,
) -> Table:
    """One row for each completely measured call of each input; `examples` are (input name, calls).

    A cost is the median of a variant's samples (its reciprocal where larger is better), infinite
    for a variant that was excluded, failed or returned an infinite metric (which is not a failure),
    and everywhere for one that `failed` withholds. Calls on which no variant worked, and calls with
    a feature that is not finite, are left out and reported as failures.

    With `runs_next_best`, where metrics are seconds, another variant runs after one that returned
    an infinite metric: that costs what its run took, and at least the best variant's cost. The
    `lost_seconds` of the set let the judge charge the variant that actually runs next.
    """
    names: list[str] = []
    rows: list[list[float]] = []
    costs: list[list[float]] = []
    exhaustive: list[float] = []
    spread: list[list[float]] = []
    seconds: list[list[float]] = []
    lost: list[list[float]] = []
    errors: list[list[float]] = []
    measured: list[list[float]] = []
    failures: list[Failure] = []
    for name, example in distinct_calls(offer, examples):
        if example.featureless:
            failures.append(Failure(name, None, example.featureless))
            continue
        failures += _failures(name, offer, example)
        features = [example.features[feature] for feature in offer.features]
        wrong = [
            f for f, value in zip(offer.features, features, strict=True) if not math.isfinite(value)
        ]
        if wrong:
            failures.append(Failure(name, None, f"feature {wrong[0]} is not a finite number"))
            continue
        cost = [
            math.inf if variant in failed.withheld else cost_of(example, variant, offer)
            for variant in offer.variants
        ]
        paid = cost
        if offer.approximate:
            error = errors_of(example, offer)
            known = offer.default not in failed.withheld  # what errors are measured against
            cost = [
                value if may_choose(wrong if known else math.nan, variant, offer) else math.inf
                for value, wrong, variant in zip(paid, error, offer.variants, strict=True)
            ]
        if not any(math.isfinite(value) for value in cost):
            failures.append(Failure(name, None, _nothing_works(example, offer)))
            continue
        if offer.approximate:
            errors.append(error)
            measured.append(paid)
        names.append(name)
        rows.append(features)
        lost.append(
            [
                0.0 if variant in failed.withheld else example.lost_seconds.get(variant, 0.0)
                for variant in offer.variants
            ]
        )
        costs.append(cost)
        exhaustive.append(exhaustive_cost(example, offer, cost))
        spread.append(spreads_of(example, offer))
        seconds.append([example.feature_seconds.get(f, 0.0) for f in offer.features])
    count, width = len(names), len(offer.features)
    times = np.array(seconds, dtype=float).reshape(count, width)
    table = np.array(costs, dtype=float).reshape(count, len(offer.variants))
    charged: Floats | None = None
    if runs_next_best and offer.unit == "s" and count:
        charged = np.where(np.isinf(table), np.array(lost), 0.0)
        best = table.min(axis=1, keepdims=True)
        table = np.where(charged > 0, charged + best, table)
    data = TrainingSet(
        function=function,
        features=offer.features,
        variants=offer.variants,
        inputs=tuple(names),
        values=np.array(rows, dtype=float).reshape(count, width),
        costs=table,
        lost_seconds=charged,
        feature_seconds=np.median(times, axis=0) if count else np.zeros(width),
        default=offer.default,
        cost_seconds=1.0 if offer.unit == "s" else None,
        feature_times=times,
        shared_features=shared_features,
        exhaustive=np.array(exhaustive, dtype=float),
        failed_on=failed.counts(offer.variants) if failed.variants else (),
        spread=np.array(spread, dtype=float).reshape(count, len(offer.variants)),
        errors=_table(errors, offer) if offer.approximate else None,
        measured=_table(measured, offer) if offer.approximate else None,
    )
    return Table(data, tuple(failures), failed)


def _table(rows: list[list[float]], offer: Offer) -> Floats:
    return np.array(rows, dtype=float).reshape(len(rows), len(offer.variants))


def _nothing_works(example: Example, offer: Offer) -> str:
    working = [v for v in offer.variants if math.isfinite(cost_of(example, v, offer))]
    if working and set(working) <= set(offer.approximate):
        return f"only approximate variants work on this input ({', '.join(working)})"
    if working:
        return "the variants that work on this input failed on others"
    if all(example.verdicts[variant][0] == "excluded" for variant in offer.variants):
        return f"the constraints exclude all variants on this input ({', '.join(offer.variants)})"
    return "no variant works on this input"


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
            if not is_infinite_cost(metric, offer):  # that is a cost
                found.append(Failure(name, variant, f"its metric {metric:g} cannot be a cost"))
    return found
