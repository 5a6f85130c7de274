"""Which points of the variants' parameters are deployed: few, that together serve all inputs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from fettle.classifiers.winners import LOSS, winners
from fettle.core.native import native
from fettle.data.score import share_of_best
from fettle.data.training_set import TrainingSet
from fettle.model.model_text import ModelError
from fettle.parameters.racing import levelled
from fettle.search.variant_space import VariantSpace, family_of
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.costs import cost_of
from fettle.training.examples import Table, make_table
from fettle.training.failed import NONE_FAILED, FailedVariants

# A point is deployed where it brings the mean share of best forward by this.
WORTH = 0.003

Calls = Iterable[tuple[str, Sequence[Example]]]


def table_of_points(
    function: str,
    offer: Offer,
    examples: Calls,
    classes: Sequence[str],
    shared_features: tuple[frozenset[str], ...] = (),
    failed: FailedVariants = NONE_FAILED,
    *,
    level: bool = False,
) -> Table:
    """The table of these variants and points; what was not measured on a call costs infinity.

    With `level`, to learn from, points that tie with the best one cost nearly the same.
    """
    rivals = [name for name in classes if name not in failed.withheld] if level else []
    shown = [
        (name, [_filled(one, offer, classes, rivals) for one in calls]) for name, calls in examples
    ]
    offered = replace(offer, variants=tuple(classes))
    table = make_table(function, offered, shown, shared_features, failed)
    # Levelled costs contain the ties already, so their spread must not be used again.
    return replace(table, data=replace(table.data, spread=None)) if level else table


def table_of_variants(
    function: str,
    offer: Offer,
    examples: Calls,
    spaces: Mapping[str, VariantSpace],
    shared_features: tuple[frozenset[str], ...] = (),
    failed: FailedVariants = NONE_FAILED,
) -> Table:
    """The table of the variants, each at the best point that was measured on the call.

    Of a variant with parameters those points count that never failed, its defaults or others.
    """
    shown = [
        (name, [_at_best(one, offer, spaces, failed) for one in calls]) for name, calls in examples
    ]
    plain = [one for one in failed.variants if family_of(one.variant, spaces) not in spaces]
    return make_table(function, offer, shown, shared_features, FailedVariants(tuple(plain)))


def _filled(
    example: Example, offer: Offer, classes: Sequence[str], rivals: Sequence[str]
) -> Example:
    if not all(variant in example.verdicts for variant in offer.variants):
        return example  # it is not known at all, and left out as such
    if rivals:
        example = levelled(example, rivals, offer)
    verdicts = dict(example.verdicts)
    for name in classes:
        verdicts.setdefault(name, ("excluded", "not measured"))
    return replace(example, verdicts=verdicts)


def _at_best(
    example: Example, offer: Offer, spaces: Mapping[str, VariantSpace], failed: FailedVariants
) -> Example:
    samples, verdicts = dict(example.samples), dict(example.verdicts)
    for space in spaces.values():
        known = {
            name: cost_of(example, name, offer)
            for name in example.verdicts
            if space.parse(name) is not None and name not in failed.withheld
        }
        best = min(known, key=lambda name: known[name], default=None)
        if best is not None and math.isfinite(known[best]):
            samples[space.default_name] = example.samples[best]
            verdicts[space.default_name] = ("measured", "")
        elif space.default_name in failed.withheld and space.default_name in verdicts:
            verdicts[space.default_name] = ("excluded", "it failed on another input")
    return replace(example, samples=samples, verdicts=verdicts)


def all_classes(offer: Offer, spaces: Mapping[str, VariantSpace]) -> tuple[str, ...]:
    """Every variant and every valid point, for "variants". Raises ModelError for too many."""
    count = sum(len(space.space) for space in spaces.values())
    count += len(offer.variants) - len(spaces)
    most = native().maximum_classes
    if count > most:
        raise ModelError(
            f"the variants have {count} points, but a model can choose among {most} at most; "
            "tune them with ParameterSearch('restricted') or ('multilevel')"
        )
    points = [space.name_of(p) for space in spaces.values() for p in space.space]
    return (*offer.variants, *(name for name in points if name not in offer.variants))


def worth_deploying(
    data: TrainingSet, always: Sequence[str], spaces: Mapping[str, VariantSpace], most: int
) -> tuple[str, ...]:
    """Of the table's points as few as keep the share of best, at most `most` a variant.

    Points that did not work where their variant does, or were not measured there, are never among
    them; those of `always` are in any case, and do not count.
    """
    unsafe = _unsafe(data, spaces) - set(always)
    kept = winners(data, loss=LOSS, gain=WORTH, never=unsafe, always=always)
    for variant in spaces:
        points = [n for n in kept if n not in always and family_of(n, spaces) == variant]
        while len(points) > most:
            share = share_of_best(data.costs)
            rest = [tuple(n for n in kept if n != one) for one in points]
            means = [share[:, _indices(data, names)].max(axis=1).mean() for names in rest]
            least = int(np.argmax(means))
            kept = rest[least]
            del points[least]
    return kept


def _unsafe(data: TrainingSet, spaces: Mapping[str, VariantSpace]) -> set[str]:
    works = np.isfinite(data.costs)
    found = set()
    for variant in spaces:
        indices = [k for k, n in enumerate(data.variants) if family_of(n, spaces) == variant]
        somewhere = works[:, indices].any(axis=1)
        found |= {data.variants[k] for k in indices if not works[somewhere, k].all()}
    return found


def _indices(data: TrainingSet, names: Sequence[str]) -> list[int]:
    return [data.variants.index(name) for name in names]
