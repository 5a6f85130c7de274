"""AutoClassifier: the kind of model that serves best, the time to select with it included."""

from __future__ import annotations

from fettle.classifiers.base import Judged, SearchingClassifier
from fettle.classifiers.forest import ForestClassifier
from fettle.classifiers.svm import SvmClassifier
from fettle.classifiers.tree import TreeClassifier
from fettle.training_set import TrainingSet


class AutoClassifier(SearchingClassifier):
    """Trains a tree, an SVM and a forest, each at its best, and takes the best of the three.

    The criterion is the cross-validated mean share of best, net: a selection's time, features
    included, is spread over `calls` calls and added to the cost of the chosen variant. Training
    takes as long as the three together.
    """

    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """The best tree, SVM and forest."""
        kinds = (TreeClassifier, SvmClassifier, ForestClassifier)
        return tuple(
            judged
            for kind in kinds
            for judged in kind(guard=self.guard, calls=self.calls, seed=self.seed).compare(data)
        )
