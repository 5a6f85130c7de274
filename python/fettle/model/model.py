"""A trained model, as the program will load it: what it says, and what has to be true of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, TypeAlias, get_args

from fettle.model.model_text import ModelError
from fettle.model.predictor_text import MAXIMUM_CLASSES, MAXIMUM_INPUTS, SvmPredictor, TreePredictor
from fettle.model.refined_model_text import Parameters

Transform: TypeAlias = Literal["linear", "log", "ratio", "log_ratio", "fraction", "root_fraction"]
DIVIDING = ("ratio", "log_ratio", "fraction")
"""The transforms that have a divisor."""


@dataclass(frozen=True)
class ModelInput:
    """An input of the predictor: a transform of one feature, or of two.

    `low` and `high` are the smallest and the largest transformed value in training.
    """

    transform: Transform
    feature: str
    divisor: str | None
    low: float
    high: float


@dataclass(frozen=True)
class Model:
    """A trained model of one function, as the program will load it."""

    function: str
    variants: tuple[str, ...]
    features: tuple[str, ...]
    inputs: tuple[ModelInput, ...]
    predictor: SvmPredictor | TreePredictor
    default: str
    guard: float | None
    provenance: dict[str, str]
    parameters: Parameters = field(default_factory=dict)
    refinements: Mapping[str, Model] = field(default_factory=dict)
    """For variants the models that choose among their points, which are their `variants`."""

    @property
    def classifier(self) -> Literal["svm", "tree", "forest"]:
        """What model.txt calls the predictor."""
        if isinstance(self.predictor, SvmPredictor):
            return "svm"
        return "tree" if len(self.predictor.trees) == 1 else "forest"


def check(model: Model) -> None:
    """Raises ModelError where the model contradicts itself."""
    _check_names("variants", model.variants, 1, MAXIMUM_CLASSES)
    _check_names("features", model.features, 0, MAXIMUM_INPUTS)
    _check_names("provenance", list(model.provenance), 0, len(model.provenance))
    if not model.function:
        raise ModelError("the model's function has no name")
    if model.default not in model.variants:
        raise ModelError(f"the default {model.default!r} is none of the variants")
    if model.guard is not None and not 0 <= model.guard <= 1e6:
        raise ModelError(f"the guard is {model.guard}, but must be within 0 and 1e6")
    if len(model.inputs) > MAXIMUM_INPUTS:
        raise ModelError(f"{len(model.inputs)} inputs are more than {MAXIMUM_INPUTS}")
    if model.classifier == "svm" and not model.inputs:
        raise ModelError("a support vector machine needs an input")
    for one in model.inputs:
        divides = one.transform in DIVIDING
        names = [one.feature] if one.divisor is None else [one.feature, one.divisor]
        if one.transform not in get_args(Transform) or divides != (one.divisor is not None):
            raise ModelError(f"{one} is not a transform of one feature, or of two")
        if missing := set(names) - set(model.features):
            raise ModelError(f"{missing.pop()!r}, an input's feature, is none of the features")
        if not (isfinite(one.high - one.low) and one.low <= one.high):
            raise ModelError(f"the range of {one} is not from low to high")

    for variant, refinement in model.refinements.items():
        check(refinement)
        if variant not in model.variants or variant not in model.parameters:
            raise ModelError(f"{variant!r}, which is refined, is not a variant with parameters")
        of_another = (refinement.function, refinement.features) != (model.function, model.features)
        if of_another or refinement.refinements:
            raise ModelError(
                f"the refinement of {variant!r} is of another function, of other features or "
                "refined itself"
            )


def _check_names(what: str, names: Sequence[str], least: int, most: int) -> None:
    if not least <= len(names) <= most:
        raise ModelError(f"there are {len(names)} {what}, but must be {least} to {most}")
    if len(set(names)) != len(names) or "" in names:
        raise ModelError(f"the {what} are not all named, and named differently")
