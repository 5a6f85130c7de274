"""How much to believe a few measurements: found with each source machine in turn as the target."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import Floats
from fettle.transfer.few_shot import GRID, PRIORS, Shrinkage, centred, corrected
from fettle.transfer.likeness import Likeness
from fettle.transfer.method import masked_share
from fettle.transfer.source_models import held_out_gains
from fettle.transfer.sources import Measured

JUDGED_ROWS = 300  # of a machine
DRAWS = 2  # of inputs that count as measured


@lru_cache(maxsize=4)
def chosen_shrinkage(likeness: Likeness, data: Measured, count: int, seed: int) -> Shrinkage:
    """The best of GRID for so many measured inputs, by the mean share over the sources.

    Takes 6 forests a source machine. With fewer than 3 sources it is the default.
    """
    gains = held_out_gains(data, seed)
    machines = range(len(data.machines))
    reached = np.zeros(len(GRID))
    for index in machines:
        others = [one for one in machines if one != index]
        if len(others) < 2 or not likeness.judged[index]:
            continue
        weights = likeness.weights(others, likeness.machines.values[index])
        for draw in range(DRAWS):
            rows = np.random.default_rng([seed, index, draw]).permutation(data.of_machine(index))
            here, held = rows[:count], rows[count : count + JUDGED_ROWS]
            if len(here) == count and len(held) >= count:
                reached += _reached(data, gains[others], weights, here, held, seed)
    return GRID[int(reached.argmax())] if reached.any() else Shrinkage()


def _reached(
    data: Measured,
    gains: Floats,
    prior: Floats,
    here: NDArray[np.intp],
    held: NDArray[np.intp],
    seed: int,
) -> Floats:
    """The mean share of each of GRID on one machine, which lacks what never works there."""
    present = np.isfinite(data.costs[np.concatenate([here, held])]).any(axis=0)
    known, judged = data.rows(here), data.rows(held)
    of_sources = centred(gains[:, here][:, :, present])
    ahead = centred(gains[:, held][:, :, present])
    wanted = centred(known.gains()[:, present])
    found: dict[Shrinkage, float] = {}
    for variance in PRIORS:
        learned = corrected(of_sources, known, wanted, prior, variance, seed)
        blend = np.tensordot(learned.weights, ahead, 1)
        left = learned.left_over(judged.values, ahead, blend)
        for one in GRID:
            if one.prior == variance:
                scores = learned.combined(blend, left, one)
                found[one] = float(masked_share(scores, judged.costs[:, present]).mean())
    return np.array([found[one] for one in GRID])
