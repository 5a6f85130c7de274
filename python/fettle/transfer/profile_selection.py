"""Device feature selection by application proxies, P-DFS (dissertation, algorithm 1), on tables.

A proxy stresses one part of a machine and has the device features that describe this part. A
profiler says how much each variant on each input is like each proxy; a table has no counters, but
the costs of one input on several machines: its relative cost follows the features of the part that
it stresses. The intensity of a proxy is the correlation with these; then, as in the paper, each
input has its best proxies, the inputs of a variant vote, and the variants' winners are united.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from fettle.data.training_set import Floats
from fettle.transfer.columns import device_columns, standardised
from fettle.transfer.concatenate import Concatenation
from fettle.transfer.machines import Machines
from fettle.transfer.sources import Measured

PROXIES: dict[str, tuple[str, ...]] = {
    "single precision": ("gflops_sp", "fp32", "sp_gflop", "cuda_cores", "clock_rate", "clock"),
    "double precision": ("gflops_dp", "fp64", "dp_gflop", "cuda_cores", "clock_rate", "clock"),
    "atomics": ("atomic",),
    "memory bandwidth": ("gbps", "gb_s", "bandwidth", "mem_clock", "mem_bus", "l2_", "cache"),
    "shared memory": ("shared_mem",),
    "parallelism": ("multiprocessors", "cores", "simd", "warp", "launch"),
}
"""What the names of a proxy's device features contain: table 3.3, and other usual names."""
FEWEST_MACHINES = 3
MOST_INPUTS = 400


class ProfileSelection(Concatenation):
    """Feature concatenation with the device features of the winning proxies."""

    name = "p-dfs"

    def select(self, data: Measured, machines: Machines, seed: int) -> tuple[int, ...]:
        """The features of the winning proxies; all where the sources are too few to tell."""
        everything = tuple(range(len(machines.features)))
        proxies = proxies_of(machines.features)
        if len(data.machines) < FEWEST_MACHINES or len(proxies) < 2:
            return everything
        devices = standardised(device_columns(machines.values), device_columns(machines.values))
        winners: set[str] = set()
        order = np.random.default_rng(seed).permutation(np.unique(data.input))
        tables = [table for one in order[:MOST_INPUTS] if (table := _over_machines(data, int(one)))]
        for variant in range(len(data.variants)):
            votes: Counter[str] = Counter()
            for where, gains in tables:
                own = gains[:, variant]
                if own.std() < 1e-6:
                    continue
                intensity = {
                    proxy: _correlation(own, devices[where][:, list(columns)])
                    for proxy, columns in proxies.items()
                }
                votes[max(intensity, key=lambda proxy: intensity[proxy])] += 1
            winners.update(proxy for proxy, _ in votes.most_common(1))
        chosen = {j for proxy in winners for j in proxies[proxy]}
        return tuple(sorted(chosen)) or everything


def proxies_of(features: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """The proxies that have device features, each with their indices; others are one by one."""
    found = {
        proxy: tuple(j for j, name in enumerate(features) if any(word in name for word in words))
        for proxy, words in PROXIES.items()
    }
    named = {j for columns in found.values() for j in columns}
    found |= {features[j]: (j,) for j in range(len(features)) if j not in named}
    return {proxy: columns for proxy, columns in found.items() if columns}


def _over_machines(data: Measured, one: int) -> tuple[list[int], Floats] | None:
    """The machines that measured an input, and the variants' log shares there."""
    rows = np.flatnonzero(data.input == one)
    where = data.machine[rows].tolist()
    if len(set(where)) < FEWEST_MACHINES or len(set(where)) < len(where):
        return None
    return where, data.rows(rows).gains()


def _correlation(own: Floats, columns: Floats) -> float:
    """The largest absolute correlation with one of the columns."""
    spread = columns.std(axis=0)
    known = spread > 1e-9
    if not known.any():
        return 0.0
    centred = columns[:, known] - columns[:, known].mean(axis=0)
    covariance = centred.T @ (own - own.mean()) / len(own)
    return float(np.abs(covariance / (spread[known] * own.std())).max())
