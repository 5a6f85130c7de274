"""What the measured searches say: speedups, costs, and how good the predicted loading technique is.

    python benchmarks/search/stencil/comparison.py RESULTS.json[.xz]

A heuristic "predicted" is the heuristic with the loading technique that a random forest predicts
from the static features of the kernel; the forest has seen all kernels of the sample but this one.
It is trained on what the heuristic found with each technique, and learns what share of the best
each one reaches. "Predicted two" searches with the two likeliest, one after the other, and costs
both. "Oracle" tries all techniques. Penalty-weighted accuracy is the mean of the oracle's time over
the predicted one's (section 8.2).
"""

import json
import lzma
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, geometric_mean
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[3] / "python"))

from space import PAPER_LOADING

from fettle.search.grouped.accuracy import CrossValidation, cross_validate
from fettle.search.grouped.partition_model import Example, PartitionModel

SEED = 1
# What others are compared with, where it was run.
REFERENCES = ("random", "random_paper", "expert")
# A heuristic with the likeliest loading technique, and with the likeliest two.
PREDICTED = ("predicted", "predicted two")
Kernel = Mapping[str, Any]


def final(kernel: Kernel, search: str) -> float:
    """The time of a search's winner when it was measured again; infinite where it has none."""
    seconds = kernel["searches"][search]["final_seconds"]
    return math.inf if seconds is None else float(seconds)


def cost(kernel: Kernel, search: str) -> float:
    """The seconds that a search compiled and measured."""
    found = kernel["searches"][search]
    return float(found["compile_seconds"]) + float(found["measure_seconds"])


def heuristics(kernels: Sequence[Kernel]) -> list[str]:
    """The heuristics that were run."""
    names = [name.split()[0] for name in kernels[0]["searches"] if " " in name]
    return list(dict.fromkeys(names))


def best_way(kernel: Kernel, heuristic: str) -> str:
    """The loading technique with which the heuristic found the best."""
    return min(PAPER_LOADING, key=lambda way: final(kernel, f"{heuristic} {way}"))


def predicted_ways(
    kernels: Sequence[Kernel], heuristic: str, tops: Sequence[int]
) -> list[CrossValidation]:
    """The likeliest techniques of each kernel, so many, by a forest trained on the others."""
    examples = [
        Example(
            kernel["kernel"],
            kernel["features"],
            {way: final(kernel, f"{heuristic} {way}") for way in PAPER_LOADING},
        )
        for kernel in kernels
    ]
    trained: dict[tuple[str, ...], PartitionModel] = {}

    def train(others: Sequence[Example]) -> PartitionModel:
        names = tuple(example.name for example in others)
        if names not in trained:
            trained[names] = PartitionModel.fit("loading", others, seed=SEED)
        return trained[names]

    return [cross_validate(examples, train, top=top) for top in tops]


def _row(
    name: str,
    kernels: Sequence[Kernel],
    times: Sequence[float],
    costs: Sequence[float],
    count: float,
) -> dict[str, Any]:
    row: dict[str, Any] = {"search": name, "kernels": len(kernels), "configurations": count}
    row["tuning_seconds"] = fmean(costs)
    for other in REFERENCES:
        if any(other not in kernel["searches"] for kernel in kernels):
            continue
        its = [final(kernel, other) for kernel in kernels]
        row[f"speedup_{other}"] = geometric_mean([b / a for a, b in zip(times, its, strict=True)])
        total = sum(cost(kernel, other) for kernel in kernels)
        row[f"cost_share_{other}"] = sum(costs) / total if total else None
    return row


def _of_searches(
    name: str, kernels: Sequence[Kernel], searches: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """Of each kernel some searches, of which the best counts, and the cost of all."""
    pairs = list(zip(kernels, searches, strict=True))
    count = fmean(sum(kernel["searches"][s]["count"] for s in some) for kernel, some in pairs)
    times = [min(final(kernel, search) for search in some) for kernel, some in pairs]
    costs = [sum(cost(kernel, search) for search in some) for kernel, some in pairs]
    return _row(name, kernels, times, costs, count)


def _predicted(kernels: Sequence[Kernel], heuristic: str) -> list[dict[str, Any]]:
    rows = []
    guesses = predicted_ways(kernels, heuristic, range(1, len(PREDICTED) + 1))
    for name, guessed in zip(PREDICTED, guesses, strict=True):
        ways = [guessed.predicted[kernel["kernel"]] for kernel in kernels]
        searches = [[f"{heuristic} {way}" for way in some] for some in ways]
        row = _of_searches(f"{heuristic} {name}", kernels, searches)
        row["accuracy"] = guessed.absolute
        row["penalty_weighted_accuracy"] = guessed.penalty_weighted
        rows.append(row)
    return rows


def summary_rows(kernels: Sequence[Kernel]) -> list[dict[str, Any]]:
    """A row a search; of each heuristic those with predicted techniques, the oracle, and each."""
    references = [name for name in REFERENCES if name in kernels[0]["searches"]]
    rows = [_of_searches(name, kernels, [[name]] * len(kernels)) for name in references]
    for heuristic in heuristics(kernels):
        best = [best_way(kernel, heuristic) for kernel in kernels]
        if len(kernels) > 2:
            rows += _predicted(kernels, heuristic)
        every = [f"{heuristic} {way}" for way in PAPER_LOADING]
        rows.append(_of_searches(f"{heuristic} oracle", kernels, [every] * len(kernels)))
        for way, name in zip(PAPER_LOADING, every, strict=True):
            if all(math.isfinite(final(kernel, name)) for kernel in kernels):
                row = _of_searches(name, kernels, [[name]] * len(kernels))
                row["best_of"] = sum(b == way for b in best)
                rows.append(row)
    return rows


def kernel_rows(kernels: Sequence[Kernel]) -> list[dict[str, Any]]:
    """A row a kernel: the times of what the searches found there, if they found anything."""
    times = [{name: 1e6 * final(kernel, name) for name in kernel["searches"]} for kernel in kernels]
    return [
        {
            "kernel": kernel["kernel"],
            "microseconds": {name: round(us, 3) for name, us in its.items() if math.isfinite(us)},
        }
        for kernel, its in zip(kernels, times, strict=True)
    ]


def print_summary(rows: Sequence[Mapping[str, Any]]) -> None:
    """The table."""
    shown = [other for other in REFERENCES if f"speedup_{other}" in rows[0]]
    heads = "".join(f"{'x ' + other:>15}{'its time':>10}" for other in shown)
    print(f"{'search':26}{'points':>8}{'tuning s':>10}{heads}  accuracy, penalty-weighted")
    for row in rows:
        figures = ""
        for other in shown:
            share = row[f"cost_share_{other}"]
            figures += f"{row[f'speedup_{other}']:15.3f}" + (
                f"{'-':>10}" if share is None else f"{share:10.1%}"
            )
        more = ""
        if "accuracy" in row:
            more = f"  {row['accuracy']:.2f}, {row['penalty_weighted_accuracy']:.4f}"
        elif "best_of" in row:
            more = f"  best of {row['best_of']}"
        print(
            f"{row['search']:26}{row['configurations']:8.0f}{row['tuning_seconds']:10.2f}"
            f"{figures}{more}"
        )


def main() -> None:
    """Show a record that run.py wrote."""
    path = Path(sys.argv[1])
    data = path.read_bytes()
    record = json.loads(lzma.decompress(data) if path.suffix == ".xz" else data)
    print_summary(summary_rows(record["kernels"]))


if __name__ == "__main__":
    main()
