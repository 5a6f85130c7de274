"""A model without the variants that it can never choose.

A program that is compiled after training needs no more than those: what no input leads to is code
that takes room and is never run.
"""

from __future__ import annotations

from dataclasses import replace

from fettle.model.model import Model
from fettle.model.trees import one_leaf


def without_unreachable(model: Model) -> Model:
    """A model that chooses the same everywhere, of the variants that it may choose only.

    Those are the default, which runs wherever the model does not decide, and what its predictor may
    choose, in the order of `model.variants`. Where the default alone is left, the model has no
    inputs either.
    """
    default = model.variants.index(model.default)
    kept = sorted({default} | model.predictor.choosable(len(model.variants)))
    if len(kept) == len(model.variants):
        return model
    variants = tuple(model.variants[index] for index in kept)
    if len(variants) == 1:
        model = replace(model, inputs=(), predictor=one_leaf((0.0,)))
    else:
        model = replace(model, predictor=model.predictor.restricted(kept))
    return replace(
        model,
        variants=variants,
        parameters={name: its for name, its in model.parameters.items() if name in variants},
        refinements={name: its for name, its in model.refinements.items() if name in variants},
        errors=None if model.errors is None else model.errors.only(variants),
    )
