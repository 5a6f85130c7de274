"""What `#include <fettle/variant.hpp>` costs an empty program at -O0, in compilation seconds, and
what a program of two variants costs at -O2: with headers alone, and with fettle::compiled.

Usage: measure.py COMPILER INCLUDE_FOLDER. Compared with <vector> + <functional>; the two programs
are compiled in turn, nine times each, and the medians taken.
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from compile_seconds import compile_seconds
from record import append_rows

REPETITIONS = 9
PROGRAMS = {
    "<vector> + <functional>": "#include <functional>\n#include <vector>\nint main() {}\n",
    "fettle/variant.hpp": "#include <fettle/variant.hpp>\nint main() {}\n",
}
TWO_VARIANTS = """#include <vector>
#include <fettle/variant.hpp>
using values = std::vector<double>;
static double forward(const values& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum;
}
static double backward(const values& x) {
  double sum = 0;
  for (std::size_t i = x.size(); i-- > 0;) sum += x[i];
  return sum;
}
int main() {
  fettle::context cx;
  fettle::code_variant<fettle::policy<"total">, double(const values&)> total(cx);
  total.add_variant("forward", forward);
  total.add_variant("backward", backward);
  total.add_input_feature("size", [](const values& x) { return x.size(); });
  return total(values(10)) == 0 ? 0 : 1;
}
"""
OPTIMISED = {
    "two variants, headers alone": ("-O2",),
    "two variants, fettle::compiled": ("-O2", "-DFETTLE_COMPILED"),
}


def stripped_size(compiler: str, include: str, source: Path) -> int:
    """Bytes of the linked program without symbols."""
    program = source.with_suffix("")
    command = [compiler, "-std=c++20", "-O2", "-s", "-I", include, str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    return program.stat().st_size


def main(compiler: str, include: str) -> None:
    """Measure, print one line, record one row a program."""
    command = (compiler, "-std=c++20", "-I", include)
    programs = {name: (text, ("-O0",)) for name, text in PROGRAMS.items()}
    programs |= {name: (TWO_VARIANTS, flags) for name, flags in OPTIMISED.items()}
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as folder:
        sources = {name: Path(folder) / f"{number}.cpp" for number, name in enumerate(programs)}
        for name, (text, flags) in programs.items():
            sources[name].write_text(text, encoding="utf-8")
            compile_seconds([*command, *flags], sources[name])  # headers into the page cache
        for _ in range(REPETITIONS):
            for name, (_, flags) in programs.items():
                seconds[name].append(compile_seconds([*command, *flags], sources[name]))
        size = stripped_size(compiler, include, sources["two variants, headers alone"])
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    base, fettle = (medians[name] for name in PROGRAMS)
    print(
        f"compile time at -O0: fettle/variant.hpp {fettle:.2f} s, "
        f"<vector> + <functional> {base:.2f} s, difference {fettle - base:.2f} s"
    )
    for name in OPTIMISED:
        print(f"compile time at -O2: {name} {medians[name]:.2f} s")
    print(f"two variants, headers alone, stripped: {size / 1000:.0f} kB")
    append_rows(
        {
            "program": name,
            "median_s": medians[name],
            "minimum_s": min(times),
            "repetitions": len(times),
        }
        | ({"stripped_bytes": size} if name == "two variants, headers alone" else {})
        for name, times in seconds.items()
    )


if __name__ == "__main__":
    main(*sys.argv[1:3])
