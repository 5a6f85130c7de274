"""Figures and tables of the dissertation's chapter 3, of measurements of several machines.

Tables 3.2 (how alike the machines are), 3.5 (which variant is best how often), 3.6 (device features
that are selected) and 3.7 (seconds); figures 3.2 and 3.3 (inputs whose best variant differs between
machines, also with a tolerance: no variant is within it of the best everywhere), 3.4 and 3.5
(methods side by side). dissertation.py and machines.py make records of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fettle.transfer.concatenate import FEWER_ROWS, Concatenation, share_on, train, without
from fettle.transfer.cross_validated_selection import CrossValidatedSelection
from fettle.transfer.machines import Machines
from fettle.transfer.method import masked_share
from fettle.transfer.methods import AUTO, METHODS, compare
from fettle.transfer.profile_selection import ProfileSelection
from fettle.transfer.similarity import similarity
from fettle.transfer.sources import Measured

TOLERANCES = (0.0, 0.05)
METHODS_SHOWN = {
    "Full Set": "concatenate",
    "P-DFS": "p-dfs",
    "CV-DFS": "cv-dfs",
    "Majority": "majority",
    "blend": "blend",
    "auto": AUTO,
}
RANDOM_RUNS = 1000
FEATURE, SECONDS = "feature ", "seconds "
"""What the columns of a table of one function begin with."""
Row = dict[str, object]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """What a method learns from, and the inputs that it is judged by on the target."""

    sources: Measured
    of_sources: Machines
    target: Machines
    known: Measured
    """The target's own training inputs, for the original Nitro."""
    held: Measured


def only(data: Measured, machines: Machines, left_out: Sequence[str]) -> tuple[Measured, Machines]:
    """The measurements without some machines."""
    for name in left_out:
        data, machines = without(data, machines, data.machines.index(name))
    return data, machines


def sensitivity(data: Measured, places: Sequence[int], tolerance: float) -> tuple[float, int]:
    """The fraction of inputs on which no variant is the best on all machines, and how many."""
    names = range(int(data.input.max()) + 1)
    lines = {place: dict.fromkeys(names, -1) for place in places}
    for row, (place, one) in enumerate(
        zip(data.machine.tolist(), data.input.tolist(), strict=True)
    ):
        if place in lines:
            lines[place][one] = row
    shares = np.nan_to_num(data.shares())
    mismatched = counted = 0
    for one in names:
        rows = [lines[place][one] for place in places]
        if min(rows) < 0:
            continue
        counted += 1
        mismatched += not (shares[rows] >= 1 - tolerance).all(axis=0).any()
    return mismatched / counted, counted


def figures_of_sensitivity(data: Measured, architectures: Sequence[str]) -> Iterator[Row]:
    """Figures 3.2 and 3.3, and table 3.5."""
    everyone = range(len(data.machines))
    for tolerance in TOLERANCES:
        mismatch, count = sensitivity(data, everyone, tolerance)
        yield {"figure": "3.2", "tolerance": tolerance, "mismatch": mismatch, "inputs": count}
        for one in sorted({word for word in architectures if architectures.count(word) > 1}):
            own = [place for place in everyone if architectures[place] == one]
            mismatch, count = sensitivity(data, own, tolerance)
            group = {"architecture": one, "tolerance": tolerance}
            yield {"figure": "3.3", **group, "mismatch": mismatch, "inputs": count}
    for place, name in enumerate(data.machines):
        best = data.costs[data.of_machine(place)].argmin(axis=1)
        for k, variant in enumerate(data.variants):
            yield {
                "table": "3.5",
                "device": name,
                "variant": variant,
                "fraction": float((best == k).mean()),
            }


