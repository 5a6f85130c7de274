"""Which of many variants are worth having in the program: as few as keep the share of best.

A p-median problem (dissertation 5.4 merges policies by hand): every input is served by one of the
variants that are kept, at a cost of at most its best one's over `1 - loss`.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from fettle.classifiers.regret import best_fixed, shares_of, wanted_shares
from fettle.core.errors import FettleError
from fettle.data.judged_table import Floats
from fettle.data.training_set import TrainingSet

LOSS = 0.01
GAIN = 0.001  # mean share of best that a variant must add; less is what measuring is unsure of
# The solver gives the best set so far after so many nodes of its search, however busy the machine.
# Measured spaces take one node; the hardest of random ones, 200 inputs by 300 variants, 0.2 s each.
NODES = 100
SECONDS = 600.0  # a guard only


def winners(
    data: TrainingSet,
    *,
    loss: float = LOSS,
    gain: float = GAIN,
    never: Collection[str] = (),
    always: Collection[str] = (),
) -> tuple[str, ...]:
    """The smallest set of variants that loses at most `loss` of the best on any input.

    Variants that add less than `gain` to the mean share of best are then left out, so that no
    kernel is compiled for a variant that was best once by chance. The default, which the program
    contains in any case, and the best single variant are always included; of equally small sets,
    the one with the highest mean share of best is taken. Variants that tie with the best on an
    input count as best there. `never` names variants that failed (wrong results, crashes); shares
    of best are computed without them, and inputs on which nothing else works do not count.
    `always` names variants that are always kept, those of a given chain of thresholds.
    The result is in the order of `data.variants`.
    """
    if not 0 <= loss < 1:
        raise FettleError(f"loss must be in [0, 1), got {loss:g}")
    kept = [variant for variant, name in enumerate(data.variants) if name not in never]
    works = np.isfinite(data.costs[:, kept]).any(axis=1)
    if not works.any():
        raise FettleError(f"{data.function}: no variant is both right and measured on any input")
    trusted = data.only([data.variants[variant] for variant in kept]).rows(np.flatnonzero(works))
    share, wanted = shares_of(trusted), wanted_shares(trusted)
    certain = {best_fixed(trusted)}
    for name in {data.default, *always} - set(never):
        if name in data.variants:
            certain.add(kept.index(data.variants.index(name)))
    chosen = _smallest_cover(share, wanted, 1.0 - loss, certain)
    chosen = _worth_a_kernel(wanted, chosen, certain, gain)
    return tuple(data.variants[kept[variant]] for variant in sorted(chosen))


def _worth_a_kernel(share: Floats, chosen: set[int], always: set[int], gain: float) -> set[int]:
    """Without those that add too little, one after the other, the least first."""
    kept = sorted(chosen)
    while optional := [variant for variant in kept if variant not in always]:
        whole = share[:, kept].max(axis=1).mean()
        rest = {variant: [other for other in kept if other != variant] for variant in optional}
        least = max(optional, key=lambda variant: share[:, rest[variant]].max(axis=1).mean())
        if whole - share[:, rest[least]].max(axis=1).mean() >= gain:
            break
        kept = rest[least]
    return set(kept)


def _smallest_cover(share: Floats, wanted: Floats, least: float, always: set[int]) -> set[int]:
    """Columns such that each row has one of at least `least`; few, then with the most `wanted`."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array, csr_array, vstack

    variants = share.shape[1]
    row, column = np.nonzero(share >= min(least, 1.0))  # who may serve whom
    pairs = len(row)
    regret = 1.0 - wanted[row, column]
    # The unknowns: is a variant kept (integers), does it serve an input (integral of themselves).
    # All regret together weighs less than one variant.
    weight = np.concatenate([np.ones(variants), 0.5 * regret / max(regret.sum(), 1.0)])
    each = np.arange(pairs)
    served = coo_array((np.ones(pairs), (row, variants + each)), (len(share), variants + pairs))
    only_kept = coo_array(
        (
            np.tile([1.0, -1.0], (pairs, 1)).T.ravel(),
            (np.tile(each, 2), _indices(variants, column)),
        ),
        (pairs, variants + pairs),
    )
    lower = np.zeros(variants + pairs)
    lower[list(always)] = 1.0
    found = milp(
        weight,
        integrality=np.repeat([1, 0], [variants, pairs]),
        bounds=Bounds(lower, 1.0),
        constraints=LinearConstraint(
            csr_array(vstack([served, only_kept])),
            np.concatenate([np.ones(len(share)), np.full(pairs, -1.0)]),
            np.concatenate([np.ones(len(share)), np.zeros(pairs)]),
        ),
        options={"node_limit": NODES, "time_limit": SECONDS, "mip_rel_gap": 0.0},
    )
    if found.x is None:
        raise FettleError(f"choosing the variants to keep failed: {found.message}")
    return {int(variant) for variant in np.flatnonzero(found.x[:variants] > 0.5)}


def _indices(variants: int, column: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.concatenate([variants + np.arange(len(column)), column])
