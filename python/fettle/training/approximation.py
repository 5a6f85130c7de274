"""Which approximate variants a model may choose, and the proof that they keep the bound.

The errors on the training inputs make an error model; the held-out inputs prove it. Margins are
tried from the widest to none, and the first that is not proven ends that: the error of the whole
sequence is that of one test (fixed-sequence testing), however many margins there are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fettle.core.wording import counted, counted_are
from fettle.data.approximation import (
    NEARLY,
    ApproximateVariant,
    Approximation,
    FrontPoint,
    InputError,
)
from fettle.data.training_set import Floats, TrainingSet
from fettle.model.model import ErrorModel, Model
from fettle.objectives.pareto import on_front
from fettle.quality.clopper_pearson import inputs_needed, lower_limit
from fettle.quality.error_model import FittedErrors, fit_errors
from fettle.store.subject import Offer
from fettle.training.code_variant import CodeVariant
from fettle.training.trainer import Trainer

MARGINS = (6.0, 5.0, 4.0, 3.5, 3.0, 2.5, 2.0, 1.5, 1.0, 0.5, 0.0)  # deviations of the error model


def admit(
    trainer: Trainer,
    function: CodeVariant,
    offer: Offer,
    model: Model,
    data: TrainingSet,
    test: TrainingSet | None,
) -> tuple[Model, Approximation]:
    """The model with what it admits, and what is proven of its choices.

    `data` are the inputs that it was trained with, `test` those held out. Cost: some milliseconds a
    margin.
    """
    bound = offer.bound
    names = tuple(name for name in offer.approximate if name in model.variants)
    found = Approximation(bound, function.coverage, function.confidence)
    closed = replace(model, errors=ErrorModel(names, 0.0 if bound is None else bound))
    if bound is None:
        return closed, found
    count = 0 if test is None else len(test)
    needed = inputs_needed(function.coverage, function.confidence)
    shown = test if test is not None and count else data
    found = replace(
        found,
        held_out=count,
        needed=needed,
        variants=_variants(shown, names, bound),
        fronts=_fronts(shown),
    )
    if offer.default in data.variants and not np.isfinite(_costs_of(data, offer.default)).any():
        why = "the exact default failed, so that no error is known"
        return closed, replace(found, reason=why)
    if not names:
        why = "on no input is an approximate variant within the bound the best by so much"
        return closed, replace(found, reason=why + " that it is kept")
    if test is None or count < needed:
        missing = needed - count
        why = (
            f"{counted_are(count, 'input')} held out, {missing} more are needed "
            "(set_test_args, or a larger max_calls), on none of which the bound is missed"
        )
        return closed, replace(found, reason=why)
    fitted = fit_errors(data, names, bound)
    if not fitted.variants:
        what = "gives the exact bits everywhere" if bound == 0 else "has errors to learn from"
        return closed, replace(found, reason=f"no approximate variant {what}")
    admitted, proof = _widest(trainer, function, model, fitted, test, found)
    return (closed if admitted is None else admitted), proof


def _widest(
    trainer: Trainer,
    function: CodeVariant,
    model: Model,
    fitted: FittedErrors,
    test: TrainingSet,
    found: Approximation,
) -> tuple[Model | None, Approximation]:
    """The model with the narrowest margin that is proven."""
    taken: Model | None = None
    for margin in MARGINS:
        tried = replace(model, errors=fitted.admitting(margin))
        chosen = _chosen(trainer, tried, test)
        proof = _proof(chosen, test, fitted, found, function)
        if proof.proven < function.coverage:
            if taken is None:
                needed = inputs_needed(function.coverage, function.confidence, proof.misses)
                why = (
                    f"the bound is missed on {proof.misses} of "
                    f"{counted(len(test), 'held-out input')}, where {needed} inputs would have to "
                    "be held out to allow for that"
                )
                found = replace(proof, needed=needed, reason=why)
            break
        taken, found = tried, replace(proof, is_admitted=True)
    return taken, found


def _chosen(trainer: Trainer, model: Model, test: TrainingSet) -> NDArray[np.intp]:
    """The choices as indices of the variants of `test`."""
    place = np.array([test.variants.index(name) for name in model.variants], dtype=np.intp)
    found: NDArray[np.intp] = place[trainer.choose(model, test.values)]
    return found


def _proof(
    chosen: NDArray[np.intp],
    test: TrainingSet,
    fitted: FittedErrors,
    found: Approximation,
    function: CodeVariant,
) -> Approximation:
    assert test.errors is not None
    rows = np.arange(len(test))
    errors = test.errors[rows, chosen]
    is_kept = errors <= fitted.bound  # an error that is not known is a miss
    names = [test.variants[k] for k in chosen]
    is_rough = np.array([name in fitted.approximate for name in names])
    near = [
        InputError(test.inputs[i], names[i], float(errors[i]))
        for i in np.flatnonzero(is_rough & ~(errors <= NEARLY * fitted.bound))
        if errors[i] > 0 or not is_kept[i]
    ]
    misses = int((~is_kept).sum())
    exact = _best_exact(test, fitted.approximate)
    ratios = exact / _paid(test)[rows, chosen]
    ratios = ratios[np.isfinite(ratios) & (ratios > 0)]
    return replace(
        found,
        misses=misses,
        approximate=int(is_rough.sum()),
        proven=lower_limit(len(test) - misses, len(test), function.confidence),
        needed=inputs_needed(function.coverage, function.confidence, misses),
        nearly=tuple(sorted(near, key=lambda one: -np.nan_to_num(one.error, nan=np.inf))),
        speedup=float(np.exp(np.log(ratios).mean())) if len(ratios) else 1.0,
    )


def _costs_of(data: TrainingSet, variant: str) -> Floats:
    return data.costs[:, data.variants.index(variant)]


def _best_exact(data: TrainingSet, approximate: tuple[str, ...]) -> Floats:
    exact = [k for k, name in enumerate(data.variants) if name not in approximate]
    best: Floats = _paid(data)[:, exact].min(axis=1)
    return best


def _paid(data: TrainingSet) -> Floats:
    """What the variants took, whatever the objective makes of it."""
    return data.costs if data.measured is None else data.measured


def _variants(
    data: TrainingSet, approximate: tuple[str, ...], bound: float
) -> tuple[ApproximateVariant, ...]:
    """Every variant over all inputs, those on the front of time and worst error marked."""
    assert data.errors is not None
    paid = _paid(data)
    exact = _best_exact(data, approximate)
    rows: list[tuple[str, float, float, int, int]] = []
    for k, name in enumerate(data.variants):
        known = np.isfinite(paid[:, k]) & np.isfinite(exact) & np.isfinite(data.errors[:, k])
        if not known.any():
            continue
        ratio = float(np.exp(np.log(paid[known, k] / exact[known]).mean()))
        errors = data.errors[known, k]
        kept = int((errors <= bound).sum())
        rows.append((name, ratio, float(errors.max()), kept, int(known.sum())))
    if not rows:
        return ()
    front = on_front(np.array([[[row[1], row[2]] for row in rows]]))[0]
    return tuple(
        ApproximateVariant(name, name not in approximate, ratio, worst, kept, count, bool(there))
        for (name, ratio, worst, kept, count), there in zip(rows, front, strict=True)
    )


def _fronts(data: TrainingSet) -> dict[str, tuple[FrontPoint, ...]]:
    """For each input the variants that no other one beats by time and error."""
    assert data.errors is not None
    paid = _paid(data)
    front = on_front(np.stack([paid, data.errors], axis=2))
    return {
        name: tuple(
            FrontPoint(data.variants[k], float(paid[i, k]), float(data.errors[i, k]))
            for k in sorted(np.flatnonzero(front[i]), key=lambda k: paid[i, k])
        )
        for i, name in enumerate(data.inputs)
    }


def exactly(data: TrainingSet, approximate: tuple[str, ...]) -> TrainingSet:
    """The set as if approximate variants had no result: a model of it does not choose them."""
    costs = data.costs.copy()
    costs[:, [k for k, name in enumerate(data.variants) if name in approximate]] = np.inf
    return replace(data, costs=costs).usable()
