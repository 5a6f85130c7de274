"""Grouped search with a predicted partition, after Garvey and Abdelrahman (2018).

    model = PartitionModel.fit("loading", examples)          # of other kernels
    strategy = Grouped(space, seed=0, spec=hybrid(dimensions, geometry),
                       partition={"loading": model.predict(features)})

The parameter with the largest effect is not searched but predicted from what is known of a kernel
without running it; groups of the others are explored one after the other.
"""

from fettle.search.grouped.default_grouping import default_specification
from fettle.search.grouped.groupings import by_dimension, by_optimization, hybrid
from fettle.search.grouped.parser import parse_specification, read_specification
from fettle.search.grouped.references import expert, random_sample
from fettle.search.grouped.specification import Specification
from fettle.search.grouped.strategy import Grouped

__all__ = [
    "Grouped",
    "Specification",
    "by_dimension",
    "by_optimization",
    "default_specification",
    "expert",
    "hybrid",
    "parse_specification",
    "random_sample",
    "read_specification",
]
