"""The majority of the source machines' models, which knows nothing of device features.

The paper's reference (dissertation, section 3.5.2): each source's own model names a variant, and
the variant that most name is chosen; among equals the one that is best on average.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fettle.data.training_set import Floats
from fettle.transfer.machines import Machines
from fettle.transfer.method import Chooser, Expectation, masked_share
from fettle.transfer.source_models import SourceModels, held_out_gains
from fettle.transfer.sources import WORST, Measured


class Majority:
    """The method; its name on the command line is `majority`."""

    name = "majority"

    def fit(self, data: Measured, machines: Machines, seed: int) -> Chooser:
        """A model for each source."""
        return MajorityChooser(SourceModels(data, seed), data.machines)

    def expect(self, data: Measured, machines: Machines, seed: int) -> Expectation:
        """Each machine by the votes of the others."""
        gains = held_out_gains(data, seed)
        found: dict[str, float] = {}
        for index, name in enumerate(data.machines):
            others = [one for one in range(len(data.machines)) if one != index]
            rows = data.of_machine(index)
            if others and len(rows):
                scores = votes(gains[others][:, rows])
                found[name] = float(masked_share(scores, data.costs[rows]).mean())
        return Expectation(found)


@dataclass(frozen=True, eq=False)
class MajorityChooser:
    """The sources' models, one vote each."""

    models: SourceModels
    machines: tuple[str, ...]

    def gains(self, target: Machines, values: Floats) -> Floats:
        """The votes for each variant."""
        return votes(self.models.gains(values))

    def notes(self, target: Machines) -> tuple[str, ...]:
        """Who votes."""
        return (f"a vote each of {', '.join(self.machines)}",)


def votes(gains: Floats) -> Floats:
    """How many of the machines have each variant as the best, and below 1 its mean, (n, k)."""
    named = np.eye(gains.shape[2])[gains.argmax(axis=2)].sum(axis=0)
    found: Floats = named + gains.mean(axis=0) / (2 * WORST)
    return found
