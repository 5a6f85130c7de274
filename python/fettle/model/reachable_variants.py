"""A model without the variants that it can never choose.

A program that is compiled after training needs no more than those: what no input leads to is code
that takes room and is never run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fettle.model.model import Model
from fettle.model.predictor_text import SvmPredictor, TreePredictor, one_leaf

_LABELS = "label "  # the line of libsvm's file that says which variant each class is


def without_unreachable(model: Model) -> Model:
    """A model that chooses the same everywhere, of the variants that it may choose only.

    Those are the default, which runs wherever the model does not decide, and what a leaf of its
    tree or a class of its machine leads to; of several trees, whose costs are summed, all count.
    In the order of `model.variants`. Where the default alone is left, nothing is asked of the input
    either.
    """
    places = _reachable(model)
    if len(places) == len(model.variants):
        return model
    variants = tuple(model.variants[place] for place in places)
    if len(variants) == 1:
        model = replace(model, inputs=(), predictor=one_leaf((0.0,)))
    else:
        model = replace(model, predictor=_of_these(model.predictor, places))
    return replace(
        model,
        variants=variants,
        parameters={name: its for name, its in model.parameters.items() if name in variants},
        refinements={name: its for name, its in model.refinements.items() if name in variants},
    )


def _reachable(model: Model) -> list[int]:
    """The places of the reachable variants, ascending."""
    found = {model.variants.index(model.default)}
    if isinstance(model.predictor, SvmPredictor):
        found |= set(labels_of(model.predictor.text))
    elif len(model.predictor.trees) == 1:
        (tree,) = model.predictor.trees
        found |= {cost.index(min(cost)) for cost in tree.cost if cost}  # the first, as at run time
    else:
        found |= set(range(len(model.variants)))
    return sorted(found)


def _of_these(
    predictor: SvmPredictor | TreePredictor, places: Sequence[int]
) -> SvmPredictor | TreePredictor:
    if isinstance(predictor, SvmPredictor):
        text = predictor.text
        labels = " ".join(str(places.index(label)) for label in labels_of(text))
        lines = [_LABELS + labels if _is_labels(line) else line for line in text.split("\n")]
        return SvmPredictor("\n".join(lines))
    (tree,) = predictor.trees  # of several all variants are reachable
    cost = tuple(tuple(its[k] for k in places) if its else () for its in tree.cost)
    return TreePredictor((replace(tree, cost=cost),))


def labels_of(text: str) -> list[int]:
    """The variant of each class of a machine, which is given as the text of libsvm's file."""
    (line,) = filter(_is_labels, text.split("\n"))
    return [int(word) for word in line.split()[1:]]


def _is_labels(line: str) -> bool:
    return line.startswith(_LABELS)
