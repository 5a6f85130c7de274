"""A trained model, as the program will load it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from fettle.model.model_text import ModelError
from fettle.model.predictor import Predictor

Transform: TypeAlias = Literal["linear", "log", "ratio", "log_ratio", "fraction", "root_fraction"]
DIVIDING = ("ratio", "log_ratio", "fraction")
"""The transforms that have a divisor."""

Parameters: TypeAlias = Mapping[str, Mapping[str, tuple[int, ...]]]
"""For each variant with parameters the values that they could have in training."""


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
class Expectation:
    """What a variant is expected to cost: by that a running program notices a change.

    The natural logarithm of its metric is `constant` plus the sum of `slopes` times the model's
    inputs, each scaled so that its training range is [-1, 1].
    """

    deviation: float
    """Standard deviation of the logarithm around that."""
    constant: float
    slopes: tuple[float, ...]


@dataclass(frozen=True)
class Admission:
    """On which inputs an approximate variant may run: where this is at most 0.

    `constant` plus the sum of `slopes` times the error model's inputs, each scaled so that its
    training range is [-1, 1]: the logarithm of error / bound, with a margin.
    """

    constant: float
    slopes: tuple[float, ...] = ()


@dataclass(frozen=True)
class ErrorModel:
    """Which variants are approximate, and which of them may run where (docs/formats.md)."""

    approximate: tuple[str, ...]
    bound: float = 0.0
    inputs: tuple[ModelInput, ...] = ()
    admissions: Mapping[str, Admission] = field(default_factory=dict)
    """Without one, an approximate variant never runs."""

    def only(self, variants: Collection[str]) -> ErrorModel:
        """Without what it says of other variants."""
        return ErrorModel(
            tuple(name for name in self.approximate if name in variants),
            self.bound,
            self.inputs,
            {name: its for name, its in self.admissions.items() if name in variants},
        )


@dataclass(frozen=True)
class Model:
    """A trained model of one function, as the program will load it."""

    function: str
    variants: tuple[str, ...]
    features: tuple[str, ...]
    inputs: tuple[ModelInput, ...]
    predictor: Predictor
    default: str
    guard: float | None
    provenance: dict[str, str]
    parameters: Parameters = field(default_factory=dict)
    refinements: Mapping[str, Model] = field(default_factory=dict)
    """For variants the models that choose among their points, which are their `variants`."""
    device: tuple[str, ...] = ()
    """The features that are the machine's: the program takes its own and specialises the model."""
    expectations: Mapping[str, Expectation] = field(default_factory=dict)
    """For variants what they are expected to cost."""
    errors: ErrorModel | None = None
    """Of approximate variants; None: there are none."""

    @property
    def classifier(self) -> str:
        """What model.txt calls the predictor."""
        return self.predictor.classifier


def check(model: Model) -> None:
    """Raises ModelError for contradictions that no single file shows: the reader finds the rest."""
    for what, names in (("variants", model.variants), ("features", model.features)):
        if "" in names:
            raise ModelError(f"the {what} are not all named")
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
