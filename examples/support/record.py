"""Records what measure.py has measured: what a model learned from it is worth, and why.

python record.py RECORD --on "NVIDIA H100" sort=sort.jsonl bfs=bfs.jsonl

Replaces these functions' rows in the file RECORD, whose pictures benchmarks/common/pages draws.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from incremental import incremental
from inputs import family_of
from judgement import Judgement, Summary, judge_measured
from measured import Row, failures, read_rows, seconds_of, trainer_for, training_set

from fettle.classifiers.base import CALLS
from fettle.data.tuning_result import FeatureCurve
from fettle.model.model_directory import write_model
from fettle.training.feature_selection import select_features

BANDS = (0.95, 0.9, 0.8, 0.7, 0.5)
# The one call of a library that an application would use in place of a choice.
LIBRARY_CALLS = {
    "spmv": ("cusparse_alg1", "cusparse_alg2"),
    "sort": ("radix",),
    "histogram": ("cub",),
    "bfs": ("hybrid",),
}
LARGE = 1_000_000  # nonzeros of a matrix, edges of a graph


def features_by_cost(curve: FeatureCurve | None) -> list[dict[str, Any]]:
    """What the features are worth, the cheap ones first (dissertation, figure 2.7)."""
    return [
        {
            "feature": p.added,
            "seconds": p.seconds,
            "share": p.share_of_best,
            "net": p.net_share_of_best,
        }
        for p in (curve.points if curve else ())
    ]


def ratio(times: list[tuple[float, float]]) -> float | None:
    """The geometric mean of the ratios of two times, over the pairs of which both are known."""
    logs = [math.log(a / b) for a, b in times if math.isfinite(a) and math.isfinite(b)]
    return math.exp(sum(logs) / len(logs)) if logs else None


def geometric_mean(values: list[float]) -> float:
    """Of positive numbers."""
    return math.exp(sum(map(math.log, values)) / len(values))


def throughput(judged: list[Judgement], rows: list[Row]) -> dict[str, Any] | None:
    """The work of a call over the seconds of the chosen variant, where the program states it."""
    work = {row["input"]: row["work"] for row in rows if "work" in row}
    if not work:
        return None
    (unit,) = next(iter(work.values()))
    rates = [float(work[j.name][unit]) / j.tuned for j in judged if math.isfinite(j.tuned)]
    return {"unit": f"{unit}/s", "mean": geometric_mean(rates), "most": max(rates)}


def of_references(judged: list[Judgement], rows: list[Row]) -> dict[str, Any]:
    """The seconds of each reference over those of the chosen variant: the geometric mean, the
    least, and the mean of each family."""
    theirs = {row["input"]: row["references"] for row in rows if "references" in row}
    found: dict[str, Any] = {}
    for name in next(iter(theirs.values()), {}):
        families: dict[str, list[float]] = {}
        for j in judged:
            share = float(theirs[j.name][name]) / j.tuned
            families.setdefault(family_of(j.name), []).append(share)
        every = [share for shares in families.values() for share in shares]
        found[name] = {
            "mean": geometric_mean(every),
            "least": min(every),
            "families": {family: geometric_mean(some) for family, some in families.items()},
        }
    return found


def over_peers(judged: list[Judgement], rows: list[Row]) -> dict[str, Any]:
    """The same of what another program took for the same inputs: of each of its variants, and of
    the best of them on each input, whichever that is; on how many inputs both came to a result,
    and on how many the peer alone and the choice alone did."""
    theirs = {row["input"]: seconds_of(row) for row in rows}
    both = [(theirs[j.name], j) for j in judged if j.name in theirs]
    variants = dict.fromkeys(v for seconds, _ in both for v in seconds)
    found: dict[str, Any] = {}
    for call in (*variants, "best of them"):
        times = [
            (min(seconds.values()) if call == "best of them" else seconds[call], j.tuned)
            for seconds, j in both
        ]
        found[call] = {
            "free": ratio(times),
            "both": sum(math.isfinite(a) and math.isfinite(b) for a, b in times),
            "peer_alone": sum(math.isfinite(a) and math.isinf(b) for a, b in times),
            "choice_alone": sum(math.isinf(a) and math.isfinite(b) for a, b in times),
        }
    return found


def repeated(judged: list[Judgement], rows: list[Row]) -> dict[str, Any]:
    """What the best variant of a second measurement is worth by the first one: no choice can be
    expected to do better."""
    again = {row["input"]: seconds_of(row) for row in rows}
    shares = [
        j.share(j.seconds[min(again[j.name], key=lambda v, s=again[j.name]: s[v])])  # type: ignore[misc]
        for j in judged
        if j.name in again
    ]
    return {"inputs": len(shares), "share_of_best": float(np.mean(shares))}


def of_large(judged: list[Judgement], rows: list[Row]) -> dict[str, Any] | None:
    """How many of the inputs are large, where it is known, and the share of best on these."""
    names = {"nnz", "nonzeros", "edges"}
    sizes = {
        row["input"]: max(float(v) for f, v in row["features"].items() if f in names)
        for row in rows
        if names & set(row["features"])
    }
    large = [j.headline for j in judged if sizes.get(j.name, 0) >= LARGE]
    return {"inputs": len(large), "share_of_best": float(np.mean(large))} if large else None


def over_library(name: str, judged: list[Judgement]) -> dict[str, Any]:
    """The time of the best call of a library over the chosen variant's, with and without the choice
    charged: geometric means over the inputs where both have a result."""
    found: dict[str, Any] = {}
    for call in LIBRARY_CALLS.get(name, ()):
        found[call] = {
            "free": ratio([(j.seconds[call], j.tuned) for j in judged]),
            "charged": ratio([(j.seconds[call], j.tuned + j.selection / j.calls) for j in judged]),
        }
    return found


def row_of(
    name: str, file: Path, gpu: str, repetitions: int, peers: Path | None, again: Path | None
) -> dict[str, Any]:
    """What the record says of a function."""
    rows, test = read_rows(file, "training"), read_rows(file, "test")
    data = training_set(name, rows)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "fettle_models" / name
        made.parent.mkdir()
        calls = round(float(rows[0]["calls"]))
        # Where a selection serves one call, it is worth what it is without its cost.
        trainer = trainer_for(calls if calls > 1 else CALLS)
        curve = select_features(trainer, data)
        write_model(made, trainer.learn(data, curve.kept if curve and calls > 1 else None).model)
        judged = judge_measured(file, name, Path(folder))
    solvable = [j for j in judged if not math.isinf(j.best)]
    found = Summary.of(solvable)
    figures = found.figures()
    mixed = [j for j in solvable if j.diverging]
    return {
        "function": name,
        "gpu": gpu,
        "training_inputs": len(rows),
        "judged_inputs": len(solvable),
        "unsolved_inputs": len(judged) - len(solvable),
        "share_of_best": figures["share"],
        "p5": figures["p5"],
        "worst": figures["worst"],
        "selection_free": float(np.mean(found.free)),
        "selection_charged": float(np.mean(found.charged)),
        "best_fixed": found.best_fixed,
        "best_fixed_share": figures["best_fixed_share"],
        "families": found.families,
        "wins": figures["wins"],
        "variants": {label: float(np.mean(shares)) for label, shares in found.fixed.items()},
        "bands": {str(band): float(np.mean(np.array(found.free) >= band)) for band in BANDS},
        "convergence": {
            "mixed": len(mixed),
            "chosen": sum(math.isfinite(j.seconds[j.chosen]) for j in mixed),
            "solved": sum(math.isfinite(j.tuned) for j in mixed),
        },
        "failed": dict(failures(rows)),
        "large": of_large(solvable, test),
        "over_library": over_library(name, solvable),
        "of_references": of_references(solvable, test),
        "throughput": throughput(solvable, test),
        "over_peers": over_peers(solvable, read_rows(peers, "test")) if peers else {},
        "repeated": repeated(solvable, read_rows(again, "test")) if again else None,
        "selected_features": list(curve.kept) if curve and calls > 1 else list(data.features),
        "features": features_by_cost(curve),
        "incremental": incremental(data, test, repetitions) if repetitions else None,
    }


def rounded(value: Any) -> Any:
    """With four significant digits."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def files_of(pairs: list[str]) -> dict[str, Path]:
    """The files of several NAME=FILE."""
    return {name: Path(file) for name, _, file in (pair.partition("=") for pair in pairs)}