def table_of_similarity(machines: Machines, chosen: Sequence[int]) -> Iterator[Row]:
    """Table 3.2, by all device features and by the best ones."""
    for by, columns in (("all", range(len(machines.features))), ("best", chosen)):
        described = {
            name: {machines.features[j]: float(machines.values[i, j]) for j in columns}
            for i, name in enumerate(machines.names)
        }
        names, table = similarity(described)
        for i, j in combinations(range(len(names)), 2):
            pair = {"devices": [names[i], names[j]], "similarity": table[i][j]}
            yield {"table": "3.2", "by": by, **pair}


def original(known: Measured, machine: Machines, held: Measured) -> Floats:
    """The original Nitro: an SVM of the target's own measurements."""
    there = replace(known, machines=machine.names, machine=np.zeros(len(known), dtype=np.intp))
    return masked_share(train(there, machine, (), 0).gains(machine, held.values), held.costs)


def random_choice(held: Measured) -> Floats:
    """The share of a valid variant drawn at random, the mean of many draws."""
    random = np.random.default_rng(0)
    total = np.zeros(len(held))
    for _ in range(RANDOM_RUNS):
        total += masked_share(random.random(held.costs.shape), held.costs)
    return np.asarray(total / RANDOM_RUNS)


def judged(case: Case) -> tuple[dict[str, Floats], dict[str, float]]:
    """The shares of each method on one target, and the CPU seconds that each took."""
    seconds: dict[str, float] = {}
    found = {
        "Orig. Nitro": original(case.known, case.target, case.held),
        "Random": random_choice(case.held),
    }
    sources, machines = case.sources, case.of_sources
    for shown, name in METHODS_SHOWN.items():
        begun = time.process_time()
        taken = compare(AUTO, sources, machines, 0).name if name == AUTO else name
        chooser = METHODS[taken]().fit(sources, machines, 0)
        gains = chooser.gains(case.target, case.held.values)
        seconds[shown] = time.process_time() - begun
        found[shown] = masked_share(gains, case.held.costs)
    return found, seconds


def rows_of_seconds(seconds: Sequence[dict[str, float]], **what: object) -> Iterator[Row]:
    """Table 3.7: the mean of each method."""
    for name in seconds[0]:
        mean = float(np.mean([one[name] for one in seconds]))
        yield {**what, "table": "3.7", "method": name, "seconds": mean}


def selected(method: Callable[[], Concatenation], data: Measured, machines: Machines) -> list[str]:
    """The names of the device features that a method selects of all sources."""
    return [machines.features[j] for j in method().select(data, machines, 0)]


def best_subset(data: Measured, machines: Machines) -> tuple[int, ...]:
    """The device features that do best on the targets themselves, in hindsight."""
    everyone = range(len(machines.features))
    subsets = [one for size in (1, 2, 3) for one in combinations(everyone, size)]
    targets = range(len(data.machines))

    def reached(chosen: tuple[int, ...]) -> float:
        each = [share_on(data, machines, place, chosen, 0, FEWER_ROWS) for place in targets]
        return float(np.mean(each))

    return max(subsets, key=reached)


def table_of_features(data: Measured, machines: Machines, best: tuple[int, ...]) -> Iterator[Row]:
    """Tables 3.6 and 3.7, with the devices as sources: the best in hindsight, P-DFS and CV-DFS."""
    names = [machines.features[j] for j in best]
    yield {"table": "3.6", "method": "best in hindsight", "features": names}
    ways: dict[str, Callable[[], Concatenation]] = {
        "P-DFS": ProfileSelection,
        "CV-DFS": CrossValidatedSelection,
    }
    for name, method in ways.items():
        begun = time.process_time()
        features = selected(method, data, machines)
        taken = time.process_time() - begun
        yield {"table": "3.6", "method": name, "features": features}
        yield {"table": "3.7", "method": f"{name}, selection", "seconds": taken}


def rows_of(shares: dict[str, Floats], **what: object) -> Iterator[Row]:
    """A row a method."""
    for name, each in shares.items():
        p5 = float(np.percentile(each, 5))
        yield {**what, "method": name, "mean": float(each.mean()), "p5": p5}
