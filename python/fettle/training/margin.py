"""How sure a model is of its choice: the margin of its best over its second best variant.

The margin orders inputs, nothing more; 0 is undecided.
- support vector machine: the size of the decision value between the two classes with most votes
  (of several second ones, the one nearest to the best);
- trees: how much less the best is expected to cost than the second best.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fettle.classifiers.scaling import scaled
from fettle.core.native import native
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.model.predictor_text import SvmPredictor
from fettle.training.scratch import scratch_folder

Floats = NDArray[np.float64]


def margins(model: Model, values: Floats) -> Floats:
    """The margin of each row of feature values, at least 0."""
    if isinstance(model.predictor, SvmPredictor):
        return _svm_margins(model, values)
    with scratch_folder() as folder:
        write_model(folder, model)
        predictor = native().Model(str(folder))
        scores = np.array([predictor.select(row).scores for row in values], dtype=float)
    if scores.shape[1] < 2:
        return np.zeros(len(values))
    ranked = np.sort(scores, axis=1)
    margin: Floats = ranked[:, -1] - ranked[:, -2]
    return margin


def _svm_margins(model: Model, values: Floats) -> Floats:
    from libsvm.svmutil import svm_load_model, svm_predict  # measuring alone goes without

    assert isinstance(model.predictor, SvmPredictor)
    with scratch_folder() as folder:
        text = folder / "model.svm"
        text.write_text(model.predictor.text)
        machine = svm_load_model(str(text))
    table = scaled(model.inputs, model.features, values)
    rows = [dict(enumerate(row, 1)) for row in table.tolist()]
    _, _, decisions = svm_predict([], rows, machine, "-q")
    labels = machine.get_labels()
    return np.array([_pair_margin(len(labels), row) for row in decisions])


def _pair_margin(classes: int, decisions: list[float]) -> float:
    """From the decision values of all pairs (0, 1), (0, 2), ... as libsvm orders them."""
    votes = [0] * classes
    between: dict[frozenset[int], float] = {}
    for (first, second), value in zip(combinations(range(classes), 2), decisions, strict=True):
        votes[first if value > 0 else second] += 1
        between[frozenset((first, second))] = abs(value)
    best = max(range(classes), key=lambda c: votes[c])
    rivals = [c for c in range(classes) if c != best]
    most = max(votes[c] for c in rivals)
    return min(between[frozenset((best, c))] for c in rivals if votes[c] == most)
