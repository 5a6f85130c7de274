"""With noise of a tenth, what is tuned is near the best, and no worse than one point for all."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from noisy_program import (
    NAMES,
    OFFER,
    Cost,
    NoisyProgram,
    NoisySession,
    Sizes,
    drawn_inputs,
    many_points,
    one_point_for_all,
)
from numpy.typing import NDArray

from fettle.classifiers.base import SearchingClassifier
from fettle.classifiers.judging import Judged, judge
from fettle.classifiers.tree import TreeRecipe
from fettle.data.training_set import TrainingSet
from fettle.model.model import Model
from fettle.parameters import explore
from fettle.parameters.tuning import ParameterTuning
from fettle.search.parameter_search import ParameterSearch, SearchMethod
from fettle.training.costs import cost_of
from fettle.training.judged_points import choose_points
from fettle.training.program import Input
from fettle.training.trainer import Trainer

TRAINING = drawn_inputs(60, 1)
UNSEEN = drawn_inputs(60, 1001)
NOISE = 0.1


class OneSizeTree(SearchingClassifier):
    """A tree whose size is given: it is trained in milliseconds."""

    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """One recipe."""
        recipe = TreeRecipe("features", False, 16, 2)
        return (judge("tree", recipe, data, self.calls, self.seed),)


@pytest.fixture(autouse=True)
def no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions measure a table."""
    monkeypatch.setattr(explore, "PointSession", NoisySession)


def tuned(
    way: SearchMethod, cost: Cost, noise: float = NOISE, busy: float = 1.0
) -> tuple[ParameterTuning, Trainer, Model]:
    """All of tuning but the program."""
    program = NoisyProgram(cost, TRAINING, noise, seed=1, busy=busy)
    search = ParameterSearch(way, strategy="greedy", measurements=16)
    tuning = ParameterTuning.of("f", search, program, 0, None, ())  # type: ignore[arg-type]
    assert tuning is not None
    inputs = [Input(name, (name,)) for name in TRAINING]
    tuning.explore(inputs)
    classes = tuning.complete(inputs, [])
    data = tuning.table_of(inputs, classes, level=True).data
    trainer = Trainer(OneSizeTree())
    trained = tuning.learning.train(trainer, data, None, feature_selection=False)
    return tuning, trainer, trained.model


def chosen(tuning: ParameterTuning, trainer: Trainer, model: Model) -> list[str]:
    """What the deployed model selects on the unseen inputs."""
    values = np.array(list(UNSEEN.values()), dtype=float)
    return choose_points(trainer, model, values, tuning.spaces)


def shares(cost: Cost, inputs: Mapping[str, Sizes]) -> NDArray[np.float64]:
    """The true share of best of every point."""
    costs = np.array([[cost(name, n, m) for name in NAMES] for n, m in inputs.values()])
    best: NDArray[np.float64] = costs.min(axis=1, keepdims=True) / costs
    return best


@pytest.mark.parametrize("cost", [one_point_for_all, many_points])
@pytest.mark.parametrize("way", ["variants", "multilevel", "restricted"])
def test_near_the_best_and_no_worse_than_one_point(way: SearchMethod, cost: Cost) -> None:
    tuning, trainer, model = tuned(way, cost)
    share = shares(cost, UNSEEN)
    places = [NAMES.index(name) for name in chosen(tuning, trainer, model)]
    reached = share[np.arange(len(share)), places].mean()
    fixed = share[:, shares(cost, TRAINING).mean(axis=0).argmax()].mean()
    assert reached >= 0.97
    assert reached >= fixed - 1e-9
    assert len(model.variants) + sum(len(r.variants) for r in model.refinements.values()) <= 12


@pytest.mark.parametrize("cost", [one_point_for_all, many_points])
def test_a_neighbour_that_is_busy_for_a_while_misleads_little(cost: Cost) -> None:
    tuning, trainer, model = tuned("variants", cost, noise=0.03, busy=1.5)
    share = shares(cost, UNSEEN)
    places = [NAMES.index(name) for name in chosen(tuning, trainer, model)]
    assert share[np.arange(len(share)), places].mean() >= 0.95


def test_the_race_finds_the_best_point_of_an_input(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lost_to_luck() -> float:
        tuning, _, _ = tuned("variants", many_points)
        share = shares(many_points, TRAINING)
        known = [tuning.measurer.examples(Input(name, (name,)))[0] for name in TRAINING]
        best = [min(NAMES, key=lambda n: cost_of(example, n, OFFER)) for example in known]
        places = [NAMES.index(name) for name in best]
        return 1.0 - float(share[np.arange(len(share)), places].mean())

    raced = lost_to_luck()
    monkeypatch.setattr(explore, "race", lambda *_: None)
    assert raced < 0.6 * lost_to_luck()


def test_the_race_costs_less_than_the_search() -> None:
    program = NoisyProgram(many_points, TRAINING, NOISE, seed=1)
    search = ParameterSearch("variants", measurements=16)
    tuning = ParameterTuning.of("f", search, program, 0, None, ())  # type: ignore[arg-type]
    assert tuning is not None
    inputs = [Input(name, (name,)) for name in TRAINING]
    tuning.explore(inputs)
    valid = sum(len(space.space) for space in tuning.spaces.values())
    assert program.spent.points == len(TRAINING) * (valid - len(tuning.spaces))
    runs = program.spent.variant_runs
    tuning.explore(inputs)
    assert program.spent.variant_runs == runs, "nothing is measured again"
    counts = [len(example.samples[name]) for example in program.known.values() for name in NAMES]
    assert sum(count <= 6 for count in counts) > len(counts) / 2, "most points ran once"
    assert max(counts) <= 34
