"""Share of best of the tuned SpMV example and of each fixed variant, on held-out matrices.

    python benchmarks/common/record.py spmv -- python benchmarks/tuner/spmv/spmv.py

runs the example's demo (build, measure, train, judge) from scratch several times; a figure is the
median of these runs. Features and selection count, spread over 100 calls.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

DEMO = Path(__file__).resolve().parents[3] / "examples" / "spmv" / "demo.py"


def run_demo(folder: Path) -> Mapping[str, Any]:
    """The demo from scratch; what it found."""
    shutil.rmtree(folder, ignore_errors=True)
    status = subprocess.run([sys.executable, DEMO, "--folder", folder], check=False).returncode
    if status != 0:
        raise SystemExit(f"the demo failed with status {status}")
    found: Mapping[str, Any] = json.loads((folder / "evaluation.json").read_text(encoding="utf-8"))
    return found


def rows(runs: Sequence[Mapping[str, Any]]) -> list[dict[str, object]]:
    """One row for the tuned function, in three ways of counting, and one a fixed variant."""
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for run in runs:
        for summary in (run["tuned"], run["tuned_free"], run["tuned_loop"], *run["fixed"]):
            by_name.setdefault(summary["name"], []).append(summary)
    table: list[dict[str, object]] = []
    for name, summaries in by_name.items():
        row: dict[str, object] = {"case": name, "held_out": len(runs[0]["matrices"])}
        for key in ("mean", "p5", "worst"):
            row[key] = round(statistics.median(summary[key] for summary in summaries), 4)
        row["means"] = [round(summary["mean"], 4) for summary in summaries]
        table.append(row)
    return table


def main() -> None:
    """Run, print, record."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("spmv_benchmark"))
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    table = rows([run_demo(options.folder) for _ in range(options.repetitions)])
    print(f"\nshare of best, median of {options.repetitions} runs from scratch")
    print(f"{'':28}{'mean':>7}{'p5':>7}{'worst':>7}")
    for row in table:
        print(f"{row['case']:28}{row['mean']:7.3f}{row['p5']:7.3f}{row['worst']:7.3f}")
    append_rows(table)


if __name__ == "__main__":
    main()
