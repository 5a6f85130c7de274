"""What every method of transfer provides, and the choice that needs none: one variant always."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from fettle.data.training_set import Floats
from fettle.transfer.machines import Machines
from fettle.transfer.sources import Measured


class Chooser(Protocol):
    """A method that has learned from the sources."""

    def gains(self, target: Machines, values: Floats) -> Floats:
        """A score for each variant and input on the one machine of `target`, larger is better."""
        ...

    def notes(self, target: Machines) -> tuple[str, ...]:
        """What it goes by on the target, for people."""
        ...


@dataclass(frozen=True)
class Expectation:
    """Mean shares of best with each source machine in turn as the target, its inputs held out."""

    shares: dict[str, float] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """Over the machines."""
        return float(np.mean(list(self.shares.values()))) if self.shares else 0.0


class Method(Protocol):
    """One way to learn from the sources. `name` is what --transfer calls it."""

    name: str

    def fit(self, data: Measured, machines: Machines, seed: int) -> Chooser:
        """Learns from all sources."""
        ...

    def expect(self, data: Measured, machines: Machines, seed: int) -> Expectation:
        """What to expect on an unseen machine, found among the sources alone."""
        ...


def best_fixed(data: Measured) -> int:
    """The variant with the best mean share over the machines; where it fails, its share is 0."""
    shares = data.shares()
    machines = range(len(data.machines))
    means = [
        shares[data.machine == one].mean(axis=0) for one in machines if (data.machine == one).any()
    ]
    return int(np.mean(means, axis=0).argmax())


def masked_share(gains: Floats, costs: Floats) -> Floats:
    """The share of best of the choice among the variants that work on each input, (n,)."""
    chosen = np.where(np.isfinite(costs), gains, -np.inf).argmax(axis=1)
    best = costs.min(axis=1)
    return np.asarray(best / costs[np.arange(len(costs)), chosen])


class FixedMethod:
    """Always the best fixed variant of the sources: what every other method has to beat."""

    name = "fixed"

    def fit(self, data: Measured, machines: Machines, seed: int) -> Chooser:
        """Takes the best fixed variant."""
        return FixedChooser(best_fixed(data), data.variants)

    def expect(self, data: Measured, machines: Machines, seed: int) -> Expectation:
        """The share of the others' best fixed variant on each machine."""
        found: dict[str, float] = {}
        for index, name in enumerate(data.machines):
            own, rest = data.of_machine(index), np.flatnonzero(data.machine != index)
            if len(own) and len(rest):
                one = data.rows(own)
                chooser = FixedChooser(best_fixed(data.rows(rest)), data.variants)
                gains = chooser.gains(machines, one.values)
                found[name] = float(masked_share(gains, one.costs).mean())
        return Expectation(found)


@dataclass(frozen=True)
class FixedChooser:
    """One variant, and the others in their order where it is excluded."""

    variant: int
    variants: tuple[str, ...]

    def gains(self, target: Machines, values: Floats) -> Floats:
        """The variant first."""
        order = -np.arange(len(self.variants), dtype=np.float64)
        order[self.variant] = 1.0
        return np.tile(order, (len(values), 1))

    def notes(self, target: Machines) -> tuple[str, ...]:
        """Which variant."""
        return (f"always {self.variants[self.variant]}",)
