"""Classifiers: each learns from a training set which variant to choose, and gives back a Model.

    model = AutoClassifier(seed=1).fit(training_set)

`SvmClassifier` (default of the tuner), `TreeClassifier` and `ForestClassifier` learn one kind of
model each; `AutoClassifier` takes the best of them, its time to select included.
"""

from fettle.classifiers.auto import AutoClassifier
from fettle.classifiers.base import Classifier, Fit
from fettle.classifiers.forest import ForestClassifier
from fettle.classifiers.svm import SvmClassifier
from fettle.classifiers.tree import TreeClassifier

__all__ = [
    "AutoClassifier",
    "Classifier",
    "Fit",
    "ForestClassifier",
    "SvmClassifier",
    "TreeClassifier",
]
