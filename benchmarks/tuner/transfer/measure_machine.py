"""Measures the six examples and the device features on one machine, for machines.py to judge.

    taskset -c 0-1 python benchmarks/tuner/transfer/measure_machine.py --programs FOLDER \\
        --out FOLDER/xeon_2 --limit 25 sort spmv

FOLDER has the programs of the examples by their names, as examples/support/README.md builds them.
The machine is what this process may use: cores that `taskset` leaves it, with --gpu its first GPU.
For each function OUT/NAME.jsonl has what examples/support/measure.py writes, in at most --limit
seconds, and OUT/machine.json what `fettle machine` says, without functions that alone.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MEASURE = ROOT / "examples" / "support" / "measure.py"


def main() -> None:
    """measure_machine.py --programs P --out O [--gpu] [--limit S] [FUNCTION ...]"""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("functions", nargs="*", metavar="FUNCTION")
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--limit", type=float, default=60, metavar="S", help="for a function")
    parser.add_argument("--seconds", type=float, default=0.1, metavar="S", help="for an input")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.functions:
        words = [name, "--program", options.programs / (f"{name}_gpu" if options.gpu else name)]
        words += ["--out", options.out / f"{name}.jsonl", "--limit", options.limit]
        words += ["--seconds", options.seconds, *(["--gpu"] if options.gpu else [])]
        subprocess.run([sys.executable, str(MEASURE), *map(str, words)], check=False)
    if not options.functions:
        sys.path.insert(0, str(ROOT / "python"))
        from fettle.training.gpu_program import gpu_name
        from fettle.transfer.this_machine import device_features

        found = device_features()
        name = gpu_name() if options.gpu else next(iter(found))
        text = json.dumps({"machine": name, "features": found[name]}, indent=1)
        (options.out / "machine.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
