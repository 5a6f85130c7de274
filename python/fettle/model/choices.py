"""What a model may choose at all: everything, some variants, or the default one only."""

from __future__ import annotations

from dataclasses import replace

from fettle.model.model import Model
from fettle.model.reachable_variants import without_unreachable
from fettle.model.trees import one_leaf


def always_default(model: Model) -> Model:
    """A model that is deployed as this one, and always chooses the default variant."""
    default = model.variants.index(model.default)
    costs = [float(k != default) for k in range(len(model.variants))]
    return replace(model, inputs=(), predictor=one_leaf(costs), refinements={})


def is_always_default(model: Model) -> bool:
    """Whether a model can choose nothing but the default variant, at its default values."""
    only = without_unreachable(model)
    return only.variants == (model.default,) and not only.refinements


def is_same(one: Model, other: Model) -> bool:
    """Whether two models choose alike everywhere, as far as one can see."""
    return replace(one, provenance={}, refinements={}) == replace(
        other, provenance={}, refinements={}
    ) and (
        one.refinements.keys() == other.refinements.keys()
        and all(is_same(its, other.refinements[name]) for name, its in one.refinements.items())
    )


def choosable(model: Model) -> set[str]:
    """The variants, and points of them, that a model may choose."""
    only = without_unreachable(model)
    below = [choosable(one) for one in only.refinements.values()]
    return {name for name in only.variants if name not in only.refinements}.union(*below)
