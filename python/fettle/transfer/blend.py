"""Our method: predictions of the source machines' own models, blended by the machines' likeness.

The blend is a weighted mean of what the sources' models say, with the weights of `likeness.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fettle.data.training_set import Floats
from fettle.transfer.likeness import Likeness, judge_kernels, with_chosen_constants
from fettle.transfer.machines import Machines
from fettle.transfer.method import Chooser, Expectation, masked_share
from fettle.transfer.source_models import SourceModels, held_out_gains
from fettle.transfer.sources import Measured


class Blend:
    """The method; its name on the command line is `blend`."""

    name = "blend"

    def fit(self, data: Measured, machines: Machines, seed: int) -> Chooser:
        """A forest a machine, and judged kernels."""
        first = _judged(data, machines, seed)
        everyone = range(len(data.machines))
        gains = held_out_gains(data, seed)
        likeness = with_chosen_constants(first, everyone, data, gains, seed)
        return BlendChooser(SourceModels(data, seed), likeness)

    def expect(self, data: Measured, machines: Machines, seed: int) -> Expectation:
        """Each machine by what was learned of the other machines, constants included.

        The machine has no part in what is learned, and its inputs are held out on all.
        """
        first = _judged(data, machines, seed)
        gains = held_out_gains(data, seed)
        everyone = range(len(data.machines))
        found: dict[str, float] = {}
        for index in everyone if len(everyone) > 1 else ():
            others = [one for one in everyone if one != index]
            rows = data.of_machine(index)
            if not len(rows) or not (first.judged[index] or len(everyone) < FEWEST):
                continue
            likeness = with_chosen_constants(first, others, data, gains, seed)
            weights = likeness.weights(others, machines.values[index])
            blend = np.tensordot(weights, gains[others][:, rows], 1)
            found[data.machines[index]] = float(masked_share(blend, data.costs[rows]).mean())
        return Expectation(found)


FEWEST = 3  # machines, of which one can be judged too unlike the others


@dataclass(frozen=True, eq=False)
class BlendChooser:
    """Learned: scores of variants on machines by their device features."""

    models: SourceModels
    likeness: Likeness

    def weights(self, target: Machines) -> Floats:
        """What each source counts for the one machine of `target`, (machines,)."""
        everyone = range(len(self.likeness.machines.names))
        return self.likeness.weights(everyone, target.values[0])

    def gains(self, target: Machines, values: Floats) -> Floats:
        """Expected gains."""
        found: Floats = np.tensordot(self.weights(target), self.models.gains(values), 1)
        return found

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


@lru_cache(maxsize=2)  # to expect and to fit ask for the same
def _judged(data: Measured, machines: Machines, seed: int) -> Likeness:
    return judge_kernels(data, machines, held_out_gains(data, seed), seed)
