"""Which computations of a program are tuned, with which candidates, and which of these are kept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase

from fettle.classifiers import ThresholdClassifier
from fettle.classifiers.base import Classifier
from fettle.classifiers.winners import winners
from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet
from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import KNOBS
from fettle.ndp.candidate import Candidate
from fettle.ndp.options import SpaceOptions
from fettle.ndp.policies import approximate_candidates, candidates
from fettle.ndp.wrong_results import refuse_default_alone
from fettle.training.examples import Table


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


def selected_candidates(computation: Computation, space: SpaceOptions) -> list[Candidate]:
    """The candidates whose schedule and whole text fit one of the patterns; empty: all fit.

    With a bound on errors those with knobs are among them, behind the exact ones. None of a
    program, whose fusions are compiled in. Raises FettleError where there are none of a
    computation.
    """
    if computation.is_program:
        return []
    fitting = [name for name in computation.schedules if _fits(name, space.schedules)]
    found = candidates(computation, space.size, fitting)
    if space.bound is not None and computation.may_approximate:
        found += approximate_candidates(computation, space.size, fitting)
    found = [one for one in found if _fits(one.text, space.only)]
    if not found:
        raise FettleError(
            f"{computation.title}: there are no candidates left; its schedules are "
            f"{', '.join(computation.schedules)}"
        )
    return found


def kept_candidates(
    table: Table, classifier: Classifier | None, merge: float, *, exact: bool
) -> tuple[str, ...]:
    """The candidates that a model is to choose among: the best, without such as do hardly better.

    By up to `merge` the share of best may fall on an input. Unless all are `exact`, the winners
    among those that are kept, too. Raises FettleError where the default alone may be chosen.
    """
    refuse_default_alone(table)
    always = classifier.named if isinstance(classifier, ThresholdClassifier) else frozenset()
    kept = winners(table.data, loss=merge, always=always)
    return kept if exact else with_exact_winners(kept, table.data, merge, always)


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
