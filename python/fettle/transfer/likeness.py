"""What the source machines count for a target: kernels that carried well to machines like it.

Which device features say what machines are alike differs from function to function. Each kernel is
judged with each source machine as the target in turn, on inputs that no model has seen. For a
target those sources decide that are most like it by all features; the weights of the best kernels
are averaged. What is judged is the share of best, so that errors count by what they lose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import Floats
from fettle.transfer.columns import device_columns, standardised
from fettle.transfer.guard import unlike
from fettle.transfer.kernels import Kernel, all_kernels
from fettle.transfer.machines import Machines
from fettle.transfer.method import masked_share
from fettle.transfer.sources import Measured

JUDGED_ROWS = 400  # of a machine
AVERAGED = (10, 30)
SHARPNESSES = (2.0, 8.0, 32.0)


@dataclass(frozen=True, eq=False)
class Likeness:
    """Judged kernels, for targets by their device features as in the machines file."""

    kernels: tuple[Kernel, ...]
    machines: Machines
    reached: Floats
    """The mean share of each kernel on each machine, predicted from the others."""
    judged: NDArray[np.bool_]
    """Whether a machine is judged on: not where it is too unlike the others, or has too few."""
    averaged: int = AVERAGED[1]
    """How many of the best kernels are averaged."""
    sharpness: float = SHARPNESSES[1]
    """How fast a source's say in the choice of kernels falls with its distance from the target."""

    def kernels_for(self, members: Sequence[int], target: Floats) -> tuple[Kernel, ...]:
        """The best kernels by what they reach on machines of `members` that are like the target."""
        own, at = compared(self.machines.values[list(members)], target)
        distance = ((own - at) ** 2).mean(axis=1)
        say = np.exp(-self.sharpness * distance / max(float(np.median(distance)), 1e-9))
        say *= self.judged[list(members)]
        if say.sum() <= 0:
            say = self.judged[list(members)].astype(np.float64)
        if say.sum() <= 0:
            return self.kernels
        order = np.argsort(-(self.reached[:, list(members)] @ say), kind="stable")
        return tuple(self.kernels[i] for i in order[: self.averaged])

    def weights(self, members: Sequence[int], target: Floats) -> Floats:
        """What each machine of `members` counts for the target; they add up to 1."""
        if len(members) == 1:
            return np.ones(1)
        own, at = compared(self.machines.values[list(members)], target)
        kernels = self.kernels_for(members, target)
        found: Floats = np.mean([one.weights(own, at) for one in kernels], axis=0)
        return found

    def _reaches(
        self,
        members: Sequence[int],
        target: int,
        data: Measured,
        gains: Floats,
        rows: NDArray[np.intp],
    ) -> float:
        """The mean share on one machine of `members` of the others' blend."""
        others = [one for one in members if one != target]
        weights = self.weights(others, self.machines.values[target])
        choice = np.tensordot(weights, gains[others][:, rows], 1)
        return float(masked_share(choice, data.costs[rows]).mean())


def compared(sources: Floats, target: Floats) -> tuple[Floats, Floats]:
    """Device features as distances are taken between: standardised over the sources."""
    both = device_columns(np.vstack([sources, target]))
    known = standardised(both, both[:-1])
    return known[:-1], known[-1]


def judge_kernels(data: Measured, machines: Machines, gains: Floats, seed: int) -> Likeness:
    """Judges all kernels between the machines; `gains` are predictions on inputs held out."""
    count = len(data.machines)
    kernels = all_kernels(len(machines.features))
    reached = np.zeros((len(kernels), count))
    judged = np.zeros(count, dtype=bool)
    random = np.random.default_rng(seed)
    for index in range(count if count > 2 else 0):
        others = [one for one in range(count) if one != index]
        rows = random.permutation(data.of_machine(index))[:JUDGED_ROWS]
        names = [machines.names[one] for one in others]
        if not len(rows) or unlike(machines.of([machines.names[index]]), machines.of(names)):
            continue
        judged[index] = True
        own, at = compared(machines.values[others], machines.values[index])
        weights = np.array([one.weights(own, at) for one in kernels])
        predicted = gains[others][:, rows]
        for number, choice in enumerate(np.tensordot(weights, predicted, 1)):
            reached[number, index] = masked_share(choice, data.costs[rows]).mean()
    return Likeness(kernels, machines, reached, judged)


def with_chosen_constants(
    likeness: Likeness, members: Sequence[int], data: Measured, gains: Floats, seed: int
) -> Likeness:
    """The same kernels with the constants that carry best between the machines of `members`.

    Each judged one is the target in turn; `gains` are predictions on inputs held out.
    """
    targets = [one for one in members if likeness.judged[one]]
    if len(targets) < 3 or len(members) < 4:
        return likeness
    random = np.random.default_rng(seed)
    rows = {one: random.permutation(data.of_machine(one))[:JUDGED_ROWS] for one in targets}
    best, chosen = -1.0, likeness
    for averaged in AVERAGED:
        for sharpness in SHARPNESSES:
            tried = replace(likeness, averaged=averaged, sharpness=sharpness)
            shares = [tried._reaches(members, one, data, gains, rows[one]) for one in targets]
            if (mean := float(np.mean(shares))) > best:
                best, chosen = mean, tried
    return chosen
