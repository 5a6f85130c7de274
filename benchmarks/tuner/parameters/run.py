"""The ways of dissertation 7.2.1 to tune variants with parameters, compared.

    python benchmarks/common/record.py parameters -- python benchmarks/tuner/parameters/run.py

Each way tunes from nothing, for the functions of functions.py: what it measures, how long that
takes, and how near its choices come to the best of all points on inputs that it has not seen. All
are judged by reference.py. Beside them stand the point that is best on the training inputs, taken
always, and every variant at its defaults, by the model of "online".
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from functions import MULTIPLY, SORT, Tuned, Words
from reference import Rounds, best_fixed, measured, offered, share_of_best

from fettle import (
    Autotuner,
    CodeVariant,
    ForestClassifier,
    KccaClassifier,
    ParameterSearch,
    TuningResult,
)
from fettle.classifiers import Classifier
from fettle.core.progress import Silence
from fettle.training.active import Query

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

MEASUREMENTS = 16
ONLINE_CALLS = 50  # as many as a program tries by default
ACTIVE_ITERATIONS = 10
TRAINING_ROUNDS, TEST_ROUNDS = 2, 6

Line = dict[str, object]


@dataclass(frozen=True)
class Way:
    """One way to tune: where parameters are searched, and what learns from how many inputs."""

    title: str
    method: str
    iterations: int | None = None
    query: Query = "margin"
    classifier: Callable[[], Classifier] = ForestClassifier


WAYS = (
    Way("defaults", "online"),
    Way("variants", "variants"),
    Way("multilevel", "multilevel"),
    Way("restricted", "restricted"),
    Way("KCCA multilevel", "multilevel", classifier=KccaClassifier),
    Way("active multilevel", "multilevel", ACTIVE_ITERATIONS),
    Way("active restricted", "restricted", ACTIVE_ITERATIONS),
    Way("active multilevel, variance", "multilevel", ACTIVE_ITERATIONS, "variance"),
)


def tuned_by(folder: Path, tuned: Tuned, way: Way, title: str) -> Line:
    """Tunes from nothing, into `title`_models; what that has cost."""
    tuner = Autotuner(
        tuned.name,
        working_directory=folder,
        database=f"{title}.sqlite",
        model_directory=f"{title}_models",
        report_directory=None,
        display=Silence(),
    )
    tuner.set_training_args([list(words) for words in tuned.training])
    search = ParameterSearch(way.method, measurements=MEASUREMENTS)  # type: ignore[arg-type]
    function = CodeVariant(tuned.name, classifier=way.classifier(), parameter_search=search)
    began, busy = time.monotonic(), processor_seconds()
    if way.iterations is None:
        [result] = tuner.tune([function])
    else:
        [result] = tuner.itune([function], iterations=way.iterations, query=way.query)
    return {
        **effort_of(result),
        "tuning_seconds": round(time.monotonic() - began, 1),
        "processor_seconds": round(processor_seconds() - busy, 1),
        "deployed_points": len(result.training.variants),
    }


def effort_of(result: TuningResult) -> Line:
    """What a tuning run has measured."""
    effort = result.effort
    return {
        "points_measured": effort.points,
        "runs": effort.variant_runs,
        "program_starts": effort.program_starts,
        "inputs": len(result.training),
    }


def processor_seconds() -> float:
    """What this process and the programs that it has started have computed for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def chosen_by(
    folder: Path, tuned: Tuned, title: str, words: Words, calls: int | None = None
) -> str:
    """The point that the deployed program runs, or after so many calls has found."""
    environment = {**os.environ, "FETTLE_MODEL_DIR": str(folder / f"{title}_models")}
    more = [] if calls is None else [str(calls)]
    (folder / f"{tuned.name}.points").unlink(missing_ok=True)
    said = subprocess.run(
        [f"./{tuned.name}", *words, *more],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return said.partition(" by ")[2].rpartition(",")[0]


def judged(
    tuned: Tuned,
    way: str,
    costs: Mapping[Words, Rounds],
    chosen: Mapping[Words, str],
    spent: Line,
) -> Line:
    """A row of the benchmark. `between_halves`: how far the two halves of the rounds disagree."""
    halves = np.array([share_of_best(costs[words], chosen[words]) for words in tuned.test])
    shares = halves.mean(axis=1)
    line: Line = {
        "function": tuned.name,
        "way": way,
        "judged_on": len(tuned.test),
        "share_of_best": round(float(shares.mean()), 4),
        "share_of_best_p5": round(float(np.percentile(shares, 5)), 4),
        "share_of_best_worst": round(float(shares.min()), 4),
        "between_halves": round(abs(float(np.diff(halves.mean(axis=0))[0])), 4),
        **spent,
    }
    print(json.dumps(line), flush=True)
    return line


def compared(folder: Path, tuned: Tuned) -> list[Line]:
    """All rows of a function."""
    tuned.build(folder)
    offer = offered(folder, tuned)
    learned = {w: measured(folder, tuned, w, offer, TRAINING_ROUNDS) for w in tuned.training}
    costs = {w: measured(folder, tuned, w, offer, TEST_ROUNDS) for w in tuned.test}

    fixed = best_fixed(learned)
    always: Line = {
        "points_measured": len((*offer.points, *offer.plain)) * len(tuned.training),
        "deployed_points": 1,
        "point": fixed,
    }
    rows = [judged(tuned, "best fixed point", costs, dict.fromkeys(tuned.test, fixed), always)]
    for way in WAYS:
        title = re.sub(r"\W+", "_", way.title)
        spent = tuned_by(folder, tuned, way, title)
        chosen = {w: chosen_by(folder, tuned, title, w) for w in tuned.test}
        rows.append(judged(tuned, way.title, costs, chosen, spent))
        if way.title == "defaults":
            found = {w: chosen_by(folder, tuned, title, w, ONLINE_CALLS) for w in tuned.test}
            searching: Line = {**spent, "calls_of_search": ONLINE_CALLS}
            rows.append(judged(tuned, "online", costs, found, searching))
    return rows


def main() -> None:
    """Measure, print, record."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--folder", type=Path, help="where to work; kept")
    parser.add_argument("--function", choices=("multiply", "sort"), help="this one alone")
    options = parser.parse_args()
    rows: list[Line] = []
    with tempfile.TemporaryDirectory() as temporary:
        for tuned in (MULTIPLY, SORT):
            if options.function in (None, tuned.name):
                folder = (options.folder or Path(temporary)).resolve() / tuned.name
                folder.mkdir(parents=True, exist_ok=True)
                rows.extend(compared(folder, tuned))
    print(f"\n{'function':10} {'way':18} {'share':>7} {'worst':>7} {'points':>7} {'seconds':>8}")
    for row in rows:
        print(
            f"{row['function']!s:10} {row['way']!s:18} {row['share_of_best']:7} "
            f"{row['share_of_best_worst']:7} {row['points_measured']!s:>7} "
            f"{row.get('tuning_seconds', '')!s:>8}"
        )
    append_rows(rows)


if __name__ == "__main__":
    main()
