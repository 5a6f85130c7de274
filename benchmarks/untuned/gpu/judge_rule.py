"""How near the default rule comes to the best fixed kernel, from a run of `ndp_gpu --kernels`.

    python benchmarks/untuned/gpu/judge_rule.py benchmarks/results/ndp_gpu.json [call|batch]

Reads the record, or the file of rows alone. Prints for each input what the rule's choice takes and
the three fastest kernels, and then for each kernel its share of best over the inputs of each work.
"""

import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]


def rows_of(path: Path) -> list[Row]:
    """The rows of a record, or of a file with a JSON object a line."""
    text = path.read_text(encoding="utf-8")
    try:
        rows: list[Row] = json.loads(text)["rows"]
    except json.JSONDecodeError:
        rows = [json.loads(line) for line in text.splitlines()]
    return rows


def geomean(values: Iterable[float]) -> float:
    """The geometric mean; NaN of nothing."""
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def judge(rows: Sequence[Row], figure: str) -> None:
    """Print both tables."""
    inputs: dict[tuple[str, str, str], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        if row.get("kind") in ("ours", "kernel") and figure in row:
            inputs[row["work"], row["input"], row["type"]][row["contender"]] = row
    shares: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for (work, name, kind), contenders in inputs.items():
        ours = contenders.get("fettle")
        kernels = sorted(
            (row for row in contenders.values() if row["kind"] == "kernel"),
            key=lambda row: row[figure],
        )
        if ours is None or not kernels:
            continue
        best = min(kernels[0][figure], ours[figure])
        for row in contenders.values():
            shares[work][row["contender"]].append(best / row[figure])
        mean = ours["elements"] / max(ours["rows"], 1)
        print(f"{work} {name} {kind}: {ours['rows']} rows, mean {mean:.1f}")
        print(f"    {ours[figure]:9.1f} us  rule, {best / ours[figure]:.2f} of best")
        for row in kernels[:3]:
            print(f"    {row[figure]:9.1f} us  {row['contender']}")
    for work, by_contender in shares.items():
        print(f"\n{work}: share of best, geometric mean and least")
        for contender, values in sorted(by_contender.items(), key=lambda item: -geomean(item[1])):
            print(f"    {geomean(values):6.3f} {min(values):6.3f}  {contender}")


if __name__ == "__main__":
    judge(rows_of(Path(sys.argv[1])), f"{(sys.argv[2:] or ['call'])[0]}_us")
