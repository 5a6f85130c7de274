"""The kinds of predictors. A new kind is a module, as predictor.py describes, and its
class here; and its counterpart in C++ (include/fettle/model/predictor_kinds.hpp)."""

from __future__ import annotations

from fettle.model.predictor import Predictor
from fettle.model.svm import SvmPredictor
from fettle.model.trees import TreePredictor

KINDS: tuple[type[Predictor], ...] = (TreePredictor, SvmPredictor)


def kind_of(classifier: str) -> type[Predictor]:
    """The kind that model.txt calls so, which the C++ reader knows."""
    return next(kind for kind in KINDS if classifier in kind.classifiers)
