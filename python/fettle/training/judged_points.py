"""What a model chooses where variants have parameters: points of them, judged by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from fettle.classifiers.regret import Indices
from fettle.data.training_set import Floats, TrainingSet
from fettle.model.deployed import DeployedModel
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.search.variant_space import VariantSpace
from fettle.training.scratch import scratch_folder
from fettle.training.trainer import Judged, Trainer, used_features


def choose_points(
    trainer: Trainer, model: Model, values: Floats, spaces: Mapping[str, VariantSpace]
) -> list[str]:
    """The variant, or point of one, that the deployed model selects for each row of features."""
    deployed = model if trainer.guarded else replace(model, guard=None)
    with scratch_folder() as folder:
        write_model(folder, deployed)
        names, _ = DeployedModel(folder).names_of(values)
    # Unlike inputs get the default variant at its default values.
    return [spaces[name].default_name if name in spaces else name for name in names]


def judge_points(
    trainer: Trainer, model: Model, data: TrainingSet, spaces: Mapping[str, VariantSpace]
) -> Judged:
    """What a model chooses for inputs that it was not fitted on."""
    names = choose_points(trainer, model, data.values, spaces)
    chosen: Indices = np.array([data.variants.index(name) for name in names], dtype=np.intp)
    return Judged(data, chosen, data.evaluation_seconds(used_features(model)))
