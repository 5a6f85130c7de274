"""How much a kernel is like each proxy, and the proxies that a function's kernels are most like.

(dissertation, algorithm 1). One model a proxy predicts the intensity, 0 to 5, from the proxy's own
counters, each divided by the number of instructions. Beside the proxy's runs it learns from those
of the others, whose intensity of this kind is 0: else a kernel that does nothing of the kind would
count as between the two runs that do least of it.
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
LEAST = 0.1  # of an intensity: a kernel that does nothing of any kind has no vote


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
            own = proxies[proxy.name]
            columns = [one for one in proxy.counters(profiler) if all(one in run for run in own)]
            if not np.array([[run[one] for one in columns] for run in own]).any():
                continue  # the machine counts nothing of what this proxy stresses
            others = [run for other in PROXIES if other != proxy for run in proxies[other.name]]
            table = np.array([self._normalised(run, columns) for run in (*own, *others)])
            wanted = np.array([*INTENSITIES, *(0.0 for _ in others)], dtype=np.float64)
            self._columns[proxy.name] = columns
            # Each tree splits by counters drawn at random, so that all of them have a say.
            model = ExtraTreesRegressor(TREES, max_features=1, random_state=seed, n_jobs=1)
            self._models[proxy.name] = model.fit(table, wanted)

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
            best &= table.max(axis=0) > LEAST
            votes: Counter[str] = Counter()
            for name, one in zip(intensity, best.sum(axis=1).tolist(), strict=True):
                votes[name] = one
            most = max(votes.values())
            global_best |= {name for name, one in votes.items() if one == most > 0}
    return tuple(proxy for proxy in PROXIES if proxy.name in global_best)
