"""A deployed model in Python: it chooses as the C++ program with it does, and says why.

model = fettle.load("fettle_models/sort")
model.choose(bytes=3, cost=5).variant
"""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fettle.core.errors import FettleError
from fettle.core.native import native
from fettle.model.model import Model
from fettle.model.model_directory import named_in, read_model
from fettle.model.trees import NEVER

Floats = NDArray[np.float64]
Reason: TypeAlias = Literal[
    "model", "outside the trained region", "error bound", "excluded by a constraint"
]

MODEL_FILE = "model.txt"
BY_MODEL: Reason = "model"
OUTSIDE: Reason = "outside the trained region"
BY_BOUND: Reason = "error bound"
EXCLUDED: Reason = "excluded by a constraint"


@dataclass(frozen=True)
class Choice:
    """What a program with the model runs for one input, and why.

    - `variant`: its name; a point of a variant with parameters is named with its values.
    - `reason`: "model": the model chose it. "error bound": it is the best exact variant, because
      an approximate one might miss the bound. Otherwise it is the default variant, because the
      input is "outside the trained region", or the chosen one "excluded by a constraint".
    - `details`: otherwise the bound, which feature is outside of which range, or what is excluded.
    - `scores`: the model's figure for each variant, larger is better; None where it can never be
      chosen. Figures of different models cannot be compared.
    """

    variant: str
    reason: Reason
    details: tuple[str, ...]
    scores: Mapping[str, float | None]

    def __str__(self) -> str:
        why = "" if self.reason == BY_MODEL else f" ({self.reason}: {'; '.join(self.details)})"
        return self.variant + why


def _on_this_machine(model: Model) -> Model:
    """What a model's features and inputs are where the C++ predictor has specialised it."""
    if not model.device:
        return model
    return replace(
        model,
        features=tuple(name for name in model.features if name not in model.device),
        inputs=tuple(one for one in model.inputs if one.feature not in model.device),
    )


