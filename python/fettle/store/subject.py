"""What measurements are of: a function on a machine, its inputs, and the variants it offers.

Records of one `Subject` never mix with those of another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Subject:
    """What measurements are of: program, function, machine, and the policy that bears on them."""

    program: str
    function: str
    machine: str
    conditions: str


@dataclass(frozen=True)
class InputKey:
    """An input: the arguments as one text, and a digest of the files that they name."""

    arguments: str
    content: str


@dataclass(frozen=True)
class Offer:
    """What the program offered for tuning when it was last seen."""

    variants: tuple[str, ...]
    features: tuple[str, ...]
    default: str
    unit: str
    larger_is_better: bool
    machine: dict[str, str]
    parameters: dict[str, Any] = field(default_factory=dict)  # as the log's header says them
    versions: dict[str, str] = field(default_factory=dict)  # of variants that state one
    metrics: dict[str, str] = field(default_factory=dict)  # several: names, the own first; units
    quality: dict[str, Any] = field(default_factory=dict)  # `approximate` variants and the `bound`

    @property
    def approximate(self) -> tuple[str, ...]:
        """The variants whose output may differ from the default's."""
        return tuple(self.quality.get("approximate", ()))

    @property
    def bound(self) -> float | None:
        """The largest error of a result; None where the program gives none."""
        found: float | None = self.quality.get("bound")
        return found
