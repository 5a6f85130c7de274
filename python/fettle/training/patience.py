"""Whether a variant that runs past its limit is slow or hangs.

The limit of a run is a multiple of what the best variant takes. A run beyond it is useless as a
measurement, but it may still end: a quadratic sort of a large array is a thousand times slower than
the best one and yet correct, and it is the best one for small arrays. So the tuner waits for the
first runs beyond the limit. A run that ends is a cost like any other. One that does not end is a
hang, which is a failure (failed.py), and the tuner waits for no later run of that variant. Once it
has waited for a variant long enough, later runs are killed at their limit and count as slow.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from fettle.training.record import Start

SECONDS = 60.0
WAITS = 3.0  # that are spent on each variant at most, in multiples of `seconds`


@dataclass
class Patience:
    """How long runs beyond their limit are waited for; `seconds` of 0: not at all."""

    seconds: float = SECONDS
    hung: set[str] = field(default_factory=set)
    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def limit(self, start: Start) -> float:
        """How many seconds a batch of runs may take."""
        known = start.limit_seconds
        if start.variant in self.hung or self.spent[start.variant] >= WAITS * self.seconds:
            return known
        return max(known, self.seconds)

    def ended(self, start: Start, seconds: float) -> None:
        """A batch of runs has ended by itself."""
        if seconds > start.limit_seconds:
            self.spent[start.variant] += seconds

    def is_hang(self, start: Start, waited: float) -> bool:
        """Whether a batch that was killed after `waited` seconds counts as a hang."""
        if start.variant in self.hung or waited < self.seconds or not self.seconds:
            return False
        self.hung.add(start.variant)
        return True
