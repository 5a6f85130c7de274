"""Grouped search with a predicted partition, after Garvey and Abdelrahman (2018).

    model = PartitionModel.fit("loading", examples)          # of other kernels
    strategy = Grouped(space, seed=0, spec=hybrid(dimensions, geometry),
                       partition={"loading": model.predict(features)})

The parameter with the largest effect is not searched but predicted from what is known of a kernel
without running it; groups of the others are explored one after the other.
"""

from fettle.search.grouped.accuracy import (
    CrossValidation,
    cross_validate,
    nothing_to_predict,
    penalty_weighted_accuracy,
)
from fettle.search.grouped.default_grouping import default_specification
from fettle.search.grouped.groupings import by_dimension, by_optimization, hybrid
from fettle.search.grouped.lockstep import Trace, run_in_lockstep
from fettle.search.grouped.measured_file import Measured, MeasuredPoints
from fettle.search.grouped.model_file import load_model, save_model
from fettle.search.grouped.parser import parse_specification, read_specification
from fettle.search.grouped.partition_model import Example, PartitionModel
from fettle.search.grouped.references import expert, random_sample
from fettle.search.grouped.specification import Specification
from fettle.search.grouped.strategy import Grouped

__all__ = [
    "CrossValidation",
    "Example",
    "Grouped",
    "Measured",
    "MeasuredPoints",
    "PartitionModel",
    "Specification",
    "Trace",
    "by_dimension",
    "by_optimization",
    "cross_validate",
    "default_specification",
    "expert",
    "hybrid",
    "load_model",
    "nothing_to_predict",
    "parse_specification",
    "penalty_weighted_accuracy",
    "random_sample",
    "read_specification",
    "run_in_lockstep",
    "save_model",
]
