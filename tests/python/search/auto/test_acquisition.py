from __future__ import annotations

import random

import numpy as np
from kernel_space import cost, space

from fettle.search.auto.acquisition import Acquisition
from fettle.search.auto.candidates import Candidates
from fettle.search.auto.constants import CONSTANTS
from fettle.search.auto.features import Features
from fettle.search.auto.models import History, Models
from fettle.search.auto.stopping import Stopping
from fettle.search.numbering import Key
from fettle.search.points import points_of

POINTS = points_of(space())
MEASURED: list[Key] = [(0, 0, 0), (2, 2, 2), (4, 0, 1), (1, 4, 0), (3, 1, 1), (0, 7, 1)]
MEASURED += [(4, 1, 0), (0, 3, 0), (1, 7, 2), (3, 2, 0), (2, 7, 0)]


def history_of(keys: list[Key]) -> History:
    return History(keys, np.array([cost(POINTS.point(key)) for key in keys]))


def acquisition_and_models(doubt: float = 2.0, doubts: int = 10) -> tuple[Acquisition, Models]:
    models = Models(POINTS, Features(POINTS), CONSTANTS)
    acquisition = Acquisition(
        models,
        Candidates(POINTS, random.Random(0)),
        Stopping(settled=20, tolerance=0.002, design=10),
        CONSTANTS,
        doubt=doubt,
        doubts=doubts,
    )
    return acquisition, models


def differences(one: Key, other: Key) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def test_an_optimistic_neighbour_is_tried_once_the_search_is_stuck() -> None:
    good, last = (2, 2, 2), (2, 3, 2)
    others: list[Key] = [(0, 0, 0), (4, 0, 1), (1, 4, 0), (3, 1, 1), (0, 7, 1)]

    def found(keys: list[Key]) -> Key | None:
        acquisition, models = acquisition_and_models(doubt=50.0)
        history = history_of(keys)
        return acquisition.optimistic_neighbour(models.current(history), history)

    assert found([*others, good, last]) is None, "it has just improved"
    neighbour = found([good, *others])
    assert neighbour is not None
    assert differences(neighbour, good) == 1
    assert POINTS.is_valid(neighbour)


def test_so_many_neighbours_are_forced_and_again_after_a_gain() -> None:
    acquisition, models = acquisition_and_models(doubts=3)
    history = history_of(MEASURED)
    model = models.current(history)
    for _ in range(3):
        forced = acquisition.forced_neighbour(model, history)
        assert forced is not None and POINTS.is_valid(forced)
        assert differences(forced, (2, 2, 2)) == 1
    assert acquisition.forced_neighbour(model, history) is None, "all three were tried"
    keys: list[Key] = [*MEASURED, (2, 1, 2), (0, 1, 0), (0, 2, 0), (0, 4, 0), (0, 5, 0)]
    gained = History(keys, np.array([*history.values, history.values.min() - 0.5, *[5.0] * 4]))
    assert acquisition.forced_neighbour(model, gained) is not None, "something was gained"


def test_the_largest_expected_improvement_is_chosen_while_one_is_expected() -> None:
    acquisition, models = acquisition_and_models()
    history = history_of(MEASURED[:6])
    pool = Candidates(POINTS, random.Random(0)).pool(history.best, history.keys)
    model = models.current(history)
    gains = model.gains(pool, model.margin)
    assert gains.max() >= CONSTANTS.least_gain
    assert acquisition.choose(history, pool) == tuple(pool[gains.argmax()].tolist())
