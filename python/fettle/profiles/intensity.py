"""How much a kernel is like each proxy, and the proxies that a function's kernels are most like.

(dissertation, algorithm 1). One model a proxy predicts the intensity, 0 to 5, from the proxy's own
counters, each divided by the number of instructions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from fettle.data.training_set import Floats
from fettle.profiles.kept import Profiles
from fettle.profiles.profiler import Counters
from fettle.profiles.proxies import INSTRUCTIONS, INTENSITIES, PROXIES, ProfilerName, Proxy

TREES = 100


class IntensityModels:
    """The five models of one machine and profiler."""

    def __init__(
        self, proxies: dict[str, list[Counters]], profiler: ProfilerName, seed: int = 0
    ) -> None:
        from sklearn.ensemble import ExtraTreesRegressor

        self._profiler = profiler
        self._columns: dict[str, list[str]] = {}
        self._models = {}
        for proxy in PROXIES:
            runs = proxies[proxy.name]
            columns = [one for one in proxy.counters(profiler) if all(one in run for run in runs)]
            table = np.array([self._normalised(run, columns) for run in runs])
            if not columns or not np.ptp(table, axis=0).any():
                continue  # the machine counts nothing of what this proxy stresses
            self._columns[proxy.name] = columns
            # Each tree splits by counters drawn at random, so that all of them have a say.
            model = ExtraTreesRegressor(TREES, max_features=1, random_state=seed, n_jobs=1)
            self._models[proxy.name] = model.fit(table, np.array(INTENSITIES, dtype=np.float64))

    def predict(self, kernels: Sequence[Counters]) -> dict[str, Floats]:
        """The intensity of each proxy in each kernel; proxies without counters are left out."""
        return {
            name: np.asarray(
                model.predict([self._normalised(one, self._columns[name]) for one in kernels])
            )
            for name, model in self._models.items()
        }

    def _normalised(self, counters: Counters, columns: Sequence[str]) -> list[float]:
        instructions = max(counters.get(INSTRUCTIONS[self._profiler], 0.0), 1.0)
        return [counters.get(one, 0.0) / instructions for one in columns]


def winning_proxies(found: Profiles) -> tuple[Proxy, ...]:
    """The union over variants and kernels of what most inputs vote for."""
    models = IntensityModels(found.proxies, found.profiler)
    global_best: set[str] = set()
    for by_input in found.variants.values():
        names = {kernel for kernels in by_input.values() for kernel in kernels}
        for kernel in sorted(names):
            counters = [kernels[kernel] for kernels in by_input.values() if kernel in kernels]
            intensity = models.predict(counters)
            if not intensity:
                continue
            table = np.array(list(intensity.values()))
            best = table >= table.max(axis=0) - 1e-9  # several where the highest are equal
            votes: Counter[str] = Counter()
            for name, one in zip(intensity, best.sum(axis=1).tolist(), strict=True):
                votes[name] = one
            most = max(votes.values())
            global_best |= {name for name, one in votes.items() if one == most}
    return tuple(proxy for proxy in PROXIES if proxy.name in global_best)
