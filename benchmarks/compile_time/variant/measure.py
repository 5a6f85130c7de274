"""What `#include <fettle/variant.hpp>` costs an empty program at -O0, in seconds of compilation.

Usage: measure.py COMPILER INCLUDE_FOLDER. Compared with <vector> + <functional>; the two programs
are compiled in turn, nine times each, and the medians taken. Seconds are the compiler's processor
time, which other programs on the machine disturb less than the clock on the wall.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

REPETITIONS = 9
PROGRAMS = {
    "<vector> + <functional>": "#include <functional>\n#include <vector>\nint main() {}\n",
    "fettle/variant.hpp": "#include <fettle/variant.hpp>\nint main() {}\n",
}


def compile_seconds(compiler: str, include: str, source: Path) -> float:
    """Processor seconds of one compilation to an object file."""
    command = [compiler, "-std=c++20", "-O0", "-I", include, "-c", str(source), "-o", os.devnull]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(compiler: str, include: str) -> None:
    """Measure, print one line, record one row a program."""
    seconds: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(PROGRAMS.values()):
            source = Path(folder) / f"{number}.cpp"
            source.write_text(text, encoding="utf-8")
            compile_seconds(compiler, include, source)  # headers into the page cache
        for _ in range(REPETITIONS):
            for number, name in enumerate(PROGRAMS):
                source = Path(folder) / f"{number}.cpp"
                seconds[name].append(compile_seconds(compiler, include, source))
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    base, fettle = medians.values()
    print(
        f"compile time at -O0: fettle/variant.hpp {fettle:.2f} s, "
        f"<vector> + <functional> {base:.2f} s, difference {fettle - base:.2f} s"
    )
    append_rows(
        {
            "program": name,
            "median_s": medians[name],
            "minimum_s": min(times),
            "repetitions": len(times),
        }
        for name, times in seconds.items()
    )


if __name__ == "__main__":
    main(*sys.argv[1:3])
