"""Which cache lines one call touches, by Valgrind's memory trace.

Usage: lines.py PROGRAM [CONTENDER...]. PROGRAM is the benchmark's; contenders are those of its
whole calls and of execute. Prints, for each, the number of distinct lines of 64 bytes of code, of
the stack and of other data. Programs are traced from their beginning: about a minute each.
"""

import subprocess
import sys
from typing import NamedTuple

LINE = 64
CONTENDERS = ("untuned", "tuned, tree of depth 4", "tuned, svm of 50 support vectors, log features")
STACK = range(0x1FF0000000, 0x2000000000)  # where programs under Valgrind have theirs


class Lines(NamedTuple):
    """Distinct lines of one call."""

    code: set[int]
    stack: set[int]
    data: set[int]


def lines_of(program: str, contender: str) -> Lines:
    """Trace `contender`'s call; raises CalledProcessError where Valgrind or the program fails."""
    found = Lines(set(), set(), set())
    command = ["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-fd=1"]
    with subprocess.Popen(
        [*command, program, "show", contender], stdout=subprocess.PIPE, text=True, errors="replace"
    ) as run:
        assert run.stdout is not None
        mark = ""
        inside = False
        for text in run.stdout:
            if not mark and text.startswith("0x"):
                mark = text[2:].strip().zfill(8) + ",8"
            elif mark and text.endswith(mark + "\n") and text.startswith(" S"):
                inside = not inside
            elif inside and text[:2] in {"I ", " L", " S", " M"}:
                address, size = text[3:].split(",")
                add(found, text[0] == "I", int(address, 16), int(size))
    if run.returncode:
        raise subprocess.CalledProcessError(run.returncode, command)
    return found


def add(found: Lines, is_code: bool, address: int, size: int) -> None:
    """Count an access of `size` bytes."""
    lines = range(address // LINE, (address + size - 1) // LINE + 1)
    if is_code:
        found.code.update(lines)
    elif address in STACK:
        found.stack.update(lines)
    else:
        found.data.update(lines)


def main(program: str, *contenders: str) -> None:
    """Print a row a contender."""
    print(f"{'':50}{'code':>6}{'stack':>6}{'data':>6}")
    for contender in contenders or CONTENDERS:
        found = lines_of(program, contender)
        counts = "".join(f"{len(lines):6}" for lines in found)
        print(f"{contender:50}{counts}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
