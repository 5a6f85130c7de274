"""ClockedTreesClassifier: chooses a variant and a clock for it (dissertation 4.1.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from fettle.classifiers.base import CALLS, GUARD
from fettle.classifiers.extra_trees import TREES, ExtraTreesClassifier, ExtraTreesRecipe
from fettle.classifiers.judging import MANY, Judged, judge, some_of
from fettle.classifiers.regret import wanted_shares
from fettle.classifiers.regret_trees import Columns, Forest, extra_trees
from fettle.classifiers.scaling import InputSet, searched_sets
from fettle.core.errors import FettleError
from fettle.data.training_set import Floats, TrainingSet
from fettle.model.trees import Tree
from fettle.objectives.clocked import variant_and_clock

FrequencyModels: TypeAlias = Literal["joint", "two"]


@dataclass(frozen=True)
class TwoModelsRecipe:
    """A model of the variant and one of the clock, asked both (the paper's).

    Each learns the best share that its part of a choice can have. Trees' costs are summed, so that
    both together are one forest: its smallest sum is that of the best variant and the best clock.
    """

    inputs: InputSet

    def train(self, data: TrainingSet, seed: int) -> Forest:
        """Grow the trees of both, on at most MANY inputs."""
        data = some_of(data, MANY, seed)
        columns = Columns.of(data, self.inputs)
        table, shares = columns.table(data.values), wanted_shares(data)
        pairs = [variant_and_clock(name) for name in data.variants]
        parts = []
        for part in range(2):
            names = [pair[part] for pair in pairs]
            kinds = list(dict.fromkeys(names))
            kind = np.array([kinds.index(name) for name in names])
            best = np.stack([shares[:, kind == k].max(axis=1) for k in range(len(kinds))], axis=1)
            parts.append(
                _for_all(extra_trees(columns, table, best, seed + part, count=TREES), kind)
            )
        variant, clock = parts
        return Forest(
            columns,
            lambda: (*variant.trees, *clock.trees),
            lambda rows: np.asarray(variant.predict(rows) + clock.predict(rows)),
        )

    def __str__(self) -> str:
        return f"of {TREES} extremely randomised trees each for variant and clock, on {self.inputs}"


class ClockedTreesClassifier(ExtraTreesClassifier):
    """Extremely randomised trees for data whose variants are at clocks, "radix@745MHz".

    - `models`: "joint", one model of all pairs: which clock is best depends on the variant; "two",
      one of the variant and one of the clock, as in the paper.
    """

    def __init__(
        self,
        models: FrequencyModels = "joint",
        *,
        guard: float | None = GUARD,
        calls: int = CALLS,
        seed: int = 0,
    ) -> None:
        super().__init__(guard=guard, calls=calls, seed=seed)
        if models not in ("joint", "two"):
            raise FettleError(f"models is 'joint' or 'two', not {models!r}")
        self.models = models

    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """The trees."""
        return (judge("forest", self._recipe(data), data, self.calls, self.seed),)

    def typical(self, data: TrainingSet) -> ExtraTreesRecipe:
        """As many trees of as many classes."""
        return ExtraTreesRecipe(searched_sets(data)[-1])

    def _recipe(self, data: TrainingSet) -> ExtraTreesRecipe | TwoModelsRecipe:
        inputs = searched_sets(data)[-1]
        return ExtraTreesRecipe(inputs) if self.models == "joint" else TwoModelsRecipe(inputs)


def _for_all(forest: Forest, kind: Sequence[int] | np.ndarray) -> Forest:
    """The forest of kinds as one of all pairs, whose costs are those of their kinds."""
    kinds = np.asarray(kind)

    def predict(rows: Floats) -> Floats:
        found: Floats = forest.predict(rows)[:, kinds]
        return found

    def widened(costs: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(costs[k] for k in kinds.tolist()) if costs else ()

    def keep() -> tuple[Tree, ...]:
        return tuple(replace(tree, cost=tuple(map(widened, tree.cost))) for tree in forest.trees)

    return Forest(forest.columns, keep, predict)
