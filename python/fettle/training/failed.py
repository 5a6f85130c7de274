"""Which variants failed where they ran, and are therefore not chosen.

A variant that crashed, hung, threw or was wrong on one input of training or test may do so on an
input that was not tried. So the model does not choose it anywhere, unless the tuning script allows
its failures. A variant does not run on an input that its constraint excludes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fettle.core.errors import FettleError
from fettle.data.tuning_result import FailedVariant
from fettle.search.variant_space import family_of, offered_spaces
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.deterministic import differing_variants
from fettle.training.run import RAN_TOO_LONG, TOO_SLOW

if TYPE_CHECKING:
    from fettle.training.code_variant import CodeVariant


@dataclass(frozen=True)
class FailedVariants:
    """All variants, and points of variants, that failed on some input."""

    variants: tuple[FailedVariant, ...] = ()

    @property
    def withheld(self) -> frozenset[str]:
        """Those that the model must not choose."""
        return frozenset(one.variant for one in self.variants if not one.allowed)

    def counts(self, variants: Iterable[str]) -> tuple[int, ...]:
        """On how many inputs each of some variants failed."""
        known = {one.variant: one.inputs for one in self.variants if one.what == "failed"}
        return tuple(known.get(name, 0) for name in variants)

    def refuse(self, named: Collection[str], function: str) -> None:
        """Raises FettleError where the script's classifier names a variant that is withheld."""
        wrong = sorted(self.withheld & set(named))
        if wrong:
            raise FettleError(
                f"{function}: the classifier names the variant {wrong[0]!r}, which failed on some "
                "input; mend it, leave it out, or say allow_failures"
            )


NONE_FAILED = FailedVariants()


def not_chosen(
    function: CodeVariant,
    offer: Offer,
    examples: Sequence[tuple[str, Sequence[Example]]],
    *,
    schedules: bool = False,
) -> FailedVariants:
    """What failed on some of the inputs, or differs there where the script wants no difference.

    As `failed_variants`. Raises ProgramError where the outputs were not compared.
    """
    failed = failed_variants(offer, examples, allowed=function.allow_failures, schedules=schedules)
    if not function.deterministic:
        return failed
    differing = differing_variants(function.name, offer, examples)
    return FailedVariants((*failed.variants, *differing))


def failed_variants(
    offer: Offer,
    examples: Iterable[tuple[str, Sequence[Example]]],
    *,
    allowed: Collection[str] = (),
    schedules: bool = False,
) -> FailedVariants:
    """What failed on which of the inputs; `examples` are (input name, calls).

    `allowed` names variants whose failures the script allows, those of all their points included.
    A run that was killed as slow is not a failure, unless the variant hangs on some other input.
    Where variants are schedules of one computation, a run past its limit counts as slow, never as a
    hang, because all schedules run the same functions. The default comes first, then those that
    failed most.
    """
    spaces = offered_spaces(offer.parameters)
    registered = {family_of(name, spaces) for name in offer.variants}
    ran: dict[str, set[str]] = {}
    reasons: dict[str, dict[str, str]] = {}
    for name, calls in examples:
        for example in calls:
            for variant, (verdict, reason) in example.verdicts.items():
                if verdict not in ("measured", "failed"):
                    continue
                ran.setdefault(variant, set()).add(name)
                if verdict == "failed":
                    reasons.setdefault(variant, {}).setdefault(name, reason)
    reasons = {variant: _without_slow(its, schedules) for variant, its in reasons.items()}
    found = [
        FailedVariant.of(
            variant,
            ran[variant],
            its,
            advice=_advice(variant, family_of(variant, spaces), offer, allowed, schedules),
            is_default=variant == offer.default,
            allowed=family_of(variant, spaces) in allowed,
        )
        for variant, its in reasons.items()
        if its and family_of(variant, spaces) in registered
    ]
    return FailedVariants(tuple(sorted(found, key=lambda one: (not one.is_default, -one.inputs))))


def _without_slow(reasons: dict[str, str], schedules: bool) -> dict[str, str]:
    """The reasons that are failures, by input; slow runs are left out."""
    if not schedules and any(reason.startswith(RAN_TOO_LONG) for reason in reasons.values()):
        return reasons  # it hangs, so a run that was killed may have been another hang
    slow = (TOO_SLOW, RAN_TOO_LONG) if schedules else TOO_SLOW
    return {name: reason for name, reason in reasons.items() if not reason.startswith(slow)}


def _advice(
    variant: str, registered: str, offer: Offer, allowed: Collection[str], schedules: bool
) -> str:
    if registered in allowed:
        return "it may be chosen all the same, as allow_failures says"
    if variant == offer.default:
        return (
            "the model never chooses it, but calls still fall back to it, without a model and "
            "outside the trained region: mend it, or make another variant the default"
        )
    if schedules:
        return (
            "it is never chosen: look for a function that reads a global or other state, an "
            "operator that is not associative, or a race"
        )
    return (
        "it is never chosen: mend it, add a constraint that excludes such inputs, or say "
        f"allow_failures=[{registered!r}] in the tuning script"
    )
