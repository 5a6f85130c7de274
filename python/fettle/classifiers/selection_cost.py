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
from fettle.model.predictor import Predictor

LOGARITHM_SECONDS = 10e-9


def selection_seconds(
    inputs: Sequence[ModelInput], predictor: Predictor, data: TrainingSet
) -> Floats:
    """Seconds of a selection on each input: the features used, their logarithms, the predictor."""
    logged: set[str] = set()
    used: set[str] = set()
    for entry in inputs:
        names = {entry.feature} if entry.divisor is None else {entry.feature, entry.divisor}
        used |= names
        if entry.transform in ("log", "log_ratio"):
            logged |= names
    rest = LOGARITHM_SECONDS * len(logged) + predictor.seconds()
    seconds: Floats = data.evaluation_seconds(used) + rest
    return seconds
