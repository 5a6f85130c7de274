"""How carefully the tuned program is compared with the untuned one at the end of tuning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from fettle.core.errors import FettleError

WORTH = 1.02
SURE = 1.01

Item = TypeVar("Item")


@dataclass(frozen=True)
class Comparing:
    """The comparison that a tuning run ends with; its gain is the headline.

    On at most `inputs` inputs, for `seconds` each at most, longer only where a few runs take longer
    than that; on fewer inputs once it has taken 20 s and a quarter of the time that measuring took.
    A model whose gain over the untuned program is below `worth` is not deployed. Raises
    FettleError.
    """

    inputs: int = 100
    seconds: float = 0.5
    worth: float = WORTH

    def __post_init__(self) -> None:
        if self.inputs < 1:
            raise FettleError(f"Comparing: inputs must be at least 1, not {self.inputs!r}")
        for name in ("seconds", "worth"):
            if not getattr(self, name) >= 0:
                raise FettleError(
                    f"Comparing: {name} must be a number >= 0, not {getattr(self, name)!r}"
                )


def spread(items: Sequence[Item], most: int) -> list[Item]:
    """At most so many of the items, from all over their range.

    Both ends first, then ever finer steps: however many of them are taken, they are spread.
    """
    indices = list(range(len(items)))
    if len(items) > most:
        last = len(items) - 1
        indices = sorted({round(k * last / max(most - 1, 1)) for k in range(most)})
    order: list[int] = [index for index in dict.fromkeys((0, len(indices) - 1)) if indices]
    step = len(indices)
    while step > 1:
        step = -(-step // 2)
        order += [index for index in range(0, len(indices), step) if index not in order]
    return [items[indices[index]] for index in order]
