"""The records in benchmarks/results, and what tables and pictures look up in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Rows = Sequence[Mapping[str, Any]]
Line = tuple[str, str]
"""What was measured, and the figures."""

TUNED = ("reduction", "scan", "ndp_spmv", "kmeans", "comd")
UNTUNED = ("ndp_gpu", "ndp_cpu", "ndp_cpu_many_cores")
TUNED_RECORDS = tuple(
    f"{name}_{platform}" for platform in ("cuda", "openmp", "openmp_many_cores") for name in TUNED
)

# What is measured on a GPU names it rather than the processor.
ON_GPU = (
    "approximate_gpu",
    "approximate_ndp_gpu",
    "ndp_gpu",
    "operators_cuda",
    "suite_cuda",
    "suite_tuned_cuda",
    "launch_cost",
    "stencil",
    "examples_gpu",
    "transfer_gpus",
    "devices",
    "several_gpus",
    "tuned_devices",
    "programs_cuda",
    "row_programs",
    "profiles",
    "thresholds_cuda",
    "warp_sizes",
    "stencil_all",
    "stencil_expert",
    "stencil_repetitions",
    "stencil_by_optimization",
    "stencil_variable",
    "stencil_singly",
    "stencil_arrays",
    *(f"{name}_cuda" for name in TUNED),
)

# What is said behind the date of a record that no commit gives anew.
CHANGED, UNKNOWN = "\\*", "†"
FOOTNOTES = {
    CHANGED: "measured of a tree with uncommitted changes",
    UNKNOWN: "which commit was measured is not recorded",
}


@dataclass(frozen=True)
class Record:
    """What one benchmark measured."""

    name: str
    rows: Rows
    machine: str
    """The GPU, or the processor and its cores."""
    date: str
    mark: str
    """Of a record whose commit does not say all; empty otherwise."""

    @property
    def measured_on(self) -> str:
        """The machine and the day."""
        return f"{self.machine}, {self.date}"


def read(results: Path, name: str) -> Record | None:
    """A record; none where nothing was recorded."""
    path = results / f"{name}.json"
    if not path.exists():
        return None
    found = json.loads(path.read_text(encoding="utf-8"))
    machine = found["machine"]
    processor = machine["processor"].replace("(R)", "").removesuffix(" Processor")
    where = f"{processor}, {machine['cores']} cores"
    if name in ON_GPU:
        where = ", ".join(dict.fromkeys(machine["gpus"]))
    commit = str(found.get("commit", ""))
    mark = CHANGED if commit.endswith("+") else "" if commit else UNKNOWN
    return Record(name, found["rows"], where, str(found["date"])[:10], mark)


def row_of(rows: Rows, **wanted: object) -> Mapping[str, Any]:
    """The one row that has these values."""
    found = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    if len(found) != 1:
        raise SystemExit(f"{len(found)} rows have {wanted}; one should")
    return found[0]


def names_of(rows: Rows, key: str) -> list[str]:
    """The values that occur, in their order."""
    return list(dict.fromkeys(str(row[key]) for row in rows if key in row))


def best_others(rows: Rows, budget: int) -> tuple[tuple[str, float], tuple[str, float]]:
    """Beside auto the best strategy here, and the best of Kernel Tuner's, with their shares."""
    others = [r for r in rows if r.get("budget") == budget and r["strategy"] != "auto"]
    tuner = [row for row in others if row["strategy"].startswith("kernel_tuner:")]
    found = []
    for group in ([row for row in others if row not in tuner], tuner):
        best = max(group, key=lambda row: row["mean_share"])
        found.append((best["strategy"].removeprefix("kernel_tuner:"), best["mean_share"]))
    return found[0], found[1]
