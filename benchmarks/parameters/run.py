"""The four ways of dissertation 7.2.1 to tune variants with parameters, on examples/parameters.

    python benchmarks/record.py parameters -- python benchmarks/parameters/run.py

Each way tunes from nothing: what it measures, how long that takes, and how near its choices come to
the best of all points on inputs that it has not seen. All are judged by one table, in which every
point is measured on every test input. Two ways that learn nothing stand beside them: every variant
at its defaults, by the model of "online", and the point that is best on the training inputs.
"""

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from fettle import Autotuner, CodeVariant, ForestClassifier, ParameterSearch, TuningResult
from fettle.autotuner import Measuring
from fettle.training.progress import Silence

sys.path.append(str(Path(__file__).resolve().parents[1]))
from record import append_rows

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "parameters"
INCLUDE = EXAMPLE.parents[1] / "include"

# Drawn, because how well tiles fit depends on remainders: a few sizes would not show it.
_DICE = random.Random(1)
_DRAWN = [tuple(round(12 * 30 ** _DICE.random()) for _ in range(3)) for _ in range(120)]
TRAINING = [(m, k, n) for m, k, n in _DRAWN if 1e4 < m * k * n < 6e6][:56]
TEST = [
    (24, 24, 24), (70, 70, 70), (160, 160, 160), (15, 300, 300), (300, 15, 300), (300, 300, 15),
    (20, 20, 320), (20, 320, 20), (320, 20, 20), (64, 200, 64), (200, 64, 128), (128, 128, 300),
]  # fmt: skip
MEASUREMENTS = 16
ONLINE_CALLS = 40  # so many that a search for the right variant's point comes to its end

Line = dict[str, object]
Shape = tuple[int, int, int]


def words(shape: Shape) -> list[str]:
    """The program's arguments."""
    return [str(size) for size in shape]


def name(shape: Shape) -> str:
    """What the tuner calls an input."""
    return shlex.join(words(shape))


def build(folder: Path) -> None:
    """Compiles the example into a folder."""
    compiler = shlex.split(os.environ.get("FETTLE_CXX", "c++"))
    flags = ["-std=c++20", "-O3", "-march=native", f"-I{INCLUDE}"]
    source = [str(EXAMPLE / "multiply.cpp"), "-o", "multiply"]
    subprocess.run([*compiler, *flags, *source], cwd=folder, check=True)


def tuned(
    folder: Path, way: str, title: str, iterations: int | None = None, reference: bool = False
) -> tuple[TuningResult, Line]:
    """Tunes from nothing; the result, and the seconds that it took."""
    tuner = Autotuner(
        "multiply",
        working_directory=folder,
        database=f"{title}.sqlite",
        model_directory=f"{title}_models",
        report_directory=None,
        display=Silence(),
        # The best of many points that are measured a few times is one that was lucky.
        measuring=Measuring(minimum_samples=11) if reference else None,
    )
    tuner.set_training_args([words(shape) for shape in TRAINING])
    if reference:
        tuner.set_test_args([words(shape) for shape in TEST])
    search = ParameterSearch(way, measurements=MEASUREMENTS)  # type: ignore[arg-type]
    function = CodeVariant("multiply", classifier=ForestClassifier(), parameter_search=search)
    began, busy = time.monotonic(), processor_seconds()
    if iterations is None:
        [result] = tuner.tune([function])
    else:
        [result] = tuner.itune([function], iterations=iterations)
    spent = {
        "tuning_seconds": round(time.monotonic() - began, 1),
        "processor_seconds": round(processor_seconds() - busy, 1),
    }
    return result, spent


