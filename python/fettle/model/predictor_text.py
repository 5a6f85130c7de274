"""What a model predicts with, and its text: libsvm's model file, or trees.

docs/formats.md section 3 defines both; the C++ readers are include/fettle/model/svm_reader.hpp and
forest_reader.hpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fettle.model.model_text import Lines, ModelError, number_text

TREES_VERSION = 1
MAXIMUM_CLASSES = 1024
MAXIMUM_INPUTS = 64
MAXIMUM_SUPPORT_VECTORS = 1_000_000
MAXIMUM_NODES = 10_000_000
# The cost of a variant that is never chosen; finite, and its sum over all trees too.
NEVER = 1e300


@dataclass(frozen=True)
class SvmPredictor:
    """A support vector machine: `text` is its libsvm model file, labels are variant indices."""

    text: str


@dataclass(frozen=True)
class SvmTables:
    """What the text of a machine says; support vectors are dense, coefficients a row a vector."""

    gamma: float
    labels: tuple[int, ...]
    sizes: tuple[int, ...]  # support vectors of each class
    rho: tuple[float, ...]
    vectors: tuple[tuple[float, ...], ...]
    coefficients: tuple[tuple[float, ...], ...]


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


@dataclass(frozen=True)
class TreePredictor:
    """Trees whose costs are summed; the variant with the smallest sum is chosen."""

    trees: tuple[Tree, ...]


def one_leaf(costs: Sequence[float]) -> TreePredictor:
    """A tree of one leaf: it always chooses the variant of the smallest cost."""
    return TreePredictor((Tree((-1,), (0.0,), (-1,), (-1,), (tuple(costs),)),))


def read_svm(file: Path, text: str, inputs: int, variants: int) -> SvmTables:
    """The machine in `text`, the content of `file`. Raises ModelError where it is not one."""
    lines = Lines(file, text)
    header: dict[str, list[str]] = {}
    while True:
        key, *values = lines.next("'SV'") or [""]
        if key == "SV":
            break
        if key in header:
            lines.fail(f"{key} is there twice")
        header[key] = values
    keys = ["svm_type", "kernel_type", "gamma", "nr_class", "total_sv", "rho", "label", "nr_sv"]
    for key in keys:
        if not header.get(key):
            lines.fail(f"the header has no {key}")
    for key in header.keys() - {*keys, "probA", "probB", "prob_density_marks"}:
        lines.fail(f"{key[:40]!r} is not a key of a libsvm model file")
    if header["svm_type"] != ["c_svc"] or header["kernel_type"] != ["rbf"]:
        lines.fail("Fettle evaluates machines of svm_type c_svc and kernel_type rbf")
    classes = lines.integer(header["nr_class"][0], "nr_class", 2, MAXIMUM_CLASSES)
    total = lines.integer(header["total_sv"][0], "total_sv", 1, MAXIMUM_SUPPORT_VECTORS)
    gamma = lines.real(header["gamma"][0], "gamma")
    rho = tuple(lines.real(word, "rho") for word in header["rho"])
    labels = tuple(lines.integer(word, "label", 0, variants - 1) for word in header["label"])
    sizes = tuple(lines.integer(word, "nr_sv", 0, total) for word in header["nr_sv"])
    if gamma < 0:
        lines.fail("gamma is negative")
    if len(set(labels)) != classes or len(labels) != classes or len(sizes) != classes:
        lines.fail(f"label and nr_sv do not have one value for each of {classes} classes")
    if len(rho) != classes * (classes - 1) // 2:
        lines.fail(f"rho does not have one value for each pair of {classes} classes")
    if sum(sizes) != total:
        lines.fail(f"nr_sv adds up to {sum(sizes)}, but total_sv is {total}")
    vectors, coefficients = [], []
    for _ in range(total):
        words = lines.next("a support vector")
        row = tuple(lines.real(word, "a coefficient") for word in words[: classes - 1])
        if len(row) != classes - 1:
            lines.fail(f"there are not {classes - 1} coefficients")
        coefficients.append(row)
        vectors.append(_vector(lines, words[classes - 1 :], inputs))
    if lines:
        lines.number += 1
        lines.fail("there is more after the end")
    return SvmTables(gamma, labels, sizes, rho, tuple(vectors), tuple(coefficients))


def _vector(lines: Lines, words: list[str], inputs: int) -> tuple[float, ...]:
    """A support vector from index:value words."""
    dense = [0.0] * inputs
    last = 0
    for word in words:
        index_word, colon, value = word.partition(":")
        if not colon:
            lines.fail(f"{word[:40]!r} is not an index:value")
        index = lines.integer(index_word, "an index", 1, inputs)
        if index <= last:
            lines.fail("the indices of a support vector do not ascend")
        last = index
        dense[index - 1] = lines.real(value, "a value of a support vector")
    return tuple(dense)


def trees_text(predictor: TreePredictor, inputs: int, classes: int) -> str:
    """The text of trees."""
    count = len(predictor.trees)
    out = [f"fettle-trees {TREES_VERSION}", f"trees {count} classes {classes} inputs {inputs}"]
    for tree in predictor.trees:
        out.append(f"tree {len(tree.feature)}")
        nodes = zip(tree.feature, tree.threshold, tree.left, tree.right, tree.cost, strict=True)
        for feature, threshold, left, right, cost in nodes:
            if feature < 0:
                out.append("leaf " + " ".join(map(number_text, cost)))
            else:
                out.append(f"split {feature} {number_text(threshold)} {left} {right}")
    return "\n".join(out) + "\n"


def read_trees(file: Path, text: str, inputs: int, classes: int, most: int) -> TreePredictor:
    """At most `most` trees from `text`, the content of `file`. Raises ModelError."""
    lines = Lines(file, text)
    words = lines.next("'fettle-trees'")
    if len(words) != 2 or words[0] != "fettle-trees":
        lines.fail("this holds no trees: it does not begin with 'fettle-trees'")
    if words[1] != str(TREES_VERSION):
        lines.fail(f"the trees are of version {words[1]}, this program reads {TREES_VERSION}")
    words = lines.next("'trees'")
    if len(words) != 6 or words[::2] != ["trees", "classes", "inputs"]:
        lines.fail("'trees n classes k inputs d' is not there")
    count = lines.integer(words[1], "the number of trees", 1, most)
    if words[3] != str(classes) or words[5] != str(inputs):
        lines.fail(
            f"the trees are for {words[3]} classes and {words[5]} inputs, "
            f"the model has {classes} variants and {inputs} inputs"
        )
    trees = []
    nodes = 0
    for _ in range(count):
        words = lines.next("'tree'")
        if len(words) != 2 or words[0] != "tree":
            lines.fail("'tree n' is not there")
        size = lines.integer(words[1], "the number of nodes", 1, MAXIMUM_NODES)
        nodes += size
        if nodes > MAXIMUM_NODES:
            lines.fail("there are too many nodes")
        trees.append(_tree(lines, size, inputs, classes))
    if lines:
        lines.number += 1
        lines.fail("there is more after the end")
    return TreePredictor(tuple(trees))


def _tree(lines: Lines, size: int, inputs: int, classes: int) -> Tree:
    """A tree of `size` nodes, each but the root the child of exactly one earlier node."""
    features: list[int] = []
    thresholds: list[float] = []
    lefts: list[int] = []
    rights: list[int] = []
    costs: list[tuple[float, ...]] = []
    waiting: set[int] = set()  # children that are yet to come
    for own in range(size):
        kind, *words = lines.next("a node") or [""]
        if own > 0 and own not in waiting:
            lines.fail(f"node {own} is not a node's child")
        waiting.discard(own)
        if kind == "split":
            lines.expect(words, 4, "split input threshold left right")
            features.append(lines.integer(words[0], "an input", 0, inputs - 1))
            thresholds.append(lines.real(words[1], "a threshold"))
            lefts.append(lines.integer(words[2], "the left child", own + 1, size - 1))
            rights.append(lines.integer(words[3], "the right child", own + 1, size - 1))
            if len({lefts[-1], rights[-1]} - waiting) != 2:
                lines.fail("a node has two parents")
            waiting |= {lefts[-1], rights[-1]}
            costs.append(())
        elif kind == "leaf":
            if len(words) != classes:
                lines.fail(f"a leaf has {len(words)} costs, there are {classes} variants")
            features.append(-1)
            thresholds.append(0.0)
            lefts.append(-1)
            rights.append(-1)
            costs.append(tuple(lines.real(word, "a cost") for word in words))
        else:
            lines.fail(f"{kind[:40]!r} is neither split nor leaf")
    return Tree(tuple(features), tuple(thresholds), tuple(lefts), tuple(rights), tuple(costs))


def checked(predictor: SvmPredictor | TreePredictor, inputs: int, classes: int) -> str:
    """The text of the predictor's file, once it is known that it reads back.

    Raises ModelError where the predictor is wrong in itself, or not for so many inputs and classes.
    """
    if isinstance(predictor, SvmPredictor):
        read_svm(Path("model.svm"), predictor.text, inputs, classes)
        return predictor.text
    for tree in predictor.trees:
        lengths = {len(column) for column in (tree.threshold, tree.left, tree.right, tree.cost)}
        if lengths != {len(tree.feature)}:
            raise ModelError("the attributes of a tree's nodes differ in number")
    text = trees_text(predictor, inputs, classes)
    read_trees(Path("model.tree"), text, inputs, classes, MAXIMUM_NODES)
    return text
