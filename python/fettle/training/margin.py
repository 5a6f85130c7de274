"""How sure a model is of its choice: the margin of its best over its second best variant."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.classifiers.scaling import scaled
from fettle.core.native import native
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.training.scratch import scratch_folder

Floats = NDArray[np.float64]


def margins(model: Model, values: Floats) -> Floats:
    """The margin of each row of feature values (see Predictor.margins), at least 0."""
    with scratch_folder() as folder:
        write_model(folder, model)
        chooser = native().Model(str(folder))
        scores = np.array([chooser.select(row).scores for row in values], dtype=float)
    inputs = scaled(model.inputs, model.features, values)
    return model.predictor.margins(scores, inputs)
