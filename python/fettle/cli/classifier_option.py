"""The option --classifier: the names it takes, and the classifier that a name makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fettle.classifiers.base import SearchingClassifier

CLASSIFIERS = ("auto", "svm", "tree", "forest", "extra-trees", "threshold", "kcca")


def classifier_named(name: str, *, calls: int, seed: int = 0) -> SearchingClassifier:
    """The classifier of that name, one of CLASSIFIERS.

    `calls` share one selection. Raises FettleError for fewer than one. Imports what learns, which
    takes a second; a command that only prints its help does without.
    """
    from fettle import classifiers

    kinds: dict[str, type[SearchingClassifier]] = {
        "auto": classifiers.AutoClassifier,
        "svm": classifiers.SvmClassifier,
        "tree": classifiers.TreeClassifier,
        "forest": classifiers.ForestClassifier,
        "extra-trees": classifiers.ExtraTreesClassifier,
        "threshold": classifiers.ThresholdClassifier,
        "kcca": classifiers.KccaClassifier,
    }
    return kinds[name](calls=calls, seed=seed)
