"""What a program with the model of a directory runs: variants, and points of their parameters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fettle.core.native import native
from fettle.model.model import Model
from fettle.model.model_directory import named_in, read_model
from fettle.search.variant_space import VariantSpace

BY_MODEL = "model"  # the reason of a selection that the model has made


def chosen_names(
    directory: Path, model: Model, values: NDArray[np.float64]
) -> tuple[list[str], list[str]]:
    """For each row of features what is selected, and why. `model` is that of the directory.

    A variant with parameters is named alone where it runs at its defaults.
    """
    upper = native().Model(str(directory))
    indices, reasons = upper.select_many(values)
    names = [str(upper.variants[index]) for index in indices]
    for variant, folder in zip(model.refinements, named_in(directory, "refine"), strict=True):
        rows = [
            row for row, name in enumerate(names) if name == variant and reasons[row] == BY_MODEL
        ]
        if rows:
            below = native().Model(str(directory / folder))
            for row, place in zip(rows, below.select_many(values[rows])[0], strict=True):
                names[row] = str(below.variants[place])
    return names, [str(reason) for reason in reasons]


def chosen_name(directory: Path, values: Sequence[float]) -> tuple[str, str]:
    """`chosen_names` of one row."""
    row = np.array([values], dtype=np.float64)
    [name], [reason] = chosen_names(directory, read_model(directory), row)
    return name, reason


def measured_names(model: Model, columns: Sequence[str]) -> list[str]:
    """The columns of a table that are variants of a model, or any points of these."""
    spaces = [
        VariantSpace(variant, dict(values), {}) for variant, values in model.parameters.items()
    ]
    return [
        name
        for name in columns
        if name in model.variants or any(space.parse(name) is not None for space in spaces)
    ]


def needed_names(model: Model) -> list[str]:
    """The columns that a table has to have: all that the model may choose, but for defaults."""
    names = [name for name in model.variants if name not in model.refinements]
    return [*names, *(name for one in model.refinements.values() for name in one.variants)]