def processor_seconds() -> float:
    """What this process and the programs that it has started have computed for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def chosen_by(folder: Path, title: str, shape: Shape, calls: int | None = None) -> str:
    """The point that the deployed program runs, or after so many calls has found."""
    environment = {**os.environ, "FETTLE_MODEL_DIR": str(folder / f"{title}_models")}
    more = [] if calls is None else [str(calls)]
    (folder / "multiply.points").unlink(missing_ok=True)
    said = subprocess.run(
        ["./multiply", *words(shape), *more],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return said.partition(" by ")[2].rpartition(",")[0]


def figures(way: str, shares: list[float], **more: object) -> Line:
    """A row of the benchmark."""
    return {
        "way": way,
        "share_of_best": round(float(np.mean(shares)), 4),
        "share_of_best_p5": round(float(np.percentile(shares, 5)), 4),
        "share_of_best_worst": round(min(shares), 4),
        **more,
    }


def cost_of_training(result: TuningResult, seconds: Line) -> Line:
    """What a tuning run has spent."""
    effort = result.effort
    return {
        "points_measured": effort.points,
        "runs": effort.variant_runs,
        "program_starts": effort.program_starts,
        "inputs": len(result.training),
        **seconds,
        "deployed_points": len(result.training.variants),
    }


def compared(folder: Path) -> list[Line]:
    """All rows."""
    tuned(folder, "variants", "reference", reference=True)
    costs = table_of(folder, "reference")

    def judged(way: str, chosen: Mapping[str, str], **more: object) -> Line:
        shares = [min(costs[name(s)].values()) / costs[name(s)][chosen[name(s)]] for s in TEST]
        line = figures(way, shares, **more)
        print(json.dumps(line), flush=True)
        return line

    fixed = best_fixed(costs)
    rows = [
        judged(
            "best fixed point",
            {name(shape): fixed for shape in TEST},
            points_measured=sum(len(costs[name(s)]) for s in TRAINING),
            deployed_points=1,
        )
    ]
    for title, way, iterations in (
        ("defaults", "online", None),
        ("variants", "variants", None),
        ("multilevel", "multilevel", None),
        ("restricted", "restricted", None),
        ("active multilevel", "multilevel", 8),
        ("active restricted", "restricted", 8),
    ):
        label = title.replace(" ", "_")
        result, seconds = tuned(folder, way, label, iterations)
        spent = cost_of_training(result, seconds)
        rows.append(judged(title, {name(s): chosen_by(folder, label, s) for s in TEST}, **spent))
        if title == "defaults":
            found = {name(s): chosen_by(folder, label, s, ONLINE_CALLS) for s in TEST}
            rows.append(judged("online", found, **spent, calls_of_search=ONLINE_CALLS))
    return rows


def table_of(folder: Path, title: str) -> dict[str, dict[str, float]]:
    """Cost of every point on every input, as the reference's database has them."""
    from fettle.store.base import InputKey, Subject
    from fettle.store.sqlite import SqliteStore
    from fettle.training.subject import machine_name

    found = {}
    with SqliteStore(folder / f"{title}.sqlite") as store:
        subject = Subject(
            str((folder / "multiply").resolve()),
            "multiply",
            machine_name(),
            "metric=returned larger_is_better=False constraints=True",
        )
        for shape in (*TRAINING, *TEST):
            [example] = store.examples(subject, InputKey(name(shape), ""))
            found[name(shape)] = {
                variant: float(np.median(samples)) for variant, samples in example.samples.items()
            }
    return found


def best_fixed(costs: Mapping[str, Mapping[str, float]]) -> str:
    """The point with the best mean share of best on the training inputs."""
    rows = [costs[name(shape)] for shape in TRAINING]
    everywhere = set.intersection(*(set(row) for row in rows))
    return max(
        sorted(everywhere), key=lambda point: np.mean([min(r.values()) / r[point] for r in rows])
    )


def main() -> None:
    """Measure, print, record."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--folder", type=Path, help="where to work; kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        build(folder)
        rows = compared(folder)
    print(f"\n{'way':20} {'share':>7} {'worst':>7} {'points':>7} {'runs':>7} {'seconds':>8}")
    for row in rows:
        print(
            f"{row['way']!s:20} {row['share_of_best']:7} {row['share_of_best_worst']:7} "
            f"{row['points_measured']!s:>7} {row.get('runs', '')!s:>7} "
            f"{row.get('tuning_seconds', '')!s:>8}"
        )
    append_rows(rows)


if __name__ == "__main__":
    main()
