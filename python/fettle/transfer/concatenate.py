"""The paper's method: device features are concatenated to the input's, and an SVM learns from all.

(dissertation, section 3.2.1). Which device features: all of them (`concatenate`), those of
`profile_selection.py` (`p-dfs`) or of `cross_validated_selection.py` (`cv-dfs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fettle.data.training_set import Floats
from fettle.transfer.columns import device_columns, logarithms, scaled
from fettle.transfer.machines import Machines
from fettle.transfer.method import Chooser, Expectation, masked_share
from fettle.transfer.sources import Measured

MOST_ROWS = 2000
FEWER_ROWS = 600  # where many models are trained to compare device features
JUDGED_ROWS = 300


@dataclass(frozen=True)
class ConcatenationChooser:
    """An SVM on features of inputs and some device features."""

    model: Any
    classes: tuple[int, ...]
    variants: int
    inputs: Floats
    machines: Machines
    chosen: tuple[int, ...]

    def gains(self, target: Machines, values: Floats) -> Floats:
        """The decision function's value of each variant; those that were never best come last."""
        found = np.full((len(values), self.variants), -1e9)
        if len(self.classes) == 1:
            found[:, self.classes[0]] = 0.0
            return found
        device = device_rows(target.values[0], self.machines.values, self.chosen)
        table = np.hstack(
            [scaled(logarithms(values), self.inputs), np.tile(device, (len(values), 1))]
        )
        scores = self.model.decision_function(table)
        if len(self.classes) == 2:
            scores = np.column_stack([-scores, scores])
        found[:, list(self.classes)] = scores
        return found

    def notes(self, target: Machines) -> tuple[str, ...]:
        """The device features that were concatenated."""
        names = [self.machines.features[j] for j in self.chosen]
        return (f"device features {', '.join(names) or 'none'}",)


def device_rows(values: Floats, sources: Floats, chosen: Sequence[int]) -> Floats:
    """The chosen device features of a machine, or of several, scaled by the sources."""
    both = device_columns(np.vstack([sources, np.atleast_2d(values)]))
    found = scaled(both[len(sources) :], both[: len(sources)])[:, list(chosen)]
    return found if values.ndim > 1 else found[0]


def train(
    data: Measured, machines: Machines, chosen: Sequence[int], seed: int, rows: int = MOST_ROWS
) -> ConcatenationChooser:
    """An SVM on at most so many rows, whose label is the best variant."""
    from sklearn.svm import SVC

    logs = logarithms(data.values)
    kept = np.random.default_rng(seed).permutation(len(data))[:rows]
    device = device_rows(machines.values, machines.values, chosen)[data.machine[kept]]
    table = np.hstack([scaled(logs[kept], logs), device])
    best = data.costs[kept].argmin(axis=1)
    classes = tuple(sorted(set(best.tolist())))
    model = None
    if len(classes) > 1:
        model = SVC(C=100.0, gamma="scale", decision_function_shape="ovr", cache_size=200)
        model.fit(table, best)
    return ConcatenationChooser(model, classes, len(data.variants), logs, machines, tuple(chosen))


def without(data: Measured, machines: Machines, index: int) -> tuple[Measured, Machines]:
    """The measurements of all machines but one."""
    names = [name for i, name in enumerate(data.machines) if i != index]
    kept = data.rows(np.flatnonzero(data.machine != index))
    numbers = np.array([names.index(n) if n in names else -1 for n in data.machines], dtype=np.intp)
    renumbered = Measured(
        data.variants,
        data.features,
        tuple(names),
        numbers[kept.machine],
        kept.input,
        kept.values,
        kept.costs,
    )
    return renumbered, machines.of(names)


def share_on(
    data: Measured, machines: Machines, index: int, chosen: Sequence[int], seed: int, rows: int
) -> float:
    """The mean share on one machine of an SVM trained on the others, on inputs held out."""
    folds = data.folds(2, seed)
    own = np.flatnonzero((data.machine == index) & (folds == 1))
    rest, others = without(data, machines, index)
    rest_folds = folds[data.machine != index]
    known = rest.rows(np.flatnonzero(rest_folds == 0))
    if not len(own) or not len(known):
        return 0.0
    own = np.random.default_rng(seed).permutation(own)[:JUDGED_ROWS]
    chooser = train(known, others, chosen, seed, rows)
    gains = chooser.gains(machines.of([machines.names[index]]), data.values[own])
    return float(masked_share(gains, data.costs[own]).mean())


class Concatenation:
    """The full set of device features."""

    name = "concatenate"

    def select(self, data: Measured, machines: Machines, seed: int) -> tuple[int, ...]:
        """The device features to concatenate: all."""
        return tuple(range(len(machines.features)))

    def fit(self, data: Measured, machines: Machines, seed: int) -> Chooser:
        """An SVM on the selected device features."""
        return train(data, machines, self.select(data, machines, seed), seed)

    def expect(self, data: Measured, machines: Machines, seed: int) -> Expectation:
        """Each machine by an SVM on the others, with the device features selected there."""
        found: dict[str, float] = {}
        for index, name in enumerate(data.machines):
            if len(data.machines) < 2:
                break
            chosen = self.select(*without(data, machines, index), seed)
            found[name] = share_on(data, machines, index, chosen, seed, MOST_ROWS)
        return Expectation(found)
