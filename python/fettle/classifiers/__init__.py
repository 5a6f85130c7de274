"""Classifiers: each learns from a training set which variant to choose, and gives back a Model.

    model = AutoClassifier(seed=1).fit(training_set)

`SvmClassifier`, `TreeClassifier` and `ForestClassifier` learn one kind of model each;
`AutoClassifier`, the tuner's default, takes the best of them, its time to select included.
`ExtraTreesClassifier` searches nothing: it is for objectives of several metrics.
`ThresholdClassifier` learns a chain of guards `threshold <= feature`, a variant each.
`KccaClassifier` learns from neighbours in a kernel canonical correlation analysis.
"""

from fettle.classifiers.auto import AutoClassifier
from fettle.classifiers.base import Classifier, Fit
from fettle.classifiers.extra_trees import ExtraTreesClassifier
from fettle.classifiers.forest import ForestClassifier
from fettle.classifiers.kcca import KccaClassifier
from fettle.classifiers.svm import SvmClassifier
from fettle.classifiers.threshold import ThresholdClassifier
from fettle.classifiers.tree import TreeClassifier

__all__ = [
    "AutoClassifier",
    "Classifier",
    "ExtraTreesClassifier",
    "Fit",
    "ForestClassifier",
    "KccaClassifier",
    "SvmClassifier",
    "ThresholdClassifier",
    "TreeClassifier",
]
