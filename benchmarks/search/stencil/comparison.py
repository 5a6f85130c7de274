"""What the searches came to: speedups, costs, and how good the predicted loading technique is.

A heuristic "predicted" is the heuristic with the loading technique that a random forest predicts
from the static features of the kernel; the forest was trained on all kernels of the sample but this
one: what share of the best the heuristic reached with each technique. "Predicted two" searches with
the two likeliest, one after the other, and costs both. "Oracle" tries all techniques.
Penalty-weighted accuracy is the mean of the oracle's time over the predicted one's (section 8.2).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean, geometric_mean
from typing import Any

from shapes import kernel_named
from space import LOADING, SIDES, Sides

from fettle.search.grouped import (
    Example,
    PartitionModel,
    cross_validate,
    nothing_to_predict,
)
from fettle.search.grouped.partition_model import Learns

SEED = 1
REFERENCES = ("random", "random_paper", "expert")
PREDICTED = ("predicted", "predicted two")
Row = dict[str, Any]


@dataclass(frozen=True)
class Found:
    """A search's winner in seconds, infinite where it has none; its points, and what they cost."""

    seconds: float
    count: int = 0
    cost: float = 0.0
    point: Mapping[str, Any] | None = None


Results = Mapping[str, Mapping[str, Found]]  # by kernel and search


def _row(name: str, results: Results, searches: Sequence[Sequence[str]]) -> Row:
    """Of each kernel some searches, of which the best counts, and the cost of all."""
    found = list(results.values())
    some = [[its[name] for name in names] for its, names in zip(found, searches, strict=True)]
    costs = [sum(one.cost for one in ones) for ones in some]
    row: Row = {"search": name, "kernels": len(results)}
    row["configurations"] = fmean(sum(one.count for one in ones) for ones in some)
    row["tuning_seconds"] = fmean(costs)
    for other in REFERENCES:
        if any(other not in its for its in found):
            continue
        ratios = [
            its[other].seconds / min(one.seconds for one in ones)
            for its, ones in zip(found, some, strict=True)
        ]
        total = sum(its[other].cost for its in found)
        row[f"speedup_{other}"] = geometric_mean(ratios)
        row[f"cost_share_{other}"] = sum(costs) / total if total else None
    return row


def ways_of(results: Results, heuristic: str) -> list[str]:
    """The loading techniques that a heuristic searched."""
    first = next(iter(results.values()))
    return [way for way in LOADING if f"{heuristic} {way}" in first]


def examples_of(results: Results, heuristic: str) -> list[Example]:
    """What the technique is predicted from, and what each reached."""
    return [
        Example(
            name,
            kernel_named(name).features(),
            {way: its[f"{heuristic} {way}"].seconds for way in ways_of(results, heuristic)},
        )
        for name, its in results.items()
    ]


def _predicted(results: Results, heuristic: str, learns: Learns) -> list[Row]:
    examples = examples_of(results, heuristic)
    verdict = nothing_to_predict("loading", examples)

    @cache
    def model(names: tuple[str, ...]) -> PartitionModel:
        others = [example for example in examples if example.name in names]
        return PartitionModel.fit("loading", others, seed=SEED, learns=learns)

    rows = []
    for top, title in enumerate(PREDICTED, start=1):
        guessed = cross_validate(
            examples, lambda others: model(tuple(one.name for one in others)), top=top
        )
        ways = [guessed.predicted[name] for name in results]
        searches = [[f"{heuristic} {way}" for way in some] for some in ways]
        row = _row(f"{heuristic} {title}", results, searches)
        row["accuracy"] = guessed.absolute
        row["penalty_weighted_accuracy"] = guessed.penalty_weighted
        if verdict:
            row["verdict"] = verdict
        rows.append(row)
    return rows


def summary_rows(results: Results, learns: Learns = "share") -> list[Row]:
    """A row a search; of each heuristic those with predicted techniques, the oracle, and each."""
    first = next(iter(results.values()))
    rows = [_row(name, results, [[name]] * len(results)) for name in REFERENCES if name in first]
    for heuristic in dict.fromkeys(name.split()[0] for name in first if " " in name):
        every = [f"{heuristic} {way}" for way in ways_of(results, heuristic)]
        if len(results) > 2 and len(every) > 1:
            rows += _predicted(results, heuristic, learns)
        rows.append(_row(f"{heuristic} oracle", results, [every] * len(results)))
        best = [min(every, key=lambda name: its[name].seconds) for its in results.values()]
        for name in every:
            if all(math.isfinite(its[name].seconds) for its in results.values()):
                row = _row(name, results, [[name]] * len(results))
                rows.append({**row, "best_of": best.count(name)})
    return rows


def kernel_rows(results: Results, sides: Sides = SIDES) -> list[Row]:
    """A row a kernel: the times of what the searches found there, if they found anything, and the
    best configuration of all with its throughput, a multiplication and an addition a term."""
    rows = []
    for kernel, its in results.items():
        row: Row = {
            "kernel": kernel,
            "microseconds": {
                name: round(1e6 * one.seconds, 3)
                for name, one in its.items()
                if math.isfinite(one.seconds)
            },
        }
        best = min(its.values(), key=lambda one: one.seconds)
        if best.point is not None:
            row["best"] = dict(best.point)
            operations = 2 * kernel_named(kernel).size * math.prod(sides)
            row["gflops"] = round(1e-9 * operations / best.seconds, 1)
        rows.append(row)
    return rows


def print_summary(rows: Sequence[Row]) -> None:
    """The table."""
    for row in rows:
        parts = [f"{row['search']:28}{row['configurations']:8.1f}{row['tuning_seconds']:9.1f} s"]
        for other in REFERENCES:
            if f"speedup_{other}" in row:
                cost = row[f"cost_share_{other}"]
                share = "" if cost is None else f" at {cost:.1%} of its time"
                parts.append(f"{row[f'speedup_{other}']:.3f} of {other}{share}")
        if "accuracy" in row:
            weighted = row["penalty_weighted_accuracy"]
            parts.append(f"accuracy {row['accuracy']:.2f}, penalty-weighted {weighted:.3f}")
        if "best_of" in row:
            parts.append(f"best of {row['best_of']} kernels")
        print("; ".join(parts))
    for verdict in dict.fromkeys(row["verdict"] for row in rows if "verdict" in row):
        print(verdict)
