"""Our method: predictions of the source machines' own models, blended by the machines' likeness.

The blend is a weighted mean of what the sources' models say, with the weights of `likeness.py`. A
regression forest on the blend, the input's features and the device features, which has learned with
each source as the target in turn, is averaged with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from fettle.data.training_set import Floats
from fettle.transfer.columns import tree_columns
from fettle.transfer.likeness import (
    Likeness,
    compared,
    judge_kernels,
    with_chosen_constants,
)
from fettle.transfer.machines import Machines
from fettle.transfer.method import Chooser, Expectation, masked_share
from fettle.transfer.source_models import SourceModels, held_out_gains
from fettle.transfer.sources import Measured

TREES = 40
JUDGING = 20  # trees, where a regression is only judged
WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Of the regression beside the blend."""
ROWS = 500  # of a machine, that the regression learns from
FEWEST = 3  # machines, for the regression


class Blend:
    """The method; its name on the command line is `blend`."""

    name = "blend"

    def fit(self, data: Measured, machines: Machines, seed: int) -> Chooser:
        """A forest a machine, judged kernels, and the regression."""
        gains = held_out_gains(data, seed)
        likeness, table = _judged(data, machines, seed)
        everyone = range(len(data.machines))
        weight = _best_weight(table, everyone)
        regression = _regression(data, likeness, gains, everyone, seed) if weight else None
        return BlendChooser(SourceModels(data, seed), likeness, regression, weight)

    def expect(self, data: Measured, machines: Machines, seed: int) -> Expectation:
        """Each machine by what was learned of the other machines, constants included."""
        _, table = _judged(data, machines, seed)
        found: dict[str, float] = {}
        for index in table:
            others = [one for one in table if one != index]
            found[data.machines[index]] = float(table[index][_index_of_best(table, others)])
        return Expectation(found)


@dataclass(frozen=True, eq=False)
class BlendChooser:
    """Learned: scores of variants on machines by their device features."""

    models: SourceModels
    likeness: Likeness
    regression: Any
    weight: float
    """Of the regression; the rest is the blend's."""

    def weights(self, target: Machines) -> Floats:
        """What each source counts for the one machine of `target`, (machines,)."""
        everyone = range(len(self.likeness.machines.names))
        return self.likeness.weights(everyone, target.values[0])

    def gains(self, target: Machines, values: Floats) -> Floats:
        """Expected log shares."""
        everyone = range(len(self.likeness.machines.names))
        return _blended(
            self.likeness,
            everyone,
            target.values[0],
            self.models.gains(values),
            values,
            self.regression,
            self.weight,
        )

    def notes(self, target: Machines) -> tuple[str, ...]:
        """The device features in most of the kernels, and the sources that count."""
        machines = self.likeness.machines
        everyone = range(len(machines.names))
        count = dict.fromkeys(machines.features, 0)
        for kernel in self.likeness.kernels_for(everyone, target.values[0]):
            for j in kernel.features:
                count[machines.features[j]] += 1
        often = sorted((name for name in count if count[name]), key=lambda name: -count[name])
        weights = zip(machines.names, self.weights(target).tolist(), strict=True)
        ranked = sorted(weights, key=lambda pair: -abs(pair[1]))
        counts = ", ".join(f"{name} {weight:.2f}" for name, weight in ranked[:4])
        return (f"sources {counts}", f"device features {', '.join(often[:4])}")


def _blended(
    likeness: Likeness,
    members: Sequence[int],
    target: Floats,
    gains: Floats,
    values: Floats,
    regression: Any,
    weight: float,
) -> Floats:
    """The scores on a target from what the models of `members` say, (members, n, k)."""
    blend: Floats = np.tensordot(likeness.weights(members, target), gains, 1)
    if regression is None:
        return blend
    _, at = compared(likeness.machines.values[list(members)], target)
    learned = regression.predict(_columns(values, blend, gains, at))
    found: Floats = (1 - weight) * blend + weight * learned.reshape(blend.shape)
    return found


@lru_cache(maxsize=2)  # to expect and to fit ask for the same
def _judged(data: Measured, machines: Machines, seed: int) -> tuple[Likeness, dict[int, Floats]]:
    """The likeness, and for each source the mean share that each of WEIGHTS reaches there.

    For that, the machine has no part in what is learned, and its inputs are held out on all.
    """
    gains = held_out_gains(data, seed)
    everyone = range(len(data.machines))
    first = judge_kernels(data, machines, gains, seed)
    folds = data.folds(2, seed + 1)
    known = np.flatnonzero(folds == 0)
    table: dict[int, Floats] = {}
    for index in everyone if len(everyone) > 1 else ():
        others = [one for one in everyone if one != index]
        rows = data.of_machine(index)
        held = rows[folds[rows] == 1]
        if not len(held) or not (first.judged[index] or len(everyone) < 3):
            continue
        likeness = with_chosen_constants(first, others, data, gains, seed)
        forest = _regression(data.rows(known), likeness, gains[:, known], others, seed, JUDGING)
        ahead = machines.values[index], gains[others][:, held], data.values[held]
        table[index] = np.array(
            [
                masked_share(
                    _blended(likeness, others, *ahead, forest, weight), data.costs[held]
                ).mean()
                for weight in WEIGHTS
            ]
        )
    return with_chosen_constants(first, everyone, data, gains, seed), table


def _index_of_best(table: dict[int, Floats], members: Sequence[int]) -> int:
    """Of WEIGHTS, by the mean over some machines; the middle one where there are none."""
    shares = [table[one] for one in members if one in table]
    return int(np.mean(shares, axis=0).argmax()) if shares else len(WEIGHTS) // 2


def _best_weight(table: dict[int, Floats], members: Sequence[int]) -> float:
    return WEIGHTS[_index_of_best(table, members)]


def _columns(values: Floats, blend: Floats, gains: Floats, device: Floats) -> Floats:
    """What the regression sees of each input."""
    machine = np.tile(device, (len(values), 1))
    return np.hstack([tree_columns(values), blend, gains.mean(axis=0), gains.std(axis=0), machine])


def _regression(
    data: Measured,
    likeness: Likeness,
    gains: Floats,
    members: Sequence[int],
    seed: int,
    trees: int = TREES,
) -> Any:
    """A forest that has each judged machine of `members` as target; None for too few of them."""
    from sklearn.ensemble import ExtraTreesRegressor

    targets = [one for one in members if likeness.judged[one]]
    if len(targets) < FEWEST or len(members) <= FEWEST:
        return None
    device, _ = compared(
        likeness.machines.values[list(members)], likeness.machines.values[members[0]]
    )
    tables, wanted = [], []
    random = np.random.default_rng(seed)
    for index in targets:
        others = [one for one in members if one != index]
        rows = random.permutation(data.of_machine(index))[:ROWS]
        if not len(rows):
            continue
        own = gains[others][:, rows]
        weights = likeness.weights(others, likeness.machines.values[index])
        blend = np.tensordot(weights, own, 1)
        at = device[list(members).index(index)]
        tables.append(_columns(data.values[rows], blend, own, at))
        wanted.append(data.rows(rows).gains())
    return ExtraTreesRegressor(
        trees, min_samples_leaf=5, max_features=0.4, random_state=seed, n_jobs=1
    ).fit(np.vstack(tables), np.vstack(wanted))
