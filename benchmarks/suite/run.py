"""Runs the suite's programs one after another: run.py PROGRAM... [--OPTION...].

Options go to every program. The status is 1 where a program failed or found a wrong output.
"""

import subprocess
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Run each program with all options; no failure keeps the others from running."""
    first = next((i for i, word in enumerate(arguments) if word.startswith("--")), len(arguments))
    options = arguments[first:]
    failed = [
        program
        for program in arguments[:first]
        if subprocess.run([program, *options], check=False).returncode != 0
    ]
    for program in failed:
        print(f"failed: {program}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
