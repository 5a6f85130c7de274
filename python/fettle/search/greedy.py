"""Greedy search: steepest descent from a random point, once or with restarts."""

from __future__ import annotations

from fettle.core.errors import FettleError
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.numbering import Key
from fettle.search.space import Space


class Greedy(SteppedStrategy):
    """Goes to the best neighbour while that is better ("GS" of Bruel et al. 2019, section V.A).

    Neighbours differ in one parameter: by one valid step of an ordered one, by any value of
    another (`Points.neighbours`). Ends at the first local optimum, whatever is left of the budget;
    with `restart` ("GSR") it starts again at a random new point until the budget or the space is
    spent. Failed points are never gone to; a start that fails is replaced by another. `last_step`
    names a parameter: a descent ends after a step that changes this one alone, as that of the
    paper's authors did with `lws_y`.
    """

    def __init__(
        self,
        space: Space,
        seed: int,
        budget: int | None = None,
        restart: bool = False,
        last_step: str | None = None,
    ) -> None:
        super().__init__(space, seed, budget)
        if not isinstance(restart, bool):
            raise FettleError(f"restart={restart!r}; give True or False")
        if last_step is not None and last_step not in self.points.names:
            raise FettleError(
                f"last_step={last_step!r} is not a parameter; there are "
                f"{', '.join(self.points.names)}"
            )
        self.restart = restart
        self.last_step = last_step

    def steps(self) -> Steps[None]:
        """Descents, each from a new random point."""
        while (start := self.fresh()) is not None:
            value = yield from self.value(start)
            if value == float("inf"):
                continue
            yield from self._descend(start, value)
            if not self.restart:
                return

    def _descend(self, key: Key, value: float) -> Steps[None]:
        while True:
            best, best_value = key, value
            neighbours = self.points.neighbours(key)
            self.rng.shuffle(neighbours)
            for neighbour in neighbours:
                other = yield from self.value(neighbour)
                if other < best_value:
                    best, best_value = neighbour, other
            if best == key or self._changed(key, best) == self.last_step:
                return
            key, value = best, best_value

    def _changed(self, key: Key, other: Key) -> str | None:
        """The one parameter in which two points differ."""
        names = [n for n, a, b in zip(self.points.names, key, other, strict=True) if a != b]
        return names[0] if len(names) == 1 else None
