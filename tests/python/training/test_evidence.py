"""What is known of a function when all is measured: the inputs that its model is judged with."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.training.evidence import with_variants


def test_a_set_of_some_variants_has_the_inputs_on_which_they_work() -> None:
    inf = float("inf")
    costs = np.array([[1.0, 2.0, 3.0], [1.0, inf, inf], [3.0, 2.0, inf]])
    data = TrainingSet(
        "f", (), ("a", "b", "c"), ("x", "y", "z"), np.zeros((3, 0)), costs, np.zeros(0)
    )
    assert with_variants(data, ["a", "b", "c"]) is data
    with pytest.warns(TrainingWarning, match="1 of 3 inputs are left out"):
        some = with_variants(data, ["c", "b"])
    assert (some.inputs, some.variants) == (("x", "z"), ("c", "b"))
    assert some.costs.tolist() == [[3.0, 2.0], [inf, 2.0]]