def main() -> None:
    """record.py RECORD --on GPU NAME=FILE..."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("record", type=Path, help="benchmarks/results/examples_gpu.json")
    parser.add_argument("measured", nargs="+", metavar="NAME=FILE")
    for option, what in (
        ("--peers", "what other programs took on the same inputs"),
        ("--again", "a second measurement"),
        ("--note", "what a reader has to know of the measurement, in place of a file"),
    ):
        parser.add_argument(option, nargs="*", default=[], metavar="NAME=FILE", help=what)
    parser.add_argument("--on", required=True, metavar="GPU", help="what it was measured on")
    parser.add_argument("--commit", required=True, help="what was measured")
    parser.add_argument(
        "--repetitions",
        type=int,
        default=10,
        metavar="N",
        help="of incremental tuning; 0: leave it out",
    )
    options = parser.parse_args()
    known = options.record.exists()
    record = json.loads(options.record.read_text(encoding="utf-8")) if known else {"rows": []}
    rows = {row["function"]: row for row in record["rows"]}
    peers, again = files_of(options.peers), files_of(options.again)
    notes = dict(pair.split("=", 1) for pair in options.note)
    date = datetime.now(UTC).isoformat(timespec="seconds")
    for name, file in files_of(options.measured).items():
        rows[name] = rounded(
            row_of(name, file, options.on, options.repetitions, peers.get(name), again.get(name))
        )
        row = rows[name]
        row |= {"commit": options.commit, "date": date}
        if name in notes:
            row["note"] = notes[name]
        print(
            f"{name}: share of best {row['share_of_best']:.3f} (best fixed variant "
            f"{row['best_fixed']} {row['best_fixed_share']:.3f}) on {row['judged_inputs']} inputs"
        )
    record["rows"] = list(rows.values())
    record["commit"] = options.commit
    record["date"] = date
    text = json.dumps(record, indent=1)
    options.record.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
