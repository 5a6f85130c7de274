"""What a call costs that goes on with the next best variant."""

from __future__ import annotations

import numpy as np

from fettle.data.training_set import TrainingSet
from fettle.model.model import Model, ModelInput
from fettle.model.trees import Tree, TreePredictor
from fettle.training.next_best import costs_of_calls
from fettle.training.trainer import Judged

NEVER = np.inf
# Ranks a, c, b, d everywhere.
MODEL = Model(
    "f",
    ("a", "b", "c", "d"),
    ("n",),
    (ModelInput("linear", "n", None, 0.0, 10.0),),
    TreePredictor((Tree((-1,), (0.0,), (-1,), (-1,), ((1.0, 3.0, 2.0, 4.0),)),)),
    "a",
    0.25,
    {},
)
DATA = TrainingSet(
    "f",
    ("n",),
    ("a", "b", "c", "d"),
    ("finite", "once", "twice", "excluded", "always"),
    np.arange(5.0)[:, None],
    np.array(
        [
            [1.0, 2.0, 3.0, 4.0],
            [2.5, 2.0, 3.0, 4.0],
            [2.5, 2.0, 2.25, 4.0],
            [2.5, 2.0, NEVER, 4.0],
            [2.5, 2.25, 2.125, NEVER],
        ]
    ),
    np.zeros(1),
    lost_seconds=np.array(
        [
            [0.0, 0.0, 0.0, 0.0],
            [0.5, 0.0, 0.0, 0.0],
            [0.5, 0.0, 0.25, 0.0],
            [0.5, 0.0, 0.0, 0.0],
            [0.5, 0.25, 0.125, 0.0],
        ]
    ),
)


def test_runs_that_came_to_nothing_are_charged_in_the_order_of_the_model() -> None:
    chosen = np.zeros(5, dtype=np.intp)
    costs = costs_of_calls(MODEL, DATA, chosen)
    assert costs.tolist() == [1.0, 3.5, 2.75, 2.5, NEVER]
    judged = Judged(DATA, chosen, np.zeros(5), costs)
    assert judged.shares().tolist() == [1.0, 2 / 3.5, 2 / 2.75, 2 / 2.5, 0.0]
    assert judged.charged().costs[1].tolist() == [3.5, 2.0, 3.0, 4.0]


def test_a_call_may_begin_with_another_than_the_models_choice() -> None:
    """As outside the trained region, where the default runs."""
    assert costs_of_calls(MODEL, DATA, np.full(5, 2))[2] == 0.25 + 0.5 + 2.0
