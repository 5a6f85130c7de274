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
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from functions import Tuned, Words

from fettle.autotuner import Measuring
from fettle.parameters.space import offered_spaces
from fettle.training.log import read_log
from fettle.training.record import Header, Sample
from fettle.training.request import Request, encoded

# Points this many times as expensive as the best, twice, run no more: they are nobody's choice.
HOPELESS = 2.5
# One batch each time, of three runs where these are short. Short ones are timed many at once.
ONE_BATCH = Measuring(minimum_samples=1, sample_s=1e-4)

Rounds = dict[str, list[float]]  # for each point its cost in each round


def _said(folder: Path, tuned: Tuned, words: Words, points: Sequence[str]) -> list[object]:
    """What the program writes to its training log while it measures points."""
    asked, log = folder / "reference.points", folder / "reference.jsonl"
    asked.write_text("".join(f"{encoded(point)}\n" for point in points))
    log.unlink(missing_ok=True)
    request = Request(
        tuned.name,
        "reference",
        first_call=0,
        last_call=0,
        points_from=str(asked),
        measuring=ONE_BATCH,
    )
    subprocess.run(
        [f"./{tuned.name}", *words],
        cwd=folder,
        env={**os.environ, **request.environment(str(log))},
        check=True,
        capture_output=True,
    )
    return list(read_log(log))


def points_of(folder: Path, tuned: Tuned) -> list[str]:
    """All points of all variants, as the program offers them."""
    [header] = [r for r in _said(folder, tuned, tuned.test[0], []) if isinstance(r, Header)]
    spaces = offered_spaces(header.parameters)
    points = [space.name_of(point) for space in spaces.values() for point in space.space]
    return list(dict.fromkeys((*header.variants, *points)))


def measured(
    folder: Path, tuned: Tuned, words: Words, points: Sequence[str], rounds: int
) -> Rounds:
    """Every point in so many rounds, at least 2, but for those that two show to be hopeless."""
    found: Rounds = {point: [] for point in points}

    def run(order: Iterable[str]) -> None:
        for record in _said(folder, tuned, words, list(order)):
            if isinstance(record, Sample):
                found[record.variant].append(statistics.median(record.metric))

    dice = random.Random(rounds)
    run((*points, *dice.sample(points, len(points))))
    # The faster of two: one may have been interrupted.
    best = min(min(costs) for costs in found.values() if costs)
    field = [point for point, costs in found.items() if costs and min(costs) <= HOPELESS * best]
    run(one for _ in range(2, rounds) for one in dice.sample(field, len(field)))
    return {point: costs for point, costs in found.items() if costs}


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
        mine = costs[chosen][other] if chosen in field else costs[chosen]
        shares.append(statistics.median(costs[best][other]) / statistics.median(mine))
    return shares[0], shares[1]


def best_fixed(costs: Mapping[Words, Rounds]) -> str:
    """The point with the best mean share of best on some inputs, of those that work on all."""
    everywhere = sorted(set.intersection(*(set(rounds) for rounds in costs.values())))
    medians = np.array(
        [[statistics.median(its[one]) for one in everywhere] for its in costs.values()]
    )
    shares = medians.min(axis=1, keepdims=True) / medians
    return everywhere[int(shares.mean(axis=0).argmax())]
