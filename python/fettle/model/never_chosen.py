"""A model that cannot choose certain variants, whatever its classifier has made of the data.

Neither a choice nor the next best one falls on them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from fettle.model.model import Model
from fettle.model.model_text import ModelError


def never_choosing(model: Model, names: Collection[str]) -> Model:
    """The model, and those that refine it, without any choice of the variants or points `names`.

    It may still fall back to its default. Raises ModelError for a model that has to be trained
    without one of them, as a support vector machine with a class for it.
    """
    below = {name: never_choosing(one, names) for name, one in model.refinements.items()}
    # A variant with a refining model stays: that model chooses among the variant's points.
    excluded = {k for k, name in enumerate(model.variants) if name in names and name not in below}
    if not excluded:
        return replace(model, refinements=below)
    predictor = model.predictor.never_choosing(excluded)
    if predictor is None:
        chosen = excluded & model.predictor.choosable(len(model.variants))
        raise ModelError(
            f"{model.function}: the model of the classifier {model.classifier} chooses "
            f"{model.variants[min(chosen)]!r}, which failed on some input; train it on usable "
            "variants only: those with a finite cost on some input"
        )
    return replace(model, predictor=predictor, refinements=below)
