"""A model that cannot choose certain variants, whatever its classifier has made of the data.

Their cost at every leaf is beyond all others, so that neither a choice nor the next best one falls
on them; a support vector machine has no class for them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from fettle.model.model import Model
from fettle.model.model_text import ModelError
from fettle.model.predictor_text import NEVER, SvmPredictor, TreePredictor
from fettle.model.reachable_variants import labels_of


def never_choosing(model: Model, names: Collection[str]) -> Model:
    """The model, and those that refine it, without any choice of the variants or points `names`.

    It may still fall back to its default. Raises ModelError for a machine with a class for one of
    them, which has to be trained without.
    """
    below = {name: never_choosing(one, names) for name, one in model.refinements.items()}
    # A variant with a refining model stays: that model chooses among the variant's points.
    places = {k for k, name in enumerate(model.variants) if name in names and name not in below}
    if not places:
        return replace(model, refinements=below)
    if isinstance(model.predictor, SvmPredictor):
        chosen = places & set(labels_of(model.predictor.text))
        if chosen:
            raise ModelError(
                f"{model.function}: the classifier's machine chooses "
                f"{model.variants[min(chosen)]!r}, which failed on some input; train it on usable "
                "variants only: those with a finite cost on some input"
            )
        return replace(model, refinements=below)
    trees = tuple(
        replace(tree, cost=tuple(_costs(its, places) for its in tree.cost))
        for tree in model.predictor.trees
    )
    return replace(model, predictor=TreePredictor(trees), refinements=below)


def _costs(costs: tuple[float, ...], places: Collection[int]) -> tuple[float, ...]:
    return tuple(NEVER if place in places else cost for place, cost in enumerate(costs))
