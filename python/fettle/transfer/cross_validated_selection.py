"""Cross-validated device feature selection, CV-DFS (dissertation, algorithm 2).

Each source machine is the target in turn; every subset of at most three device features is judged
there by a model of the other sources. The features in most of the best subsets are taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from fettle.profiles.kept import Profiles
from fettle.training.search_limits import SearchLimits
from fettle.transfer.concatenate import FEWER_ROWS, Concatenation, share_on
from fettle.transfer.machines import Machines
from fettle.transfer.method import Expectation
from fettle.transfer.profile_selection import ProfileSelection
from fettle.transfer.sources import Measured

MOST_MODELS = 400


class CrossValidatedSelection(Concatenation):
    """Feature concatenation with the device features of CV-DFS, after those of P-DFS."""

    name = "cv-dfs"

    def __init__(
        self,
        limits: SearchLimits | None = None,
        *,
        after_profile: bool = True,
        profiles: Sequence[Profiles] = (),
    ) -> None:
        self._limits = limits or SearchLimits()
        self._first = ProfileSelection(profiles) if after_profile else None

    def select(self, data: Measured, machines: Machines, seed: int) -> tuple[int, ...]:
        """The most frequent features of the best subsets."""
        features = tuple(range(len(machines.features)))
        if self._first is not None:
            features = self._first.select(data, machines, seed)
        if len(data.machines) < 3:
            return features
        targets = range(len(data.machines))[: self._limits.sources]
        subsets = _subsets(features, self._limits.subset_size, len(targets))
        count: Counter[int] = Counter()
        for index in targets:
            reached = [
                share_on(data, machines, index, chosen, seed, self._limits.rows)
                for chosen in subsets
            ]
            count.update(subsets[int(np.argmax(reached))])
        return tuple(sorted(feature for feature, _ in count.most_common(self._limits.kept)))

    def expect(self, data: Measured, machines: Machines, seed: int) -> Expectation:
        """With the features selected on all sources: selecting anew for each takes minutes."""
        chosen = self.select(data, machines, seed)
        if len(data.machines) < 2:
            return Expectation()
        return Expectation(
            {
                name: share_on(data, machines, index, chosen, seed, 2 * FEWER_ROWS)
                for index, name in enumerate(data.machines)
            }
        )


def _subsets(features: Sequence[int], size: int, targets: int) -> list[tuple[int, ...]]:
    """The subsets of at most `size`; of fewer where more than MOST_MODELS would be trained."""
    found: list[tuple[int, ...]] = []
    for count in range(1, size + 1):
        more = list(combinations(features, count))
        if found and (len(found) + len(more)) * targets > MOST_MODELS:
            break
        found += more
    return found
