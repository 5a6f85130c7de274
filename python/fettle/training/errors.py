"""The errors of approximate variants on one call, and where they forbid a choice."""

from __future__ import annotations

import math
import statistics

from fettle.core.errors import FettleError
from fettle.store.contents import ERROR, Example
from fettle.store.subject import Offer


def errors_of(example: Example, offer: Offer) -> list[float]:
    """The error of each variant on a call, 0 of exact ones, not a number where it is not known.

    Where a constraint excludes a variant, an exact one runs in its place.
    """
    return [_error(example, variant, offer) for variant in offer.variants]


def _error(example: Example, variant: str, offer: Offer) -> float:
    verdict = example.verdicts.get(variant, ("", ""))[0]
    if variant not in offer.approximate or (verdict == "excluded" and offer.bound is not None):
        return 0.0
    known = example.others.get(variant, {}).get(ERROR, ())
    return statistics.median(known) if known else math.nan


def may_choose(error: float, variant: str, offer: Offer) -> bool:
    """Whether a variant with this error on an input may be learned from as a choice there."""
    if variant not in offer.approximate:
        return True
    return offer.bound is not None and error <= offer.bound


def check_approximate(function: str, offer: Offer, *, has_parameters: bool) -> None:
    """Raises FettleError where approximate variants cannot be tuned with what else there is."""
    if not offer.approximate:
        return
    if has_parameters:
        raise FettleError(
            f"{function!r}: approximate variants are not tuned together with parameters; leave "
            'these at their defaults, parameter_search=ParameterSearch("online"), or tune them in '
            "a program without the approximate variants"
        )
    if ERROR in offer.metrics:
        raise FettleError(
            f"{function!r}: a metric is named {ERROR!r}, as the errors of its approximate variants "
            "are; give it another name"
        )
