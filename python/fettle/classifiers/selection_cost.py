"""What one selection is expected to take, to weigh a better model against a faster one.

A selection comes after a run of a variant, which has had the caches. So what counts is a selection
that finds its tables in the last level of them, not one of many in a row: an SVM of 34 support
vectors takes 440 ns so, and 170 in a row; a tree 60 and 10. The figures are of a server core of the
2020s, rounded; benchmarks/selection/cost measures both kinds. Only their order of magnitude matters
here.
"""

from __future__ import annotations

from collections.abc import Sequence

from fettle.data.training_set import Floats, TrainingSet
from fettle.model.model import ModelInput
from fettle.model.predictor_text import SvmPredictor, Tree, TreePredictor

SVM_SECONDS = 250e-9
SUPPORT_VECTOR_SECONDS = 5e-9
TREE_SECONDS = 60e-9
LEVEL_SECONDS = 3e-9
LOGARITHM_SECONDS = 10e-9


def selection_seconds(
    inputs: Sequence[ModelInput], predictor: SvmPredictor | TreePredictor, data: TrainingSet
) -> Floats:
    """Seconds of a selection on each input: the features used, their logarithms, the predictor."""
    logged: set[str] = set()
    used: set[str] = set()
    for entry in inputs:
        names = {entry.feature} if entry.divisor is None else {entry.feature, entry.divisor}
        used |= names
        if entry.transform in ("log", "log_ratio"):
            logged |= names
    rest = LOGARITHM_SECONDS * len(logged) + predictor_seconds(predictor)
    seconds: Floats = data.evaluation_seconds(used) + rest
    return seconds


def predictor_seconds(predictor: SvmPredictor | TreePredictor) -> float:
    """Seconds of one prediction."""
    if isinstance(predictor, SvmPredictor):
        return SVM_SECONDS + SUPPORT_VECTOR_SECONDS * support_vectors(predictor.text)
    levels = sum(mean_depth(tree) for tree in predictor.trees)
    return TREE_SECONDS + LEVEL_SECONDS * levels * (len(predictor.trees) > 1)


def support_vectors(text: str) -> int:
    """The number of support vectors that a libsvm model file states."""
    head = text.partition("\nSV\n")[0]
    return next(int(line.split()[1]) for line in head.splitlines() if line.startswith("total_sv "))


def mean_depth(tree: Tree) -> float:
    """The mean depth of the leaves, an estimate of the splits that one prediction passes."""
    depth = [0] * len(tree.feature)
    leaves = []
    for node, feature in enumerate(tree.feature):
        if feature < 0:
            leaves.append(depth[node])
        else:
            depth[tree.left[node]] = depth[tree.right[node]] = depth[node] + 1
    return sum(leaves) / len(leaves)
