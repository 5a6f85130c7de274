"""What a script says of clock frequencies: `CodeVariant.tune_frequency`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from fettle.classifiers.clocked import FrequencyModels
from fettle.core.errors import FettleError

Clocks: TypeAlias = tuple[int, ...] | Literal["auto"]


@dataclass(frozen=True)
class Frequency:
    """Made by `frequency_of`."""

    clocks: Clocks
    """MHz at which variants are measured; "auto": those of the device that are worth it."""
    models: FrequencyModels
    """One model of all pairs of variant and clock, or one of each as in the paper."""
    deploy: bool
    """Whether calls set the clock unless FETTLE_FREQUENCY or the context forbid it."""


def frequency_of(
    clocks: Iterable[int] | str, models: FrequencyModels = "joint", *, deploy: bool = False
) -> Frequency:
    """Raises FettleError for clocks that are none."""
    if models not in get_args(FrequencyModels):
        raise FettleError(f"tune_frequency: models is 'joint' or 'two', not {models!r}")
    if isinstance(clocks, str):
        if clocks != "auto":
            raise FettleError(
                f"tune_frequency takes 'auto' or a list of MHz, such as [562, 745, 875], not "
                f"{clocks!r}"
            )
        return Frequency("auto", models, deploy)
    found = tuple(clocks)
    good = all(isinstance(one, int) and not isinstance(one, bool) and one > 0 for one in found)
    if not found or not good or len(set(found)) < len(found):
        raise FettleError(
            "tune_frequency takes different whole numbers of MHz, such as [562, 745, 875], not "
            f"{list(found)!r}"
        )
    return Frequency(found, models, deploy)
