"""Genetic search: a population whose better half is crossed and mutated."""

from __future__ import annotations

import math

from fettle.core.errors import FettleError
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.numbering import Key
from fettle.search.space import Space

# Children in a row that are refused or known before a random point is measured instead.
_TRIES = 20
# Children in a row that are refused before a population stays smaller.
_REFUSED = 1000
# Generations in a row without a new point before the search ends.
_IDLE = 100


class Genetic(SteppedStrategy):
    """A generational genetic algorithm.

    This is "GA" of Bruel et al. 2019, section V.A, as the BOAST library that they used does it:
    parents are drawn with chances in proportion to 1 / value, their children take each parameter
    from either (uniform crossover), a child mutates with the chance `mutation` (None: 0.1) in one
    parameter, which is chosen by the logarithm of how many values it has, and the next population
    is the best of the old one and children that are valid and differ from each other, though not
    from the points of before. Of a budget of b there are b / population - 1 generations after the
    first. As points that come again are not measured again, fewer measurements are made than that.

    With `as_published=False` parents are the better of two drawn from the population (Goldberg,
    Deb 1991), and `mutation` is the chance of each parameter that it gets another value; None: one
    in the number of parameters. The best of parents and children are the next population. Children
    that the constraints refuse or that are known are drawn again; after 20 in a row a random point
    is measured. That finds better points, and spends the whole budget.
    """

    def __init__(
        self,
        space: Space,
        seed: int,
        budget: int | None = None,
        population: int = 20,
        mutation: float | None = None,
        as_published: bool = True,
    ) -> None:
        super().__init__(space, seed, budget)
        if population < 2:
            raise FettleError(f"a population of {population}; give at least 2")
        if mutation is not None and not 0 <= mutation <= 1:
            raise FettleError(f"a mutation rate of {mutation}; give a probability, 0 to 1")
        if not isinstance(as_published, bool):
            raise FettleError(f"as_published={as_published!r}; give True or False")
        self.population = min(population, max(2, space.product))  # never more than there are
        self.as_published = as_published
        if mutation is None:
            mutation = 0.1 if as_published else 1 / len(self.points.names)
        self.mutation = mutation

    def steps(self) -> Steps[None]:
        """The first population, then generations of as many children."""
        if self.as_published:
            return (yield from self._published())
        living: list[tuple[float, Key]] = []
        while len(living) < self.population:
            key = self.fresh()
            if key is None:
                return
            living.append(((yield from self.value(key)), key))
        while True:
            children = []
            for _ in range(self.population):
                child = self._child(living)
                if child is None:
                    return
                children.append(((yield from self.value(child)), child))
            living = sorted(living + children, key=lambda one: one[0])[: self.population]

    def _child(self, living: list[tuple[float, Key]]) -> Key | None:
        for _ in range(_TRIES):
            mother, father = self._parent(living), self._parent(living)
            child = tuple(
                self._mutated(i, pair[self.rng.randrange(2)])
                for i, pair in enumerate(zip(mother, father, strict=True))
            )
            if child not in self.visited and self.points.is_valid(child):
                return child
        return self.fresh()

    def _parent(self, living: list[tuple[float, Key]]) -> Key:
        one, other = self.rng.choice(living), self.rng.choice(living)
        return one[1] if one[0] <= other[0] else other[1]

    def _mutated(self, i: int, number: int) -> int:
        if self.rng.random() >= self.mutation or self.points.levels[i] == 1:
            return number
        other = self.rng.randrange(self.points.levels[i] - 1)
        return other + (other >= number)

    def _published(self) -> Steps[None]:
        living = [self.points.draw(self.rng) for _ in range(self.population)]
        left = math.inf if self.budget is None else max(self.budget // self.population - 1, 0)
        idle = 0
        while True:
            values = []
            for key in living:
                values.append((yield from self.value(key)))
            if left == 0:
                return
            left -= 1
            chances = _roulette(values)
            following = [living[values.index(min(values))]]
            refused = 0
            while len(following) < self.population and refused < _REFUSED:
                child = self._bred(living, chances)
                if child in following or not self.points.is_valid(child):
                    refused += 1
                    continue
                following.append(child)
                refused = 0
            idle = idle + 1 if self.visited.issuperset(following) else 0
            if idle == _IDLE:
                return
            living = following

    def _bred(self, living: list[Key], chances: list[float]) -> Key:
        mother = self.rng.choices(living, chances)[0]
        others = [0.0 if key == mother else c for key, c in zip(living, chances, strict=True)]
        father = self.rng.choices(living, others if any(others) else chances)[0]
        child = [pair[self.rng.randrange(2)] for pair in zip(mother, father, strict=True)]
        information = [math.log2(count) for count in self.points.levels]
        if any(information) and self.rng.random() < self.mutation:
            i = self.rng.choices(range(len(child)), information)[0]
            child[i] = self.rng.randrange(self.points.levels[i])
        return tuple(child)


def _roulette(values: list[float]) -> list[float]:
    """Chances in proportion to 1 / value; where not all values are positive, 1 / (value - low)
    with the least as far above `low` as it is below the greatest. None for what failed."""
    finite = [value for value in values if value < math.inf]
    if not finite:
        return [1.0] * len(values)
    low = 0.0 if min(finite) > 0 else 2 * min(finite) - max(finite)
    if low == min(finite):  # all alike
        low -= 1.0
    chances = [0.0 if value == math.inf else 1 / (value - low) for value in values]
    return [chance / max(chances) for chance in chances]
