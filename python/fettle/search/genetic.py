"""Genetic search: a population whose better half is crossed and mutated."""

from __future__ import annotations

from fettle.errors import FettleError
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.points import Key
from fettle.search.space import Space

# Children in a row that are refused or known before a random point is measured instead.
_TRIES = 20


class Genetic(SteppedStrategy):
    """A generational genetic algorithm ("GA" of Bruel et al. 2019, section IV).

    Parents are the better of two drawn from the population (Goldberg, Deb 1991), their children
    take each parameter from either (uniform crossover), and `mutation` is the chance that one
    parameter then gets another value; None: one in the number of parameters. The best of parents
    and children are the next population. Children that the constraints refuse or that are known
    are drawn again; after 20 in a row a random point is measured.
    """

    def __init__(
        self,
        space: Space,
        seed: int,
        budget: int | None = None,
        population: int = 20,
        mutation: float | None = None,
    ) -> None:
        super().__init__(space, seed, budget)
        if population < 2:
            raise FettleError(f"a population of {population}; give at least 2")
        if mutation is not None and not 0 <= mutation <= 1:
            raise FettleError(f"a mutation rate of {mutation}; give a probability, 0 to 1")
        self.population = population
        self.mutation = 1 / len(self.points.names) if mutation is None else mutation

    def steps(self) -> Steps[None]:
        """The first population, then generations of as many children."""
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
