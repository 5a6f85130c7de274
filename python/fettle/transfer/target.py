"""The choice on one machine: what transfer says, the guard, and what was measured there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.core.wording import counted
from fettle.data.training_set import Floats
from fettle.transfer.blend import Blend, BlendChooser
from fettle.transfer.few_shot import Scores, own_or_fixed, refined
from fettle.transfer.guard import unlike
from fettle.transfer.machines import Machines
from fettle.transfer.method import Chooser, FixedChooser, best_fixed
from fettle.transfer.shrinkage import chosen_shrinkage
from fettle.transfer.sources import Measured

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Choice:
    """How variants are chosen on a machine: `scores` of feature values, and where that is from."""

    scores: Scores
    how: str
    is_unlike: str
    """Why the guard does not let the sources decide; empty where it does."""


@dataclass(frozen=True)
class Transferred:
    """All that is needed to choose on any machine."""

    data: Measured
    machines: Machines
    chooser: Chooser
    method: str
    seed: int

    def on(self, target: Machines, lacking: Flags, here: Measured | None = None) -> Choice:
        """How to choose on the one machine of `target`, which lacks some variants.

        `here` are inputs measured there. On a machine that is too unlike the sources the best fixed
        variant of the sources runs, and with measurements the best one of these, or a model of
        these where that is surely better.
        """
        reason = unlike(target, self.machines)
        if here is not None and len(here):
            return self._measured(target, lacking, here, reason)
        if reason:
            fixed = FixedChooser(self._default(lacking), self.data.variants)
            return Choice(
                lambda values: fixed.gains(target, values),
                f"the default {self.data.variants[fixed.variant]}",
                reason,
            )
        return Choice(lambda values: self.chooser.gains(target, values), self.method, "")

    def _default(self, lacking: Flags) -> int:
        """The best fixed variant of the sources that the target has."""
        fixed = best_fixed(self.data)
        if not lacking[fixed] or lacking.all():
            return fixed
        shares = np.nan_to_num(self.data.shares()).mean(axis=0)
        return int(np.where(lacking, -1.0, shares).argmax())

    def _measured(self, target: Machines, lacking: Flags, here: Measured, reason: str) -> Choice:
        blend = self.chooser
        if not isinstance(blend, BlendChooser):
            fitted = Blend().fit(self.data, self.machines, self.seed)
            assert isinstance(fitted, BlendChooser)
            blend = fitted
        count = counted(len(here), "measured input")
        if not reason:
            weights = blend.weights(target)
            believed = chosen_shrinkage(blend.likeness, self.data, len(here), self.seed)
            return Choice(
                refined(blend.models, weights, here, lacking, self.seed, believed),
                f"{self.method} and {count}",
                "",
            )
        scores = own_or_fixed(blend.models, here, lacking, self.seed)
        if scores is not None:
            return Choice(scores, f"a model of {count}", reason)
        fixed = FixedChooser(self._best_measured(here, lacking), self.data.variants)
        return Choice(
            lambda values: fixed.gains(target, values),
            f"the best of {count}, {self.data.variants[fixed.variant]}",
            reason,
        )

    def _best_measured(self, here: Measured, lacking: Flags) -> int:
        """The best fixed variant; what the sources' default counts for is five inputs."""
        shares: Floats = here.shares().sum(axis=0)
        shares[self._default(lacking)] += 5 * 0.05
        return int(np.where(lacking, -1.0, shares).argmax())
