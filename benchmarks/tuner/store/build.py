"""Building candidates on two Dask workers of one core each, against two compilers of one Ninja.

    python benchmarks/common/record.py store_build -- python benchmarks/tuner/store/build.py

The computation is that of examples/ndp/tuned, with 43 of its OpenMP candidates. Both builds begin
with an empty directory, use the same two cores, and take turns, so that a machine that is busy
meanwhile disturbs both. ccache is off. The last line has the ratio of the medians.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "benchmarks" / "common")]

from dask_workers import executor_on  # noqa: E402
from record import append_rows  # noqa: E402

from fettle.core.progress import Silence  # noqa: E402
from fettle.ndp.build import build  # noqa: E402
from fettle.ndp.build_steps import Plan  # noqa: E402
from fettle.ndp_tuner import NdpTuner  # noqa: E402

SOURCE = ROOT / "examples" / "ndp" / "tuned" / "row_norms.cpp"
CANDIDATES = 43
Line = dict[str, object]


def plan_in(folder: Path, count: int) -> Plan:
    """A plan with the first candidates of the computation, ordered by schedule."""
    flags = [f"-I{ROOT / 'include'}", "-O3", "-fopenmp"]
    tuner = NdpTuner(
        SOURCE,
        platform="openmp",
        inputs=["1 1"],
        flags=flags,
        output=folder / "row_norms.hpp",
        build_directory=folder / "build",
        jobs=2,
        display=Silence(),
    )
    whole = tuner.plan()
    chosen: dict[str, list[Any]] = {name: [] for name in whole.candidates}
    for function, candidate in whole.units()[:count]:
        chosen[function].append(candidate)
    found = sum(map(len, chosen.values()))
    if found < count:
        raise SystemExit(f"{SOURCE} has {found} candidates; give --candidates {found} or fewer")
    return replace(whole, candidates=chosen)


def main() -> None:
    """Measures and records."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="builds of each kind")
    parser.add_argument("--candidates", type=int, default=CANDIDATES)
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        raise SystemExit("two cores are needed: one for each worker")
    os.sched_setaffinity(0, cores)
    os.environ["CCACHE_DISABLE"] = "1"
    seconds: dict[str, list[float]] = {"two compilers": [], "two Dask workers": []}
    lines: list[Line] = []
    with tempfile.TemporaryDirectory(prefix="fettle-") as name, executor_on(cores) as executor:
        plan = plan_in(Path(name), options.candidates)
        for number in range(options.rounds):
            for how, its in seconds.items():
                on = executor if how == "two Dask workers" else None
                begin = time.perf_counter()
                directory = Path(name) / f"{number} {how.split()[1]}"
                made = build(replace(plan, executor=on, directory=directory), Silence())
                its.append(time.perf_counter() - begin)
                assert sum(len(shard.units) for shard in made.shards) == options.candidates
                lines.append(
                    {
                        "case": "build",
                        "by": how,
                        "candidates": options.candidates,
                        "seconds": round(its[-1], 3),
                    }
                )
                print(json.dumps(lines[-1]), flush=True)
    medians = [statistics.median(its) for its in seconds.values()]
    lines.append({"case": "build", "ratio": round(medians[1] / medians[0], 3)})
    print(json.dumps(lines[-1]))
    append_rows(lines)


if __name__ == "__main__":
    main()
