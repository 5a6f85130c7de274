"""ExtraTreesClassifier: extremely randomised trees, for few inputs and costs that are not times."""

from __future__ import annotations

from dataclasses import dataclass

from fettle.classifiers.base import SearchingClassifier
from fettle.classifiers.constant import always_the_best
from fettle.classifiers.judging import MANY, Judged, judge, some_of
from fettle.classifiers.regret import wanted_shares
from fettle.classifiers.regret_trees import Columns, Forest, extra_trees
from fettle.classifiers.scaling import InputSet, searched_sets
from fettle.data.training_set import TrainingSet

TREES = 50


@dataclass(frozen=True)
class ExtraTreesRecipe:
    """Trees whose splits are random among the best of some: their mean is smooth."""

    inputs: InputSet

    def train(self, data: TrainingSet, seed: int) -> Forest:
        """Grow the trees, on at most MANY inputs."""
        data = some_of(data, MANY, seed)
        columns = Columns.of(data, self.inputs)
        table, shares = columns.table(data.values), wanted_shares(data)
        return extra_trees(columns, table, shares, seed, count=TREES)

    def __str__(self) -> str:
        return f"of {TREES} extremely randomised trees, on {self.inputs}"


class ExtraTreesClassifier(SearchingClassifier):
    """Extremely randomised trees (Geurts, Ernst and Wehenkel, 2006) on the largest set of inputs.

    Nothing is searched, so that a fit to 100 inputs takes less than a second, and one variant
    always is taken where it is better by cross-validation: a model need not be surely better. For
    objectives of several metrics, where the time of a selection is not weighed against joules.
    """

    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """The trees."""
        recipe = ExtraTreesRecipe(searched_sets(data)[-1])
        return (judge("forest", recipe, data, self.calls, self.seed),)

    def typical(self, data: TrainingSet) -> ExtraTreesRecipe:
        """The trees themselves."""
        return ExtraTreesRecipe(searched_sets(data)[-1])

    def _or_no_model(self, found: Judged, data: TrainingSet) -> Judged:
        """The trees, unless the best variant always has a better share on the same inputs."""
        if found.score is None:
            return super()._or_no_model(found, data)
        plain = judge("tree", always_the_best(data), data, self.calls, self.seed)
        return plain if plain.net > found.net else found
