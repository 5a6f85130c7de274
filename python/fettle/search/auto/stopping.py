"""When `auto` ends before its budget: after enough measurements that improved next to nothing."""

from __future__ import annotations

from fettle.search.auto.models import History


class Stopping:
    """The settled part of the history.

    `settled`: measurements without a gain after which the search may end, 0: never; `tolerance`:
    the fraction of the best value that a gain exceeds; `design`: the number of first measurements,
    which do not count as gains.
    """

    def __init__(self, settled: int, tolerance: float, design: int) -> None:
        self._settled = settled
        self._tolerance = tolerance
        self._design = design

    def is_settled(self, history: History) -> bool:
        """Whether the last `settled` measurements gained less than the tolerance."""
        return 0 < self._settled <= len(history) - 1 - self.last_gain(history)

    def last_gain(self, history: History) -> int:
        """The index of the last measurement that gained at least the tolerance."""
        first_best = int((history.values <= history.within(self._tolerance)).argmax())
        return max(first_best, self._design - 1)

    def is_little(self, gain: float) -> bool:
        """Whether an expected improvement is below the tolerance."""
        return gain < self._tolerance

    def may_end(self, history: History, gain: float) -> bool:
        """Whether the history is settled and the expected improvement is below the tolerance."""
        return self.is_little(gain) and self.is_settled(history)


def default_settled(settled: int, budget: int | None) -> int:
    """How many measurements without a gain end a search of this budget."""
    return settled if budget is None else max(settled // 2, budget // 4)
