"""Decision trees as predictors, one or many: the file `.tree`.

docs/formats.md section 3 defines it; the C++ side is include/fettle/model/forest_predictor.hpp.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

from fettle.model.model_text import ModelError, number_text
from fettle.model.predictor import Predictor, Tables

VERSION = 1
NEVER = 1e300
"""The cost of a variant that is never chosen (docs/formats.md); its sum over all trees is finite,
too."""
SECONDS = 60e-9
LEVEL_SECONDS = 3e-9


@dataclass(frozen=True)
class Tree:
    """A binary tree, a tuple an attribute of its nodes; children come after their parent.

    `feature` is the input that a node splits by, -1 for a leaf; inputs up to `threshold` go left.
    `cost` is the expected cost of each variant at a leaf, and empty for splits.
    """

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    cost: tuple[tuple[float, ...], ...]

    def mean_depth(self) -> float:
        """The mean depth of the leaves, an estimate of the splits that one prediction passes."""
        depth = [0] * len(self.feature)
        leaves = []
        for node, feature in enumerate(self.feature):
            if feature < 0:
                leaves.append(depth[node])
            else:
                depth[self.left[node]] = depth[self.right[node]] = depth[node] + 1
        return sum(leaves) / len(leaves)


@dataclass(frozen=True)
class TreePredictor(Predictor):
    """Trees whose costs are summed; the variant with the smallest sum is chosen."""

    classifiers: ClassVar = ("tree", "forest")
    file_ending: ClassVar = ".tree"

    trees: tuple[Tree, ...]

    @property
    def classifier(self) -> str:
        """A forest has several trees."""
        return "tree" if len(self.trees) == 1 else "forest"

    @classmethod
    def of_file(cls, text: str, tables: Tables) -> TreePredictor:
        """From the tables of all trees, whose nodes are numbered throughout."""
        nodes = tables["nodes"]
        leaves = sum(leaf for *_, leaf in nodes)
        costs = [tuple(row) for row in tables["costs"].reshape(leaves, -1).tolist()]
        trees = []
        for begin, end in pairwise([*tables["roots"].tolist(), len(nodes)]):
            own = nodes[begin:end]
            trees.append(
                Tree(
                    tuple(-1 if leaf else feature for *_, feature, leaf in own),
                    tuple(threshold for threshold, *_ in own),
                    tuple(-1 if leaf else left - begin for _, left, _, _, leaf in own),
                    tuple(-1 if leaf else right - begin for _, _, right, _, leaf in own),
                    tuple(costs[left] if leaf else () for _, left, _, _, leaf in own),
                )
            )
        return cls(tuple(trees))

    def file_text(self, inputs: int, variants: int) -> str:
        """The text of its file. Raises ModelError where the attributes of nodes are incomplete."""
        count = len(self.trees)
        out = [f"fettle-trees {VERSION}", f"trees {count} classes {variants} inputs {inputs}"]
        for tree in self.trees:
            columns = (tree.feature, tree.threshold, tree.left, tree.right, tree.cost)
            if len({len(column) for column in columns}) > 1:
                raise ModelError("the attributes of a tree's nodes differ in number")
            out.append(f"tree {len(tree.feature)}")
            for feature, threshold, left, right, cost in zip(*columns, strict=True):
                if feature < 0:
                    out.append("leaf " + " ".join(map(number_text, cost)))
                else:
                    out.append(f"split {feature} {number_text(threshold)} {left} {right}")
        return "\n".join(out) + "\n"

    def seconds(self) -> float:
        """Of a single tree about the same, whatever its depth."""
        levels = sum(tree.mean_depth() for tree in self.trees)
        return SECONDS + LEVEL_SECONDS * levels * (len(self.trees) > 1)

    def size(self) -> dict[str, int]:
        """Trees, and nodes of all of them."""
        return {
            "trees": len(self.trees),
            "nodes": sum(len(tree.feature) for tree in self.trees),
        }

    def choosable(self, variants: int) -> set[int]:
        """What a leaf of a single tree leads to; of several trees, whose costs are summed, all."""
        if len(self.trees) > 1:
            return set(range(variants))
        (tree,) = self.trees
        return {cost.index(min(cost)) for cost in tree.cost if cost}  # the first, as at run time

    def restricted(self, kept: Sequence[int]) -> TreePredictor:
        """With the costs of these variants only."""
        return self._with_costs(lambda costs: tuple(costs[k] for k in kept))

    def never_choosing(self, excluded: Collection[int]) -> TreePredictor:
        """With a cost beyond all others for them, at every leaf."""
        return self._with_costs(
            lambda costs: tuple(NEVER if k in excluded else cost for k, cost in enumerate(costs))
        )

    def _with_costs(
        self, changed: Callable[[tuple[float, ...]], tuple[float, ...]]
    ) -> TreePredictor:
        return TreePredictor(
            tuple(
                replace(tree, cost=tuple(changed(costs) if costs else () for costs in tree.cost))
                for tree in self.trees
            )
        )


def one_leaf(costs: Sequence[float]) -> TreePredictor:
    """A tree of one leaf: it always chooses the variant of the smallest cost."""
    return TreePredictor((Tree((-1,), (0.0,), (-1,), (-1,), (tuple(costs),)),))
