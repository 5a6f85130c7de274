"""Which candidates are raced on which inputs, where there is no time to race all of them on all.

Most of a race's time goes to hopeless candidates. So all are raced on some of the training inputs.
Those that came near the best on one of these are raced on the other training inputs, and those that
were not far behind on one of these on the test inputs. The test inputs have no part in it.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import numpy as np

from fettle.data.score import share_of_best
from fettle.data.training_set import TrainingSet
from fettle.ndp.header import DEFAULT
from fettle.training.collect import collect
from fettle.training.examples import make_table
from fettle.training.measure import Measurer
from fettle.training.program import Input

FILE = "narrowed.json"
FIRST = 40  # training inputs on which all are raced,
FIRST_TIME = 0.5  # in this share of the time at most,
SMALL = 0.75  # and among this share of the training inputs
NEAR = 0.9  # share of the best that counts as near
FEW, LESS_NEAR = 4, 0.6  # where there are few inputs to go by
MOST = 40  # candidates a computation that are near
POSSIBLE = 0.4  # share of the best that is not hopeless


@dataclass(frozen=True)
class Narrowed:
    """Of a computation: how many candidates there are, which are near, and which are possible."""

    space: int
    near: tuple[str, ...]
    possible: tuple[str, ...]


def race_narrowed(
    measurer: Measurer, training: Sequence[Input], test: Sequence[Input], seconds: float | None
) -> Narrowed | None:
    """Races what is worth it on the inputs; None where nothing could be measured.

    Training inputs come with the small ones first, on which hopeless candidates take least. Of the
    others the two ends are raced first, then training and test inputs in turn, so that where there
    is no time for all there are some of each.
    """
    begin = time.monotonic()
    first_end = None if seconds is None else begin + FIRST_TIME * seconds
    deadline = None if seconds is None else begin + seconds
    small = training[: max(1, round(SMALL * len(training)))]
    tried = [small[k] for k in _spread(len(small), FIRST)]
    function, display = measurer.subject.function, measurer.display
    display.begin(f"{function}, all candidates", len(tried))
    collect(measurer, tried, deadline=first_end, quiet=True)
    display.end()
    first = [given for given in tried if measurer.is_complete(given)]
    if measurer.offer is None or not first:
        return None
    examples = [(given.name, measurer.examples(given)) for given in first]
    data = make_table(function, measurer.offer, examples).data
    found = Narrowed(len(data.variants) - 1, promising(data), possible(data))
    everyone = frozenset(data.variants) - {DEFAULT}
    display.say(
        f"{function}: {len(found.near)} of {found.space} candidates are near the best on one "
        f"of {len(first)} training inputs, {len(found.possible)} are not far behind"
    )
    shuffled = np.random.default_rng(0).permutation(len(training))
    order = [training[-1], training[0], *(training[k] for k in shuffled)]
    rest = [given for given in dict.fromkeys(order) if given not in first]
    display.begin(f"{function}, those that may be best", len(test) + len(rest))
    for pair in zip_longest(test, rest):
        for given, names in zip(pair, (found.possible, found.near), strict=True):
            if given is None:
                continue
            measurer.skip = everyone.difference(names)
            collect(measurer, [given], deadline=deadline, quiet=True)
    display.end()
    return found


def _spread(count: int, most: int) -> list[int]:
    """At most so many of `count` places, as far apart as can be, in an order of no meaning."""
    indices = np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))
    return [int(k) for k in np.random.default_rng(0).permutation(indices)]


def promising(data: TrainingSet) -> tuple[str, ...]:
    """The candidates that were near the best somewhere, those that add most first."""
    share = np.nan_to_num(share_of_best(data.costs))
    names = np.array(data.variants)
    least = NEAR if len(data) >= FEW else LESS_NEAR
    allowed = (share >= least).any(axis=0) & (names != DEFAULT)
    reached = share[:, [data.variants.index(DEFAULT)]].max(axis=1)
    chosen: list[int] = []
    while len(chosen) < min(MOST, int(allowed.sum())):
        gain = np.maximum(share, reached[:, None]).mean(axis=0) + 1e-3 * share.mean(axis=0)
        gain[~allowed | np.isin(np.arange(len(names)), chosen)] = -1.0
        chosen.append(int(gain.argmax()))
        reached = np.maximum(reached, share[:, chosen[-1]])
    return tuple(str(names[k]) for k in chosen)


def possible(data: TrainingSet) -> tuple[str, ...]:
    """The candidates that were not hopeless everywhere."""
    share = np.nan_to_num(share_of_best(data.costs))
    return tuple(
        name
        for name, its in zip(data.variants, share.max(axis=0), strict=True)
        if its >= POSSIBLE and name != DEFAULT
    )


def write_narrowed(folder: Path, all_of_them: dict[str, Narrowed]) -> None:
    """Keeps, in a folder, what was narrowed to, by function."""
    known = {**narrowed(folder), **all_of_them}
    text = json.dumps({name: vars(its) for name, its in known.items()}, indent=1)
    (folder / FILE).write_text(text + "\n", encoding="utf-8")


def narrowed(folder: Path) -> dict[str, Narrowed]:
    """What was narrowed to, by function; empty where all candidates were raced on all inputs."""
    path = folder / FILE
    if not path.exists():
        return {}
    read = json.loads(path.read_text(encoding="utf-8"))
    return {
        name: Narrowed(its["space"], tuple(its["near"]), tuple(its["possible"]))
        for name, its in read.items()
    }
