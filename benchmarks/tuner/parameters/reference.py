"""What the choices are judged by: every point on every input, measured in rounds.

The program measures all points one after the other, and again in another order, so that what
disturbs it for a while disturbs all of them. The best point of an input is chosen by every other
round and timed by the rounds between, and the other way round: the fastest of many measurements was
lucky, and what is compared with it would seem slow.
"""

import os
import random
import statistics
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from functions import Tuned, Words

from fettle.autotuner import Measuring
from fettle.search.variant_space import offered_spaces
from fettle.training.log import read_log
from fettle.training.record import Header, Record, Sample
from fettle.training.request import Request, encoded

# Points this many times as expensive as the best, twice, run no more: none of them is chosen.
HOPELESS = 2.5
# One batch each time, of three runs where these are short. Short ones are timed many at once.
ONE_BATCH = Measuring(minimum_samples=1, sample_s=1e-4)

Rounds = dict[str, list[float]]  # for each point its cost in each round


@dataclass(frozen=True)
class Offered:
    """What a program offers: all points, and variants that have no parameters."""

    points: tuple[str, ...]
    plain: tuple[str, ...]
    defaults: tuple[str, ...]  # the points at which variants have their defaults


def _said(folder: Path, tuned: Tuned, words: Words, request: Request) -> list[Record]:
    """What the program writes to its training log."""
    log = folder / "reference.jsonl"
    log.unlink(missing_ok=True)
    subprocess.run(
        [f"./{tuned.name}", *words],
        cwd=folder,
        env={**os.environ, **request.environment(str(log))},
        check=True,
        capture_output=True,
    )
    return read_log(log)


def offered(folder: Path, tuned: Tuned) -> Offered:
    """All points that the program can run, as it reports them."""
    request = Request(tuned.name, "reference", mode="features")
    [header] = [r for r in _said(folder, tuned, tuned.test[0], request) if isinstance(r, Header)]
    spaces = offered_spaces(header.parameters)
    points = tuple(space.name_of(point) for space in spaces.values() for point in space.space)
    defaults = tuple(space.default_name for space in spaces.values())
    return Offered(points, tuple(v for v in header.variants if v not in defaults), defaults)


def measured(folder: Path, tuned: Tuned, words: Words, offer: Offered, rounds: int) -> Rounds:
    """Every point in so many rounds, at least 2, but for those that two show to be hopeless.

    Variants without parameters have all their rounds at the end: they are no points.
    """
    found: Rounds = {name: [] for name in (*offer.points, *offer.plain)}
    asked = folder / "reference.points"
    request = Request(tuned.name, "reference", last_call=0)

    def run(wanted: Request) -> None:
        for record in _said(folder, tuned, words, wanted):
            if isinstance(record, Sample) and len(found[record.variant]) < rounds:
                found[record.variant].append(statistics.median(record.metric))

    def run_points(order: Iterable[str]) -> None:
        asked.write_text("".join(f"{encoded(point)}\n" for point in order))
        run(replace(request, points_from=str(asked), measuring=ONE_BATCH))

    dice = random.Random(rounds)
    run_points((*offer.points, *dice.sample(offer.points, len(offer.points))))
    # The faster of two: one may have been interrupted.
    best = min(min(costs) for costs in found.values() if costs)
    field = [point for point, costs in found.items() if costs and min(costs) <= HOPELESS * best]
    run_points(one for _ in range(2, rounds) for one in dice.sample(field, len(field)))
    if offer.plain:
        batches = replace(ONE_BATCH, race=False, maximum_samples=3 * rounds)
        run(replace(request, skip=offer.defaults, measuring=batches))
    return {name: costs for name, costs in found.items() if costs}


def share_of_best(costs: Rounds, chosen: str) -> tuple[float, float]:
    """The best point's speed over the chosen one's, by either half of the rounds.

    By chance it may be above 1: where the half that chooses does not find the best.
    """
    shares = []
    most = max(map(len, costs.values()))
    field = [point for point, its in costs.items() if len(its) == most]
    for half in (0, 1):
        best = min(field, key=lambda point: statistics.median(costs[point][half::2]))
        other = slice(1 - half, None, 2)
        timed = statistics.median(costs[best][other])
        # Of two runs the slower may have been interrupted.
        mine = statistics.median(costs[chosen][other]) if chosen in field else min(costs[chosen])
        shares.append(timed / mine)
    return shares[0], shares[1]


def best_fixed(costs: Mapping[Words, Rounds]) -> str:
    """The point with the best mean share of best on some inputs, of those that work on all."""
    medians = [
        {name: statistics.median_low(rounds) for name, rounds in its.items()}
        for its in costs.values()
    ]
    everywhere = sorted(set.intersection(*map(set, medians)))
    shares = np.array([[min(row.values()) / row[name] for name in everywhere] for row in medians])
    return everywhere[int(shares.mean(axis=0).argmax())]
