"""Incremental tuning: measure the inputs that teach the model most (dissertation 2.2.2).

Features of all inputs are cheap, running all variants is not. After an initial set, spread over the
feature space and large enough to have each variant win once where it can, the model asks for the
input on which its best and second best choice are nearest to each other (best versus second best),
or for the one that leaves least variance in the predictions for all inputs (a_optimality.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.core.numbers import is_number, is_whole
from fettle.core.wording import counted
from fettle.data.score import Score
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import LearningStep
from fettle.model.model import Model
from fettle.training.a_optimality import least_variance
from fettle.training.margin import margins
from fettle.training.program import Input
from fettle.training.standing import inputs_nearest
from fettle.training.trainer import Learned, Trainer

Floats = NDArray[np.float64]

DEFAULT_ITERATIONS = 25  # "20-25 iterations is usually sufficient", dissertation 2.2.2
SEARCH_AGAIN = 1.5  # times as many inputs as at the last search for the model's parameters
EVERY_VARIANT_TRIES = 2  # initial inputs a variant, at most, in the hope that each wins once


Query = Literal["margin", "variance"]


@dataclass(frozen=True)
class Goal:
    """When incremental tuning has learned enough; what is None does not end it.

    - `every_label`: the initial set grows until every variant has won on an input of it, as the
      dissertation demands, or there are no more inputs; else it has two inputs a variant at most.
    - `query`: which input is measured next. "margin": best versus second best; "variance": the one
      that leaves least variance in a logistic regression's predictions (Schein and Ungar 2007).
    """

    iterations: int | None
    accuracy: float | None
    every_label: bool = False
    query: Query = "margin"

    @staticmethod
    def of(
        iterations: int | None,
        accuracy: float | None,
        every_label: bool = False,
        query: Query = "margin",
    ) -> Goal:
        """A goal from what a user gave. Raises FettleError."""
        if query not in ("margin", "variance"):
            raise FettleError(f"itune(): query is 'margin' or 'variance', not {query!r}")
        if not isinstance(every_label, bool):
            raise FettleError(f"itune(): every_label is True or False, not {every_label!r}")
        if iterations is None and accuracy is None:
            return Goal(DEFAULT_ITERATIONS, None, every_label, query)
        if iterations is not None and not is_whole(iterations, 0):
            raise FettleError(
                f"itune(): iterations must be a whole number from 0 on, not {iterations!r}"
            )
        if accuracy is not None and not (is_number(accuracy) and 0 < accuracy <= 1):
            raise FettleError(f"itune(): accuracy must be in (0, 1], not {accuracy!r}")
        return Goal(iterations, accuracy, every_label, query)


@dataclass
class Learner:
    """Learns one function from few inputs.

    `points` has the feature values of each input, a row a call; `measured` are inputs that need no
    measuring any more: they are learned from at once. `measure` measures inputs and says
    which of them worked; `table` gives the training set of inputs, its variants those that a model
    of these inputs is to choose from; `judge` says how good a model is (None: unknown).
    """

    inputs: Sequence[Input]
    points: Sequence[Floats]
    measured: Sequence[Input]
    measure: Callable[[Sequence[Input]], list[Input]]
    table: Callable[[Sequence[Input]], TrainingSet]
    trainer: Trainer
    judge: Callable[[Learned], Score | None]
    tell: Callable[[str], None]

    def __post_init__(self) -> None:
        self._scaled = _scaled(self.points)
        self._pool = list(range(len(self.inputs)))
        self.labelled: list[Input] = []
        self.steps: list[LearningStep] = []
        self._indices: list[int] = []
        self._learned: Learned | None = None
        self._searched = 0
        self._variants: tuple[str, ...] = ()

    def learn(self, goal: Goal) -> None:
        """Measures inputs until the goal is reached or there are no more."""
        added = self._begin(goal.every_label)
        while len(data := self.table(self.labelled)):
            learned = self._fit(data)
            share = self._note(added, self.judge(learned))
            enough = goal.accuracy is not None and share >= goal.accuracy
            if enough or len(self.steps) - 1 == goal.iterations:
                return
            added = []
            while self._pool and not added:  # one that cannot be measured teaches nothing
                added = self._add([self._next(goal.query, learned.model, data)])
            if not added:
                return

    def standing(self) -> dict[str, float]:
        """How many of the inputs each measured one stands for, by its name."""
        counts = inputs_nearest(self._scaled, self._indices)
        found: dict[str, float] = {}
        for index, count in zip(self._indices, counts, strict=True):
            name = self.inputs[index].name
            found[name] = found.get(name, 0.0) + count
        return found

    def _note(self, added: list[Input], score: Score | None) -> float:
        """Keeps and tells what a step has brought; returns its share of best."""
        share, right = (score.mean, score.accuracy) if score else (0.0, 0.0)
        names = tuple(given.name for given in added)
        self.steps.append(LearningStep(len(self.labelled), names, share, right))
        self.tell(f"{counted(len(self.labelled), 'input')} measured: share of best {share:.4f}")
        return share

    def _fit(self, data: TrainingSet) -> Learned:
        """A model of what is measured; a new search for its parameters only now and then."""
        again = len(data) >= SEARCH_AGAIN * self._searched or data.variants != self._variants
        if self._learned is None or again:
            self._learned = self.trainer.learn(data)
            self._searched, self._variants = len(data), data.variants
        else:
            self._learned = self.trainer.learn(data, like=self._learned)
        return self._learned

    def _begin(self, every_label: bool) -> list[Input]:
        """The initial set: far from each other, until each variant has won or had its chances."""
        added = self._add([p for p in self._pool if self.inputs[p] in self.measured])
        while self._pool and not self._has_begun(every_label):
            added += self._add([self._farthest()])
        if every_label:
            self._tell_who_never_won()
        return added

    def _has_begun(self, every_label: bool) -> bool:
        data = self.table(self.labelled)
        variants = len(data.variants)
        tried = not every_label and len(self.labelled) >= EVERY_VARIANT_TRIES * variants
        won = len(_winners(data)) == variants
        return len(data) >= min(3, len(self.inputs)) and (tried or won)

    def _tell_who_never_won(self) -> None:
        data = self.table(self.labelled)
        won = _winners(data)
        never = [name for i, name in enumerate(data.variants) if i not in won]
        if never:
            self.tell(f"of all inputs none has the label {', '.join(map(repr, never))}")

    def _add(self, indices: list[int]) -> list[Input]:
        for index in indices:
            self._pool.remove(index)
        done = self.measure([self.inputs[index] for index in indices])
        self._indices += [index for index in indices if self.inputs[index] in done]
        self.labelled += done
        return done

    def _farthest(self) -> int:
        """The input of the pool that is farthest from the measured ones (k-centre)."""
        if not self._indices:
            middle = np.median(np.concatenate(self._scaled), axis=0)
            return min(self._pool, key=lambda p: float(_distance(self._scaled[p], middle[None])))
        return max(self._pool, key=self._remoteness)

    def _remoteness(self, index: int) -> float:
        known = np.concatenate([self._scaled[p] for p in self._indices])
        return _distance(self._scaled[index], known)

    def _next(self, query: Query, model: Model, data: TrainingSet) -> int:
        if query == "variance" and len(_winners(data)) > 1:
            middles = [part.mean(axis=0) for part in self._scaled]
            rows = [index for index in self._indices for _ in self.points[index]]
            if len(rows) == len(data):
                labels = data.costs.argmin(axis=1)
                best = least_variance(
                    np.array([middles[index] for index in rows]),
                    labels,
                    np.array([middles[index] for index in self._pool]),
                )
                return self._pool[best]
        return self._most_uncertain(model)

    def _most_uncertain(self, model: Model) -> int:
        """Best versus second best; among equals the one farthest from what is known."""
        sizes = [len(self.points[index]) for index in self._pool]
        flat = margins(model, np.concatenate([self.points[index] for index in self._pool]))
        ends = np.cumsum(sizes)[:-1]
        least = [float(part.min()) for part in np.split(flat, ends)]
        order = sorted(
            range(len(self._pool)), key=lambda i: (least[i], -self._remoteness(self._pool[i]))
        )
        return self._pool[order[0]]


def _winners(data: TrainingSet) -> set[int]:
    """The variants that are the best on some input."""
    return set(data.costs.argmin(axis=1).tolist()) if len(data) else set()


def _scaled(points: Sequence[Floats]) -> list[Floats]:
    """Features in [0, 1], on a logarithmic scale where they span decades."""
    values = np.nan_to_num(np.concatenate(points), posinf=0.0, neginf=0.0)
    for column in range(values.shape[1]):
        low, high = values[:, column].min(), values[:, column].max()
        if low > 0 and high / low > 100:
            values[:, column] = np.log(values[:, column])
            low, high = np.log(low), np.log(high)
        values[:, column] = (values[:, column] - low) / (high - low) if high > low else 0.0
    return np.split(values, np.cumsum([len(part) for part in points])[:-1])


def _distance(rows: Floats, known: Floats) -> float:
    """The distance of the farthest of `rows` to the nearest of `known`."""
    between = np.linalg.norm(rows[:, None, :] - known[None, :, :], axis=2)
    return float(between.min(axis=1).max())
