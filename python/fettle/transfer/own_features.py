"""Device features of the user's: numbers or callables of the script, columns of a machines file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.data.table import read_table
from fettle.training.settings import OwnFeature
from fettle.transfer.machines import read_machines


def check_positive(name: str, value: float) -> None:
    """Raises FettleError for a negative feature: machines are compared by ratios."""
    if value < 0:
        raise FettleError(
            f"the device feature {name!r} is {value:g}; a device feature is a positive number, "
            "because machines are compared by ratios: give a magnitude, or leave it out where it "
            "is not known"
        )


def evaluated(features: Mapping[str, OwnFeature]) -> dict[str, float]:
    """The features of this machine. Raises FettleError, which names the one without a number."""
    found: dict[str, float] = {}
    for name, one in features.items():
        try:
            value = float(one() if callable(one) else one)
        except Exception as error:
            raise FettleError(
                f"the device feature {name!r} has no value: {type(error).__name__}: {error}; it "
                "must be a number, or a function without arguments that returns one"
            ) from error
        if not math.isfinite(value):
            raise FettleError(
                f"the device feature {name!r} is {value}; where it is not known, leave it out"
            )
        check_positive(name, value)
        found[name] = value
    return found


def features_of_file(path: Path) -> dict[str, dict[str, float]]:
    """The numbers of a machines file by machine, those not known left out.

    The machines' names are in the first column. Raises FettleError for a file that is none.
    """
    table = read_table(path)
    column = table.columns[0]
    machines = read_machines(path, column, table.cells(column))
    return {
        name: {
            feature: value
            for feature, value in zip(machines.features, row.tolist(), strict=True)
            if math.isfinite(value)
        }
        for name, row in zip(machines.names, machines.values, strict=True)
    }
