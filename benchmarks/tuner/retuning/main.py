"""Does tuning again deploy the same choice? The sorting example, tuned N times from scratch.

    python benchmarks/common/record.py retuning -- python benchmarks/tuner/retuning/main.py
    python benchmarks/tuner/retuning/main.py --tree PATH --package PATH/build/test/python

Each tuning measures all inputs of examples/first anew, in a separate folder, and its model is
asked for every training input. "In place" means tuning again where a model is deployed, as a user
does: it measures all variants anew, and what is deployed stays unless the new model is surely
better. Two models agree on the share of inputs for which they choose the
same variant; the figure is the mean over all pairs of models. Models that always choose one variant
agree, too: so the share of best that the choices reach, by the tuning's own measurements, stands
beside it, and how many models choose one variant only. With `--tree` and `--package` another
version of the sources and of the Python package is tuned with besides, for "before"; the tunings of
both take turns, so that a change of the machine's load meets them alike.
"""

import argparse
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

ROOT = Path(__file__).resolve().parents[3]
# Run by the version that tunes. What the example's script sets up stays, but it measures anew.
TUNE = """
import json, runpy, sys
import numpy as np
from fettle.autotuner import Autotuner
from fettle.training.trainer import Trainer
tune, found = Autotuner.tune, {}
def again(self, functions, **options):
    anew = True if len(sys.argv) == 2 else sys.argv[2:]
    [result] = tune(self, functions, **{**options, "fresh": anew})
    data = result.training
    chosen = Trainer(None).choose(result.model, data.values)
    names = [result.model.variants[place] for place in chosen]
    paid = data.costs[np.arange(len(data)), chosen]
    found.update(
        chosen=dict(zip(data.inputs, names)),
        share=float(np.mean(data.costs.min(axis=1) / paid)),
        unsteady=getattr(result, "unsteady", ""),
    )
    return [result]
Autotuner.tune = again
runpy.run_path("tune.py", run_name="__main__")
with open(sys.argv[1], "w") as file:
    json.dump(found, file)
"""


VARIANTS = ("introsort", "insertion", "radix")


@dataclass
class Version:
    """A version of Fettle, and what its models choose: a mapping from inputs to variants each."""

    name: str
    tree: Path
    package: Path | None
    in_place: bool = False
    chosen: list[dict[str, str]] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    unsteady: int = 0

    def tune(self, folder: Path) -> None:
        """Tunes the example once, in a folder that is not there yet, or in place."""
        is_first = not folder.exists()
        if is_first:
            shutil.copytree(ROOT / "examples" / "first", folder)
        environment = {**os.environ, "FETTLE": str(self.tree / "include")}
        if self.package is not None:
            environment["PYTHONPATH"] = str(self.package)
        command = [sys.executable, "-c", TUNE, "found.json", *([] if is_first else VARIANTS)]
        subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
        self.chosen.append(found["chosen"])
        self.shares.append(found["share"])
        self.unsteady += bool(found["unsteady"])


def agreements(chosen: Sequence[dict[str, str]]) -> list[float]:
    """For each pair of models the share of the inputs both know for which they choose the same."""
    return [
        statistics.fmean(one[given] == other[given] for given in one.keys() & other.keys())
        for one, other in itertools.combinations(chosen, 2)
    ]


def row_of(version: Version) -> dict[str, object]:
    """What is recorded of a version."""
    found = agreements(version.chosen)
    inputs = set.intersection(*(set(one) for one in version.chosen))
    same = sum(len({one[given] for one in version.chosen}) == 1 for given in inputs)
    return {
        "case": version.name,
        "tunings": len(version.chosen),
        "inputs": len(inputs),
        "mean_agreement": round(statistics.fmean(found), 4),
        "least_agreement": round(min(found), 4),
        "same_in_all": round(same / len(inputs), 4),
        "mean_share_of_best": round(statistics.fmean(version.shares), 4),
        "least_share_of_best": round(min(version.shares), 4),
        "one_variant_only": sum(len(set(one.values())) == 1 for one in version.chosen),
        "too_busy": version.unsteady,
    }


def main() -> None:
    """Tune, compare, record."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--count", type=int, default=10, help="tunings of each version")
    parser.add_argument("--tree", type=Path, help="the sources of the version before")
    parser.add_argument("--package", type=Path, help="a folder with its built Python package")
    parser.add_argument(
        "--only", choices=("before", "this version", "in place"), help="one of them"
    )
    options = parser.parse_args()
    if options.count < 2:
        parser.error("--count must be at least 2: there is nothing to compare otherwise")
    if (options.tree is None) != (options.package is None):
        parser.error("a version before is given by both, --tree and --package")
    versions = [
        Version("this version", ROOT, None),
        Version("in place", ROOT, None, in_place=True),
    ]
    if options.tree is not None:
        versions.insert(0, Version("before", options.tree.resolve(), options.package.resolve()))
    versions = [version for version in versions if options.only in (None, version.name)]
    with tempfile.TemporaryDirectory(prefix="fettle-") as folder:
        for number in range(options.count):
            for place, version in enumerate(versions):
                print(f"\r{number + 1} of {options.count}, {version.name} ", end="", flush=True)
                name = str(place) if version.in_place else f"{number}-{place}"
                version.tune(Path(folder) / name)
    rows = [row_of(version) for version in versions]
    print(
        f"\n{'':14}{'tunings':>8}{'inputs':>8}{'agreement':>11}{'least':>8}{'same in all':>13}"
        f"{'of best':>9}{'constant':>10}"
    )
    for row in rows:
        print(
            f"{row['case']:14}{row['tunings']:8}{row['inputs']:8}{row['mean_agreement']:11.4f}"
            f"{row['least_agreement']:8.4f}{row['same_in_all']:13.4f}"
            f"{row['mean_share_of_best']:9.4f}{row['one_variant_only']:10}"
        )
    append_rows(rows)


if __name__ == "__main__":
    main()
