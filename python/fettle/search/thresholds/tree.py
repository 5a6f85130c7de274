"""Trees of versions of one computation, guarded by `threshold <= parallelism`.

Breddam 2019, section 1.1.3: a guard takes its `then` side on an input whose degree of parallelism
(an expression of the input's sizes, one a guard) is at least the guard's threshold, and its
`otherwise` side on any other. A split stands for several nests at the same depth, which all run
(figure 1.7); a program of several trees is a split of them.

    chain(("outer", "top"), ("inner", "middle"), otherwise="flattened")
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fettle.core.errors import FettleError

Thresholds = dict[str, float]

ALWAYS = 0.0
"""A threshold that every degree of parallelism reaches."""
NEVER = math.inf
"""A threshold that none reaches."""


@dataclass(frozen=True)
class Version:
    """A way to compute: a leaf."""

    name: str


@dataclass(frozen=True)
class Guard:
    """`threshold <= parallelism ? then : otherwise`; the threshold's name is the guard's."""

    threshold: str
    then: Tree
    otherwise: Tree


@dataclass(frozen=True)
class Split:
    """Parts that run in sequence, each with its own guards; their times add up."""

    parts: tuple[Tree, ...]


Tree = Version | Guard | Split


@dataclass(frozen=True)
class Run:
    """One run of the program: what its guards decide, and the versions that then run."""

    choices: Mapping[str, bool]
    versions: tuple[str, ...]

    def thresholds(self, tree: Tree) -> Thresholds:
        """Thresholds that make the guards decide so; guards that are not reached say no."""
        return {
            guard.threshold: ALWAYS if self.choices.get(guard.threshold) else NEVER
            for guard in guards(tree)
        }


def chain(*guarded: tuple[str, str], otherwise: str) -> Tree:
    """Versions that are asked for in turn: pairs (threshold, version), and what is left."""
    tree: Tree = Version(otherwise)
    for threshold, version in reversed(guarded):
        tree = Guard(threshold, Version(version), tree)
    return tree


def guards(tree: Tree) -> Iterator[Guard]:
    """All guards, those below a guard before it: the order in which they are tuned."""
    if isinstance(tree, Guard):
        yield from guards(tree.otherwise)
        yield from guards(tree.then)
        yield tree
    elif isinstance(tree, Split):
        for part in tree.parts:
            yield from guards(part)


def versions(tree: Tree) -> Iterator[str]:
    """The names of all versions, the one that no guard takes first."""
    if isinstance(tree, Version):
        yield tree.name
    elif isinstance(tree, Guard):
        yield from versions(tree.otherwise)
        yield from versions(tree.then)
    else:
        for part in tree.parts:
            yield from versions(part)


def way_to(tree: Tree, threshold: str) -> dict[str, bool] | None:
    """What the guards above a guard must decide for it to be reached; None: it is not there."""
    if isinstance(tree, Guard):
        if tree.threshold == threshold:
            return {}
        for decision, side in ((True, tree.then), (False, tree.otherwise)):
            below = way_to(side, threshold)
            if below is not None:
                return {tree.threshold: decision, **below}
    elif isinstance(tree, Split):
        for part in tree.parts:
            below = way_to(part, threshold)
            if below is not None:
                return below
    return None


def runs(tree: Tree) -> list[Run]:
    """The runs that tell everything about an input: one a version, and no two alike.

    Without splits, run i is version i alone. The parts of a split run together: a first run has
    the first version of each, every other run replaces one of them. That makes parts - 1 runs
    fewer than versions, a split. In each run some version runs for the first time.
    """
    if isinstance(tree, Version):
        return [Run({}, (tree.name,))]
    if isinstance(tree, Guard):
        return [
            Run({tree.threshold: decision, **run.choices}, run.versions)
            for decision, side in ((False, tree.otherwise), (True, tree.then))
            for run in runs(side)
        ]
    alone = [runs(part) for part in tree.parts]
    first = [part[0] for part in alone]
    together = [first] + [
        [*first[:i], run, *first[i + 1 :]] for i, part in enumerate(alone) for run in part[1:]
    ]
    return [
        Run(
            {name: decision for run in one for name, decision in run.choices.items()},
            tuple(name for run in one for name in run.versions),
        )
        for one in together
    ]


def check(tree: Tree) -> None:
    """Raise FettleError where a name is there twice, or a split has no parts."""
    for kind, names in (
        ("threshold", [guard.threshold for guard in guards(tree)]),
        ("version", list(versions(tree))),
    ):
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise FettleError(
                f"the {kind} {twice[0]!r} is twice in the tree; every guard and every version "
                "needs a different name"
            )
    _check_splits(tree)


def _check_splits(tree: Tree) -> None:
    if isinstance(tree, Guard):
        _check_splits(tree.then)
        _check_splits(tree.otherwise)
    elif isinstance(tree, Split):
        if not tree.parts:
            raise FettleError("a split of the tree has no parts; give it one at least")
        for part in tree.parts:
            _check_splits(part)
