"""Columns of a table that are variants of a model, or points of their parameters."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.model.model import Model
from fettle.search.variant_space import VariantSpace


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
