"""Device feature selection by application proxies, P-DFS (dissertation, algorithm 1).

A proxy stresses one part of a machine and has the device features that describe this part. With
profiles of the variants (`Autotuner.profile`), on one source machine at least, the winning proxies
are those of `profiles/intensity.py`. A table has no profiles, but the costs of one input on several
machines: its relative cost follows the features of the part that it stresses. There the intensity
of a proxy is the correlation with these; then, as in the paper, each input has its best proxies,
the inputs of a variant vote, and the variants' winners are united.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from fettle.data.training_set import Floats
from fettle.profiles.intensity import winning_proxies
from fettle.profiles.kept import Profiles
from fettle.profiles.proxies import PROXIES
from fettle.transfer.columns import device_columns, standardised
from fettle.transfer.concatenate import Concatenation
from fettle.transfer.machines import Machines
from fettle.transfer.method import Chooser
from fettle.transfer.sources import Measured

PARALLELISM = ("multiprocessors", "cores", "simd", "warp", "launch")
"""What a table of costs may tell of beside the five proxies."""
FEWEST_MACHINES = 3
MOST_INPUTS = 400


class ProfileSelection(Concatenation):
    """Feature concatenation with the device features of the winning proxies."""

    name = "p-dfs"

    def __init__(self, profiles: Sequence[Profiles] = ()) -> None:
        self._profiled = {proxy for one in profiles for proxy in winning_proxies(one)}

    def select(self, data: Measured, machines: Machines, seed: int) -> tuple[int, ...]:
        """The features of the winning proxies; all where the sources are too few to tell."""
        everything = tuple(range(len(machines.features)))
        if self._profiled:
            words = [word for proxy in self._profiled for word in proxy.features]
            return named_by(words, machines.features) or everything
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


def notes_of(
    method: str, chooser: Chooser, target: Machines, profiles: Sequence[Profiles]
) -> tuple[str, ...]:
    """What a method goes by on the target; of a selection by profiles, where these are from."""
    found = chooser.notes(target)
    if method not in ("p-dfs", "cv-dfs"):
        return found
    if not profiles:
        return (
            *found,
            "no profiles of the variants in the database: proxies by their costs on the sources "
            "(tuner.profile() on one machine collects profiles)",
        )
    names = [", ".join(proxy.name for proxy in winning_proxies(one)) for one in profiles]
    return (
        *found,
        *(
            f"proxies {winners or 'none'} by the profiles of {one.machine}"
            for winners, one in zip(names, profiles, strict=True)
        ),
    )


def proxies_of(features: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """The proxies that have device features, each with their indices; others are one by one."""
    known = {**{proxy.name: proxy.features for proxy in PROXIES}, "parallelism": PARALLELISM}
    found = {proxy: named_by(words, features) for proxy, words in known.items()}
    named = {j for columns in found.values() for j in columns}
    found |= {features[j]: (j,) for j in range(len(features)) if j not in named}
    return {proxy: columns for proxy, columns in found.items() if columns}


def named_by(words: Iterable[str], features: tuple[str, ...]) -> tuple[int, ...]:
    """The indices of the features whose names contain one of the words."""
    known = tuple(words)
    return tuple(j for j, name in enumerate(features) if any(word in name for word in known))


def _over_machines(data: Measured, one: int) -> tuple[list[int], Floats] | None:
    """The machines that measured an input, and the variants' gains there."""
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
