"""Exhaustive search: every point, in the space's order."""

from __future__ import annotations

from fettle.search.base import SteppedStrategy, Steps


class Exhaustive(SteppedStrategy):
    """Measures all points of the space; the reference that no other strategy can be better than."""

    def steps(self) -> Steps[None]:
        """One point after the other; nothing depends on the values."""
        for key in self.points:
            yield from self.value(key)
