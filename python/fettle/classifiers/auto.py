"""AutoClassifier: the kind of model that serves best, the time to select with it included."""

from __future__ import annotations

from fettle.classifiers.base import SearchingClassifier
from fettle.classifiers.forest import ForestClassifier
from fettle.classifiers.judging import MANY, Judged
from fettle.classifiers.svm import SvmClassifier
from fettle.classifiers.tree import TreeClassifier
from fettle.data.training_set import TrainingSet


class AutoClassifier(SearchingClassifier):
    """Trains a tree, a forest and an SVM, each at its best, and takes the best of the three; of
    those that are as good, within noise, the one whose selections are fastest, where that counts,
    and otherwise the forest.

    The criterion is the cross-validated mean share of best, net: a selection's time, features
    included, is spread over `calls` calls and added to the cost of the chosen variant. A kind that
    could not be the best by that, were all its choices right, is not searched. Training takes as
    long as the others together. No SVM is trained on more than MANY inputs, because its time
    grows with their square.
    """

    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """The best tree, forest and SVM."""
        kinds: list[type[SearchingClassifier]] = [TreeClassifier, ForestClassifier]
        self._left_out = []
        if len(data) <= MANY:
            kinds.append(SvmClassifier)
        else:
            self._left_out.append(("svm", f"there are more than {MANY} inputs"))
        found: list[Judged] = []
        for kind in kinds:
            classifier = kind(guard=self.guard, calls=self.calls, seed=self.seed)
            best = max((judged.net for judged in found), default=0.0)
            name = kind.__name__.removesuffix("Classifier").lower()
            if best == 0.0 or classifier.most(data) > best:
                self.tell(f"training: {name}")
                found += classifier.compare(data)
            else:
                self._left_out.append((name, "its selections alone would cost more than it gains"))
        return tuple(found)