class DeployedModel:
    """A model directory as programs use it: `function`, `variants`, `features`, `default`.

    Choices are made by the C++ predictor, bit for bit as in the program. Made by `load`.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.model: Model = _on_this_machine(read_model(directory))
        self._native: Any = native().Model(str(directory))

    @property
    def function(self) -> str:
        """The name of the function."""
        return self.model.function

    @property
    def variants(self) -> tuple[str, ...]:
        """What it chooses among."""
        return self.model.variants

    @property
    def features(self) -> tuple[str, ...]:
        """The features of an input, in the order of `choose_many`."""
        return self.model.features

    @property
    def default(self) -> str:
        """The variant that runs where the model does not decide."""
        return self.model.default

    @property
    def provenance(self) -> Mapping[str, str]:
        """What the model was made of, when and where, and how good it is."""
        return self.model.provenance

    def choose(
        self,
        values: Mapping[str, float] | None = None,
        /,
        *,
        excluded: Collection[str] = (),
        **named: float,
    ) -> Choice:
        """The variant for one input, given by the values of all features of the model.

        Values are keywords, or a mapping where a feature's name is not a Python name. `excluded`
        names the variants whose constraints do not hold for the input: constraints are code of the
        program, which the model does not contain. Raises FettleError, with the names, for features
        or variants that are missing or unknown. Takes about 10 microseconds.
        """
        row = self._row({**(values or {}), **named})
        unknown = sorted(set(excluded) - {*self.variants})
        if unknown:
            raise FettleError(
                f"{self.function} has no variant {unknown[0]!r}; it has {', '.join(self.variants)}"
            )
        selected = self._native.select(row)
        scores = zip(self.variants, map(_finite, selected.scores), strict=True)
        [name], _ = self.names_of(np.array([row]))
        reason, details = selected.reason, self._outside(row)
        chosen = self.variants[selected.index]
        if reason == BY_BOUND and self.model.errors is not None:
            details = (f"an approximate one might miss the bound {self.model.errors.bound:g}",)
        if reason == BY_MODEL:
            details = ()
            if chosen in excluded and chosen != self.default:
                name, reason, details = self.default, EXCLUDED, (f"the model chose {chosen}",)
        return Choice(name, reason, details, dict(scores))

    def choose_many(self, values: ArrayLike) -> list[str]:
        """The variants for many inputs: `values` has a row an input and a column a feature.

        The default variant outside the trained region; constraints are not looked at. Raises
        FettleError for another number of columns. Takes well below a microsecond a row for a tree.
        """
        return self.names_of(np.asarray(values, dtype=np.float64))[0]

    def names_of(self, values: Floats) -> tuple[list[str], list[str]]:
        """For each row of features what is selected, and the reason.

        A variant with parameters is named alone where it runs at its defaults.
        """
        indices, reasons = self._native.select_many(values)
        names = [str(self._native.variants[index]) for index in indices]
        for variant, below in self._refinements.items():
            rows = [
                row
                for row, name in enumerate(names)
                if name == variant and reasons[row] == BY_MODEL
            ]
            if rows:
                for row, index in zip(rows, below.select_many(values[rows])[0], strict=True):
                    names[row] = str(below.variants[index])
        return names, [str(reason) for reason in reasons]

    def __repr__(self) -> str:
        return f"<model of {self.function}({', '.join(self.features)}) in {self.directory}>"

    @cached_property
    def _refinements(self) -> dict[str, Any]:
        folders = named_in(self.directory, "refine")
        return {
            variant: native().Model(str(self.directory / folder))
            for variant, folder in zip(self.model.refinements, folders, strict=True)
        }

    def _row(self, values: Mapping[str, float]) -> list[float]:
        for name in values:
            if name not in self.features:
                near = difflib.get_close_matches(name, self.features, n=1)
                hint = f"did you mean {near[0]!r}? " if near else ""
                raise FettleError(
                    f"{self.function} has no feature {name!r}; {hint}it has "
                    f"{', '.join(self.features) or 'none'}"
                )
        missing = [name for name in self.features if name not in values]
        if missing:
            raise FettleError(
                f"{self.function} needs a value of {', '.join(missing)}; its features are "
                f"{', '.join(self.features)}"
            )
        return [float(values[name]) for name in self.features]

    def _outside(self, row: Sequence[float]) -> tuple[str, ...]:
        """The features with values that are outside of the range of the training inputs."""
        found = []
        for entry in self.model.inputs:
            value = row[self.features.index(entry.feature)]
            if entry.divisor is not None or entry.transform == "root_fraction":
                continue  # what it is made of is in the list by itself, or inside
            low, high = entry.low, entry.high
            if entry.transform == "log":
                low, high = math.exp(low), math.exp(high)
            if not low <= value <= high:
                found.append(f"{entry.feature} is {value:g}, trained on {low:.4g} to {high:.4g}")
        return tuple(found) or ("a ratio of features",)


def load(directory: str | os.PathLike[str]) -> DeployedModel:
    """The model in a directory that `fettle tune` or `fettle train` wrote, or in a folder of one.

    Raises FettleError where there is none, several, or one that cannot be used: damaged, of another
    version, or incomplete. Reads the files once; later changes of them are not noticed.
    """
    found = model_directories(Path(directory))
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise FettleError(f"{directory} holds several models: {names}; name one of these folders")
    return DeployedModel(found[0])


def model_directories(directory: Path) -> list[Path]:
    """`directory` itself if it is a model, otherwise the models in it. Raises FettleError."""
    if (directory / MODEL_FILE).exists():
        return [directory]
    inside = sorted(path.parent for path in directory.glob(f"*/{MODEL_FILE}"))
    if not inside:
        what = "holds no" if directory.is_dir() else "is not a directory that holds a"
        raise FettleError(
            f"{directory} {what} {MODEL_FILE}, nor does a folder in it; give the directory that "
            "`fettle tune` or `fettle train --model` wrote"
        )
    return inside


def _finite(score: float) -> float | None:
    return score if math.isfinite(score) and score > -NEVER else None
