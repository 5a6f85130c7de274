"""Which computations of a program are tuned, and among which of their candidates."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase

from fettle.classifiers.winners import winners
from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet
from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import KNOBS
from fettle.ndp.candidate import Candidate
from fettle.ndp.policies import approximate_candidates, candidates


def selected_computations(
    found: Sequence[Computation], names: Sequence[str], source: str, platform: str
) -> dict[str, Computation]:
    """The computations with these names, or all that have names, by their functions.

    Those that are parts of a program, under each of its fusions, only by their names, or where
    there is nothing else. Raises FettleError for a name that the source does not have, and where no
    computation has one.
    """
    named = {str(one.function): one for one in found if one.name is not None}
    if not named:
        raise FettleError(f'{source} has no computation with a name; write execute<"name">(...)')
    known = [one.name for one in named.values()]
    for name in names:
        if name not in known:
            raise FettleError(
                f"{source} has no computation {name!r} on {platform}; it has "
                f"{', '.join(map(str, known))}"
            )
    apart = [one.name for one in named.values() if not one.of_program]
    chosen = names or apart or known
    return {function: one for function, one in named.items() if one.name in chosen}


def selected_candidates(
    computation: Computation,
    size: str,
    schedules: Sequence[str],
    only: Sequence[str],
    *,
    approximate: bool = False,
) -> list[Candidate]:
    """The candidates whose schedule and whole text fit one of the patterns; empty: all fit.

    With `approximate` those with knobs are among them, behind the exact ones. None of a program,
    whose fusions are compiled in. Raises FettleError where there are none of a computation.
    """
    if computation.is_program:
        return []
    fitting = [name for name in computation.schedules if _fits(name, schedules)]
    found = candidates(computation, size, fitting)
    if approximate and computation.may_approximate:
        found += approximate_candidates(computation, size, fitting)
    found = [one for one in found if _fits(one.text, only)]
    if not found:
        raise FettleError(
            f"{computation.title}: there are no candidates left; its schedules are "
            f"{', '.join(computation.schedules)}"
        )
    return found


def with_exact_winners(
    kept: tuple[str, ...], data: TrainingSet, loss: float, always: Collection[str]
) -> tuple[str, ...]:
    """The winners and those among exact candidates: what runs where no approximate one may."""
    exact = [name for name in data.variants if not has_knobs(name)]
    if len(exact) == len(data.variants):
        return kept
    among_exact = winners(data.only(exact).usable(), loss=loss, always={*always} & {*exact})
    return tuple(name for name in data.variants if name in kept or name in among_exact)


def has_knobs(variant: str) -> bool:
    """Whether a candidate of this name is approximate."""
    names = [word.partition("=")[0] for word in variant.split()]
    return any(one.name in names for one in KNOBS)


def _fits(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)
