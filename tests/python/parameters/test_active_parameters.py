"""Parameters tuned from few inputs that the learner has chosen: never worse than untuned."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from noisy_program import (
    NAMES,
    OFFER,
    SPACES,
    Cost,
    NoisyProgram,
    NoisySession,
    Sizes,
    many_points,
)
from test_noise import OneSizeTree, shares

from fettle.data.training_set import TrainingSet
from fettle.parameters import explore
from fettle.parameters.levels import learn_levels
from fettle.parameters.tuning import ParameterTuning
from fettle.search.parameter_search import ParameterSearch
from fettle.training.active import Goal, Learner
from fettle.training.failed import NONE_FAILED
from fettle.training.judged_points import choose_points
from fettle.training.program import Input
from fettle.training.trainer import Trainer

NOISE = 0.03
LITTLE = 0.01  # what measuring with that noise may cost


@pytest.fixture(autouse=True)
def no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions measure a table."""
    monkeypatch.setattr(explore, "PointSession", NoisySession)


def mostly_the_default(name: str, n: float, m: float) -> float:
    """The default is best by a quarter where n is small, and far behind where it is large."""
    small = n < 60
    if name == "plain":
        return 1.0 if small else 3.0
    return (1.3 if small else 1.0) * (1.0 if name.startswith("packed") else 1.1)


def by_chance(name: str, n: float, m: float) -> float:
    """Any point is 30 % faster than the default on some inputs, and slower on most."""
    if name == "plain":
        return 1.0
    return 0.7 if random.Random(f"{name} {n} {m}").random() < 0.2 else 1.4


def even(dice: random.Random) -> Sizes:
    return round(12 * 25 ** dice.random()), round(12 * 25 ** dice.random())


def clustered(dice: random.Random) -> Sizes:
    """Nine of ten are alike, the others are far from each other."""
    near = dice.random() < 0.9
    return (dice.randint(12, 20), dice.randint(12, 20)) if near else even(dice)


def pool_of(shape: object, seed: int, count: int = 40) -> dict[str, Sizes]:
    dice = random.Random(seed)
    assert callable(shape)
    return {str(place): shape(dice) for place in range(count)}


def learned(cost: Cost, pool: dict[str, Sizes], iterations: int, seed: int) -> list[str]:
    """What is deployed after so many iterations chooses for each input of the pool."""
    program = NoisyProgram(cost, pool, NOISE, seed)
    search = ParameterSearch("multilevel", strategy="random", measurements=6)
    tuning = ParameterTuning.of("f", search, program, seed, None, ())  # type: ignore[arg-type]
    assert tuning is not None
    trainer = Trainer(OneSizeTree())
    sizes = np.array(list(pool.values()), dtype=float)

    def measure(inputs: Sequence[Input]) -> list[Input]:
        tuning.explore(inputs, quiet=True)
        return list(inputs)

    learner = Learner(
        inputs=[Input(name, (name,)) for name in pool],
        points=list(sizes[:, None, :]),
        measured=[],
        measure=measure,
        table=lambda inputs: tuning.variants_table(inputs, NONE_FAILED).data,
        trainer=trainer,
        judge=lambda learned: learned.score,
        tell=lambda _: None,
    )
    learner.learn(Goal(iterations, None))
    classes = tuning.complete(learner.labelled, [])
    data = tuning.table_of(learner.labelled, classes, level=True).data
    trained = tuning.learning.train(
        trainer, data, None, feature_selection=False, standing=learner.standing()
    )
    return choose_points(trainer, trained.model, sizes, tuning.spaces)


@pytest.mark.filterwarnings("ignore::fettle.data.training_set.TrainingWarning")
@pytest.mark.parametrize(
    ("cost", "shape"),
    [
        (mostly_the_default, clustered),
        (by_chance, even),
        (by_chance, clustered),
        (many_points, even),
        (many_points, clustered),
    ],
)
def test_what_is_deployed_is_not_worse_than_the_default(cost: Cost, shape: object) -> None:
    for seed, iterations in ((0, 0), (1, 0), (0, 6)):
        pool = pool_of(shape, seed)
        share = shares(cost, pool)
        chosen = [NAMES.index(name) for name in learned(cost, pool, iterations, seed)]
        reached = share[np.arange(len(share)), chosen].mean()
        assert reached >= share[:, NAMES.index(OFFER.default)].mean() - LITTLE, (
            f"seed {seed}, {iterations} iterations"
        )


@pytest.mark.filterwarnings("ignore::fettle.data.training_set.TrainingWarning")
def test_the_outermost_inputs_are_judged_by_the_model() -> None:
    """They are in the region of the model that is deployed, though not in that of a fold's."""
    values = np.array([[10.0**place, 1.0] for place in (0, 4, 5, 6, 7, 8, 9, 13)])
    classes = (*OFFER.variants, "packed rows=8 columns=8")
    costs = np.tile([9.0, 3.0, 2.0, 1.0], (8, 1))
    costs[:4] = [9.0, 1.0, 3.0, 2.0]
    names = tuple(map(str, range(8)))
    data = TrainingSet("f", ("n", "m"), classes, names, values, costs, np.zeros(2), "plain")
    _, judged = learn_levels(Trainer(OneSizeTree()), data, SPACES, None)
    assert judged is not None
    assert 0 not in judged.chosen, "the default, which is nine times as slow"
