"""ThresholdClassifier: a chain of guards `threshold <= feature`, each taking one variant.

What incremental flattening compiles to (Breddam 2019, section 1.1.3), for any function: the first
variant whose guard says yes is chosen, and the last one if none does. Deployed it is a decision
tree with one split a guard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fettle.classifiers.base import CALLS, GUARD, SearchingClassifier
from fettle.classifiers.judging import PARTITIONS, Judged, judge, rest_of, search_folds
from fettle.classifiers.regret import (
    NEGLIGIBLE,
    Indices,
    share_of,
    shares_of,
    wanted_shares,
)
from fettle.classifiers.regret_trees import Columns, Forest
from fettle.core.errors import FettleError
from fettle.data.preference import first_best
from fettle.data.training_set import Floats, TrainingSet
from fettle.model.trees import Tree
from fettle.search.thresholds import solve
from fettle.search.thresholds.items import Items
from fettle.search.thresholds.tree import NEVER, chain, check, guards

MOST_GUARDS = 8
EFFORT = 500
"""Sets of inputs to look at for proving the thresholds of a chain the best (see `solve.joint`)."""

Links = tuple[tuple[int, int], ...]
"""The guards in their order: a variant, and the column of the feature that it asks."""


@dataclass(frozen=True)
class ThresholdRecipe:
    """A chain that is given by names, or one of at most `most` guards that is to be found."""

    most: int
    given: tuple[tuple[str, str], ...] = ()
    otherwise: str = ""

    def train(self, data: TrainingSet, seed: int) -> Forest:
        """Find the chain, if none is given, and its thresholds."""
        columns = Columns.of(data, "features")
        table = columns.table(data.values)
        shares = wanted_shares(data)
        if self.given:
            column_of = {entry.feature: j for j, entry in enumerate(columns.inputs)}
            # A feature that never varies decides nothing: its guard is left out.
            links = tuple(
                (data.variants.index(v), column_of[f]) for v, f in self.given if f in column_of
            )
            last = data.variants.index(self.otherwise)
        else:
            links, last = _grown(table, 1 - shares, self.most, data.preference)
        tree = _tree(table, 1 - shares, links, last)
        return Forest(columns, lambda: (tree,), lambda rows: 1 - _costs(tree, rows))

    def __str__(self) -> str:
        if self.given:
            asked = ", ".join(f"{variant} by {feature}" for variant, feature in self.given)
            return f"guards for {asked}, otherwise {self.otherwise}"
        return f"at most {self.most} guards"


class ThresholdClassifier(SearchingClassifier):
    """A chain of thresholds; in its order, its features and its length learned, or given.

    - `guards`: pairs (variant, feature) in the order in which they are asked, and `otherwise` the
      variant that is left; thresholds are then all that is learned, and no other variant is taken
      instead, unless one is the best on all inputs. Without them the chain is grown guard by
      guard, and its length found by cross-validation.

    Training takes less than a second for 1000 inputs. Raises FettleError for guards without
    `otherwise`, and for names that the function does not have or that are given twice.
    """

    def __init__(
        self,
        guards: Sequence[tuple[str, str]] = (),
        otherwise: str | None = None,
        *,
        guard: float | None = GUARD,
        calls: int = CALLS,
        seed: int = 0,
    ) -> None:
        super().__init__(guard=guard, calls=calls, seed=seed)
        if bool(guards) != (otherwise is not None):
            raise FettleError(
                "a chain of thresholds needs both: guards=[(variant, feature), ...] and "
                "otherwise=variant; or neither, and it is learned"
            )
        self.guards = tuple(guards)
        self.otherwise = otherwise or ""
        check(
            chain(
                *((str(i), variant) for i, (variant, _) in enumerate(self.guards)),
                otherwise=self.otherwise,
            )
        )

    @property
    def named(self) -> frozenset[str]:
        """The variants of a given chain, which all have to be there; of a learned one none."""
        return frozenset(v for v, _ in self.guards) | ({self.otherwise} if self.guards else set())

    def compare(self, data: TrainingSet) -> tuple[Judged, ...]:
        """The best chain."""
        return (judge("threshold", self.search(data), data, self.calls, self.seed),)

    def _or_no_model(self, found: Judged, data: TrainingSet) -> Judged:
        # Who gives a chain wants these versions.
        return found if self.guards else super()._or_no_model(found, data)

    def search(self, data: TrainingSet) -> ThresholdRecipe:
        """The given chain, or the shortest whose cross-validated mean share is about the best."""
        if self.guards:
            for kind, known, used in (
                ("variant", data.variants, [*(v for v, _ in self.guards), self.otherwise]),
                ("feature", data.features, [f for _, f in self.guards]),
            ):
                unknown = [name for name in used if name not in known]
                if unknown:
                    raise FettleError(
                        f"{data.function} has no {kind} {unknown[0]!r}, which a threshold guard "
                        f"names; it has {', '.join(known)}"
                    )
            return ThresholdRecipe(len(self.guards), self.guards, self.otherwise)
        longest = min(MOST_GUARDS, len(data.variants) - 1)
        folds = search_folds(data, self.seed)
        if not folds:
            return ThresholdRecipe(longest)
        shares = shares_of(data)
        candidates = [ThresholdRecipe(most) for most in range(1, longest + 1)]
        means = np.zeros(len(candidates))
        for i, recipe in enumerate(candidates):
            for fold in folds:
                found = recipe.train(data.rows(rest_of(data, fold)), self.seed)
                means[i] += share_of(shares[fold], found.choose(data.values[fold])).sum()
        means /= PARTITIONS * len(data)
        return candidates[int(np.flatnonzero(means >= means.max() - NEGLIGIBLE)[0])]


def _grown(table: Floats, losses: Floats, most: int, preferred: Sequence[int]) -> tuple[Links, int]:
    """Guards that each gain most, the rest going to the best fixed variant that is left."""
    rows = np.arange(len(table))
    free = list(range(losses.shape[1]))
    links: list[tuple[int, int]] = []
    while len(links) < most and len(free) > 1:
        # What the best fixed variant loses on the inputs that still arrive.
        least = float(losses[rows][:, free].sum(axis=0).min()) - NEGLIGIBLE * len(table)
        found = None
        for column in range(table.shape[1]):
            order = rows[np.argsort(table[rows, column], kind="stable")]
            starts = np.append(np.unique(table[order, column], return_index=True)[1], len(order))
            below = np.vstack((np.zeros(losses.shape[1]), np.cumsum(losses[order], axis=0)))[starts]
            for variant in free:
                rest = below[:, [v for v in free if v != variant]].min(axis=1)
                sums = rest + below[-1, variant] - below[:, variant]
                if sums.min() < least:
                    least = float(sums.min())
                    found = (variant, column, order[: starts[int(sums.argmin())]])
        if found is None:
            break
        links.append(found[:2])
        free.remove(found[0])
        rows = found[2]
        if not rows.size:
            break
    arriving = losses[rows] if rows.size else losses
    left = [free.index(variant) for variant in preferred if variant in free]
    return tuple(links), free[int(first_best(-arriving[:, free].mean(axis=0), left))]


def _tree(table: Floats, losses: Floats, links: Links, last: int) -> Tree:
    """The chain with the thresholds that lose least, as a decision tree."""
    tree = chain(
        *((str(i), str(variant)) for i, (variant, _) in enumerate(links)), otherwise=str(last)
    )
    items = Items(
        tuple(map(str, range(len(table)))),
        {str(i): table[:, column] for i, (_, column) in enumerate(links)},
        {str(variant): losses[:, variant] for variant in [*(v for v, _ in links), last]},
    )
    start = solve.sweep(tree, items, dict.fromkeys((g.threshold for g in guards(tree)), NEVER))
    thresholds, _ = solve.joint(tree, items, start, EFFORT)
    feature: list[int] = []
    split: list[float] = []
    left: list[int] = []
    right: list[int] = []
    cost: list[tuple[float, ...]] = []

    def leaf(variant: int, arriving: Indices) -> None:
        feature.append(-1)
        split.append(0.0)
        left.append(-1)
        right.append(-1)
        cost.append(_leaf_cost(losses[arriving] if arriving.size else losses, variant))

    rows = np.arange(len(table))
    for i, (variant, column) in enumerate(links):
        threshold = thresholds[str(i)]
        values = table[rows, column]
        yes = values >= threshold
        if not yes.any():
            continue
        if yes.all():  # nothing arrives further down
            leaf(variant, rows)
            break
        # Halfway between the inputs on either side, what is not greater goes left: no.
        number = len(feature)
        feature.append(column)
        split.append(float((values[~yes].max() + values[yes].min()) / 2))
        left.append(number + 2)
        right.append(number + 1)
        cost.append(())
        leaf(variant, rows[yes])
        rows = rows[~yes]
    else:
        leaf(last, rows)
    return Tree(tuple(feature), tuple(split), tuple(left), tuple(right), tuple(cost))


def _leaf_cost(losses: Floats, variant: int) -> tuple[float, ...]:
    """What each variant loses, none less than the one that the chain takes."""
    mean = losses.mean(axis=0)
    above = np.maximum(mean, np.nextafter(mean[variant], np.inf))
    above[variant] = mean[variant]
    return tuple(above.tolist())


def _costs(tree: Tree, rows: Floats) -> Floats:
    """The costs of the leaf of each row, (n, variants)."""
    node = np.zeros(len(rows), dtype=np.intp)
    for number, column in enumerate(tree.feature):  # children come after their parent
        if column >= 0:
            here = np.flatnonzero(node == number)
            no = rows[here, column] <= tree.threshold[number]
            node[here] = np.where(no, tree.left[number], tree.right[number])
    width = len(tree.cost[-1])
    costs = np.array([row or (0.0,) * width for row in tree.cost])
    found: Floats = costs[node]
    return found
