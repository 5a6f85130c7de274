"""Random trees and recorded loops for the tests of the threshold tuners."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fettle.search.thresholds import (
    NEVER,
    Guard,
    Split,
    Step,
    Thresholds,
    Tree,
    Version,
    chain,
)
from fettle.search.thresholds.tree import guards, versions


def random_tree(rng: random.Random, depth: int, *, splits: bool = False) -> Tree:
    """A tree of any shape, at most so deep, with one guard at least."""
    numbers = itertools.count()

    def grow(left: int) -> Tree:
        if left == 0 or (left < depth and rng.random() < 0.3):
            return Version(f"v{next(numbers)}")
        if splits and rng.random() < 0.3:
            return Split((grow(left - 1), grow(left - 1)))
        return Guard(f"t{next(numbers)}", grow(left - 1), grow(left - 1))

    while True:
        tree = grow(depth)
        if any(True for _ in guards(tree)):
            return tree


def taken(tree: Tree, parallelism: Mapping[str, float], thresholds: Thresholds) -> list[str]:
    """The versions that run: the guards as a program has them."""
    if isinstance(tree, Version):
        return [tree.name]
    if isinstance(tree, Guard):
        side = (
            tree.then
            if thresholds[tree.threshold] <= parallelism[tree.threshold]
            else tree.otherwise
        )
        return taken(side, parallelism, thresholds)
    return [name for part in tree.parts for name in taken(part, parallelism, thresholds)]


def passed(tree: Tree, parallelism: Mapping[str, float], thresholds: Thresholds) -> list[str]:
    """The thresholds that are compared."""
    if isinstance(tree, Version):
        return []
    if isinstance(tree, Split):
        return [name for part in tree.parts for name in passed(part, parallelism, thresholds)]
    yes = thresholds[tree.threshold] <= parallelism[tree.threshold]
    side = tree.then if yes else tree.otherwise
    return [tree.threshold, *passed(side, parallelism, thresholds)]


@dataclass
class Recording:
    """A program whose every step is known: name -> parallelism, and seconds of each version."""

    tree: Tree
    parallelism: dict[str, dict[str, float]]
    seconds: dict[str, dict[str, float]]
    measured: list[tuple[str, ...]] = field(default_factory=list)
    """What ran in each measurement, and on what."""

    def step(self, thresholds: Thresholds, name: str) -> float:
        """The seconds of one step, or of one data set that is one step."""
        ran = taken(self.tree, self.parallelism[name], thresholds)
        return sum(self.seconds[name][version] for version in ran)

    def one(self, thresholds: Thresholds, name: str) -> float:
        """Measure one data set."""
        self.measured.append((*taken(self.tree, self.parallelism[name], thresholds), name))
        return self.step(thresholds, name)

    def total(self, thresholds: Thresholds) -> float:
        """Measure all steps as one number."""
        self.measured.append(tuple(f"{thresholds}"))
        return sum(self.step(thresholds, name) for name in self.parallelism)

    def instrumented(self, thresholds: Thresholds) -> list[Step]:
        """Measure each step, with the parallelism at the guards it passes."""
        self.measured.append(tuple(f"{thresholds}"))
        return [
            Step(
                name,
                {t: known[t] for t in passed(self.tree, known, thresholds)},
                self.step(thresholds, name),
            )
            for name, known in self.parallelism.items()
        ]

    def values(self) -> dict[str, list[float]]:
        """What each threshold is compared with."""
        return {
            guard.threshold: [known[guard.threshold] for known in self.parallelism.values()]
            for guard in guards(self.tree)
        }

    def all_thresholds(self) -> Iterator[Thresholds]:
        """Every assignment that can make a difference."""
        values = self.values()
        for chosen in itertools.product(*(sorted({*v, NEVER}) for v in values.values())):
            yield dict(zip(values, chosen, strict=True))

    def optimum(self) -> float:
        """The least total, by trying them all."""
        return min(
            sum(self.step(thresholds, name) for name in self.parallelism)
            for thresholds in self.all_thresholds()
        )


def random_recording(rng: random.Random, tree: Tree, steps: int) -> Recording:
    """Random parallelism, with repeats, and random times."""
    names = [f"d{i}" for i in range(steps)]
    return Recording(
        tree,
        {d: {g.threshold: float(rng.randint(0, steps)) for g in guards(tree)} for d in names},
        {d: {v: rng.uniform(1, 10) for v in versions(tree)} for d in names},
    )


MATMUL = chain(
    ("t1", "rows"), ("t2", "group_per_row"), ("t3", "elements"), ("t4", "group_per_element"),
    otherwise="flattened",
)  # fmt: skip


def looped_matmul(sizes: list[int], lanes: int = 20_000, group: int = 64) -> Recording:
    """The thesis's dummy (listing 1.6): in a loop, the products of (n/k, nk) and (nk, n/k).

    The five versions launch as many threads as the thesis says (section 1.1.3). Lanes are filled
    in rounds; a round takes the work of one thread; groups and flattening cost something.
    """
    parallelism: dict[str, dict[str, float]] = {}
    seconds: dict[str, dict[str, float]] = {}
    for n in sizes:
        for k in (1 << i for i in range(int(math.log2(n)) + 1)):
            rows, inner = n // k, n * k
            work = rows * rows * inner
            threads = {
                "rows": rows,
                "group_per_row": rows * group,
                "elements": rows * rows,
                "group_per_element": rows * rows * group,
                "flattened": work,
            }
            overhead = {
                "rows": 1.0,
                "group_per_row": 1.3,
                "elements": 1.05,
                "group_per_element": 1.4,
                "flattened": 3.0,
            }
            name = f"{n} #{k}"
            order = ("rows", "group_per_row", "elements", "group_per_element")
            parallelism[name] = {f"t{i + 1}": float(threads[v]) for i, v in enumerate(order)}
            seconds[name] = {
                v: 5e-6 + 1e-9 * overhead[v] * math.ceil(t / lanes) * math.ceil(work / t)
                for v, t in threads.items()
            }
    return Recording(MATMUL, parallelism, seconds)
