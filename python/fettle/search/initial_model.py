"""The model that a design-of-experiments search starts from when its user gives none."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.core.errors import FettleError
from fettle.search.formula import Atom, Formula, Term
from fettle.search.model_matrix import Factor

BENT_FROM = 6
"""Levels from which on a numeric factor gets a second term: as in the paper's model of section V.A,
where the factor of five levels is linear and those of six and more have a reciprocal."""


def initial_model(factors: Sequence[Factor], most: int | None = None) -> Formula:
    """A linear term for each factor, and a bend for those with six numbers or more.

    The bend is `1/a` where all levels are positive, as for the sizes of tiles, blocks and groups,
    whose work is shared out (section V.A of the design-of-experiments paper), and `a^2` otherwise.
    With `most`, the largest number of coefficients, bends go first, those of the factors with the
    fewest levels before the others; then the factors that take the most coefficients go.
    Raises a FettleError where no factor varies.
    """
    varying = [factor for factor in factors if len(factor.levels) > 1]
    if not varying:
        raise FettleError("every factor has one level only: give a factor a second level to try")
    cost = {f.name: 1 if f.numbers is not None else len(f.levels) - 1 for f in varying}
    bent = [f for f in varying if f.numbers is not None and len(f.levels) >= BENT_FROM]
    room = None if most is None else most - 1 - sum(cost.values())
    if room is not None:
        bent = sorted(bent, key=lambda f: -len(f.levels))[: max(room, 0)]
    while room is not None and room < 0 and len(cost) > 1:
        room += cost.pop(max(cost, key=lambda name: cost[name]))
    terms: list[Term] = []
    for factor in varying:
        if factor.name in cost:
            terms.append((Atom(factor.name),))
            if factor in bent:
                terms.append((_bend(factor),))
    return Formula("y", tuple(terms))


def _bend(factor: Factor) -> Atom:
    assert factor.numbers is not None
    if min(factor.numbers) > 0:
        return Atom(factor.name, "reciprocal")
    return Atom(factor.name, "power", 2)
