"""Which points of the variants' parameters are deployed: few, that together serve all inputs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from fettle.model_directory import ModelError
from fettle.parameters.space import VariantSpace, family_of
from fettle.predictor_text import MAXIMUM_CLASSES
from fettle.store.base import Example, Offer
from fettle.training.examples import Table, cost_of, make_table
from fettle.training_set import TrainingSet

# Another point is deployed where it brings the mean share of best forward by this.
WORTH = 0.003

Calls = Iterable[tuple[str, Sequence[Example]]]


def table_of_points(
    function: str,
    offer: Offer,
    examples: Calls,
    classes: Sequence[str],
    shared_features: tuple[frozenset[str], ...] = (),
) -> Table:
    """The table of these variants and points; what was not measured on a call costs infinity."""
    shown = [(name, [_filled(one, offer, classes) for one in calls]) for name, calls in examples]
    return make_table(function, replace(offer, variants=tuple(classes)), shown, shared_features)


def table_of_variants(
    function: str,
    offer: Offer,
    examples: Calls,
    spaces: Mapping[str, VariantSpace],
    shared_features: tuple[frozenset[str], ...] = (),
) -> Table:
    """The table of the variants, each at the best point that was measured on the call."""
    shown = [(name, [_at_best(one, offer, spaces) for one in calls]) for name, calls in examples]
    return make_table(function, offer, shown, shared_features)


def _filled(example: Example, offer: Offer, classes: Sequence[str]) -> Example:
    if not all(variant in example.verdicts for variant in offer.variants):
        return example  # it is not known at all, and left out as such
    verdicts = dict(example.verdicts)
    for name in classes:
        verdicts.setdefault(name, ("excluded", "not measured"))
    return replace(example, verdicts=verdicts)


def _at_best(example: Example, offer: Offer, spaces: Mapping[str, VariantSpace]) -> Example:
    samples, verdicts = dict(example.samples), dict(example.verdicts)
    for space in spaces.values():
        known = {
            name: cost_of(example, name, offer)
            for name in example.verdicts
            if space.parse(name) is not None
        }
        best = min(known, key=lambda name: known[name], default=None)
        if best is not None and math.isfinite(known[best]):
            samples[space.default_name] = example.samples[best]
            verdicts[space.default_name] = ("measured", "")
    return replace(example, samples=samples, verdicts=verdicts)


def all_classes(offer: Offer, spaces: Mapping[str, VariantSpace]) -> tuple[str, ...]:
    """Every variant and every valid point, for "variants". Raises ModelError for too many."""
    count = sum(len(space.space) for space in spaces.values())
    count += len(offer.variants) - len(spaces)
    if count > MAXIMUM_CLASSES:
        raise ModelError(
            f"the variants have {count} points, but a model can choose among {MAXIMUM_CLASSES} at "
            "most; tune them with ParameterSearch('restricted') or ('multilevel')"
        )
    points = [space.name_of(p) for space in spaces.values() for p in space.space]
    return (*offer.variants, *(name for name in points if name not in offer.variants))


def best_of_all(data: TrainingSet, always: Sequence[str]) -> tuple[str, ...]:
    """Of a complete table those that are best on some input, and those that are in it always."""
    best = {data.variants[place] for place in data.costs.argmin(axis=1)}
    return tuple(name for name in data.variants if name in best or name in always)


def worth_deploying(
    data: TrainingSet, always: Sequence[str], spaces: Mapping[str, VariantSpace], most: int
) -> tuple[str, ...]:
    """Of the table's points those that are worth it, at most `most` a variant beside the default.

    Greedily: the point that brings the mean share of best furthest, until none brings WORTH.
    """
    kept = set(always)
    for variant in spaces:
        names = [name for name in data.variants if family_of(name, spaces) == variant]
        kept |= set(_worth(data, names, [name for name in names if name in always], most))
    return tuple(name for name in data.variants if name in kept)


def _worth(data: TrainingSet, names: Sequence[str], always: Sequence[str], most: int) -> list[str]:
    costs = data.only(list(names)).costs
    best = costs.min(axis=1)
    # Where the variant is far behind, its points do not matter; where one is missing, say nothing.
    near = (
        np.isfinite(best) & (best <= 2.0 * data.costs.min(axis=1)) & np.isfinite(costs).all(axis=1)
    )
    if not near.any():
        return list(always)
    share = best[near, None] / costs[near]
    chosen = [names.index(name) for name in always]
    while len(chosen) - len(always) < min(most, len(names) - len(always)):
        so_far = share[:, chosen].max(axis=1) if chosen else np.zeros(len(share))
        gains = np.maximum(share, so_far[:, None]).mean(axis=0) - so_far.mean()
        place = int(gains.argmax())
        if gains[place] < WORTH:
            break
        chosen.append(place)
    return [names[place] for place in chosen]
