"""Our method: predictions of the source machines' own models, blended by the machines' likeness.

Which device features say what machines are alike differs from function to function. Every kernel
(`kernels.py`) is judged by taking each source machine as the target in turn, on inputs that no
model has seen; the weights of the best ones are averaged. What is predicted and judged is the share
of best, so that errors count by what they lose.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.data.training_set import Floats
from fettle.transfer.columns import device_columns, standardised
from fettle.transfer.guard import unlike
from fettle.transfer.kernels import Kernel, all_kernels
from fettle.transfer.machines import Machines
from fettle.transfer.method import Chooser, Expectation, masked_share
from fettle.transfer.source_models import SourceModels, held_out_gains
from fettle.transfer.sources import Measured

AVERAGED = 20
JUDGED_ROWS = 400  # of a machine


class Blend:
    """The method; its name on the command line is `blend`."""

    name = "blend"

    def fit(self, data: Measured, machines: Machines, seed: int) -> Chooser:
        """A forest a machine, and the kernels that carry best between the sources."""
        kernels = all_kernels(len(machines.features))
        reached, judged = _reached(kernels, data, machines, seed)
        return BlendChooser(
            SourceModels(data, seed), best_kernels(kernels, reached[:, judged]), machines
        )

    def expect(self, data: Measured, machines: Machines, seed: int) -> Expectation:
        """Each machine by the kernels that are best on the other machines."""
        kernels = all_kernels(len(machines.features))
        gains = held_out_gains(data, seed)
        reached, judged = _reached(kernels, data, machines, seed, gains)
        found: dict[str, float] = {}
        for place, name in enumerate(data.machines):
            others = [one for one in range(len(data.machines)) if one != place]
            rows = data.of_machine(place)
            if not others or not len(rows):
                continue
            rest = judged & (np.arange(len(judged)) != place)
            chosen = best_kernels(kernels, reached[:, rest])
            weights = blended_weights(chosen, machines.values[others], machines.values[place])
            choice = np.tensordot(weights, gains[others][:, rows], 1)
            found[name] = float(masked_share(choice, data.costs[rows]).mean())
        return Expectation(found)


class BlendChooser:
    """Learned: `gains` on a machine is a weighted mean of what the sources' models predict."""

    def __init__(
        self, models: SourceModels, kernels: tuple[Kernel, ...], machines: Machines
    ) -> None:
        self.models = models
        self.machines = machines
        self._kernels = kernels

    def weights(self, target: Machines) -> Floats:
        """What each source counts for the one machine of `target`, (machines,)."""
        return blended_weights(self._kernels, self.machines.values, target.values[0])

    def gains(self, target: Machines, values: Floats) -> Floats:
        """Expected log shares."""
        found: Floats = np.tensordot(self.weights(target), self.models.gains(values), 1)
        return found

    def notes(self) -> tuple[str, ...]:
        """How often each device feature is in one of the kernels."""
        names = self.machines.features
        count = dict.fromkeys(names, 0)
        for kernel in self._kernels:
            for j in kernel.features:
                count[names[j]] += 1
        often = sorted((name for name in names if count[name]), key=lambda name: -count[name])
        return (f"device features, most telling first: {', '.join(often[:6])}",)


def blended_weights(kernels: tuple[Kernel, ...], sources: Floats, target: Floats) -> Floats:
    """The mean of the kernels' weights for a machine, from device features as in the file."""
    if len(sources) == 1:
        return np.ones(1)
    both = device_columns(np.vstack([sources, target]))
    known = standardised(both, both[:-1])
    found: Floats = np.mean([one.weights(known[:-1], known[-1]) for one in kernels], axis=0)
    return found


def best_kernels(kernels: tuple[Kernel, ...], reached: Floats) -> tuple[Kernel, ...]:
    """The AVERAGED best by the mean of what they reach on each machine, (kernels, machines)."""
    if not reached.shape[1]:
        return kernels
    order = np.argsort(-reached.mean(axis=1), kind="stable")
    return tuple(kernels[i] for i in order[:AVERAGED])


def _reached(
    kernels: tuple[Kernel, ...],
    data: Measured,
    machines: Machines,
    seed: int,
    gains: Floats | None = None,
) -> tuple[Floats, NDArray[np.bool_]]:
    """The mean share of each kernel on each machine predicted from the others; which are judged.

    A machine that is too unlike the others says nothing of how to carry over, and is not judged.
    """
    count = len(data.machines)
    reached = np.zeros((len(kernels), count))
    judged = np.zeros(count, dtype=bool)
    if count < 3:
        return reached, judged
    gains = held_out_gains(data, seed) if gains is None else gains
    random = np.random.default_rng(seed)
    for place in range(count):
        others = [one for one in range(count) if one != place]
        rows = data.of_machine(place)
        names = [machines.names[one] for one in others]
        if not len(rows) or unlike(machines.of([machines.names[place]]), machines.of(names)):
            continue
        judged[place] = True
        rows = random.permutation(rows)[:JUDGED_ROWS]
        both = device_columns(np.vstack([machines.values[others], machines.values[place]]))
        known = standardised(both, both[:-1])
        weights = np.array([one.weights(known[:-1], known[-1]) for one in kernels])
        predicted = gains[others][:, rows]
        for number, choice in enumerate(np.tensordot(weights, predicted, 1)):
            reached[number, place] = masked_share(choice, data.costs[rows]).mean()
    return reached, judged
