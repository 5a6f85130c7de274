"""A second round of racing: what came near the best on an input is measured there again.

The best of many variants that are about as fast is, after a few samples of each, the one that was
luckiest. So few samples tell who is near the best on an input, and more of these alone tell how
fast they are. Each input is taken by itself: nothing that is measured on one bears on another.

Where memory lies and on which cores threads run stays the same while a program runs, and is other
the next time. It makes one variant faster than another in one run only, which no number of samples
of that run tells. So the samples can be of several starts of the program. That a start met a busier
machine than another is taken out of them (fettle/store/starts.py).
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fettle.core.errors import FettleError
from fettle.search.variant_space import offered_spaces
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.costs import cost_of
from fettle.training.examples import distinct_calls
from fettle.training.measure import Measurer
from fettle.training.program import Input
from fettle.training.request import Measuring


@dataclass(frozen=True)
class SecondRound:
    """Who is in the second round: variants with `near` of the best's speed, and the default.

    Not a default that took over twice the best's time: its first samples say enough (plan.py).

    `measuring` says how many more samples they get in each of so many `starts` of the program;
    those of the first round stay. Raises FettleError for less than one start.
    """

    measuring: Measuring
    near: float = 0.85
    starts: int = 1

    def __post_init__(self) -> None:
        if self.starts < 1:
            raise FettleError(f"SecondRound: starts must be at least 1, not {self.starts}")


def race_again(
    measurer: Measurer,
    inputs: Sequence[Input],
    how: SecondRound,
    *,
    deadline: float | None = None,
    quiet: bool = False,
) -> int:
    """The second round on the inputs that are completely measured; returns on how many it ran.

    An input that had its second round is left alone, one whose second round was cut short is
    finished by the next `collect`. After `deadline` (of `time.monotonic`) none is begun. With
    `quiet` no stage is shown. Raises FettleError where variants have parameters.
    """
    offer = measurer.offer
    if offer is None:
        return 0
    if offered_spaces(offer.parameters):
        raise FettleError(
            f"{measurer.subject.function!r} has variants with parameters, whose search measures "
            "its best points again by itself; tune it without a second round"
        )
    again = replace(measurer, measuring=how.measuring)
    ready = [one for one in inputs if measurer.is_complete(one) and not _done(measurer, one)]
    if not quiet:
        measurer.display.begin(f"{measurer.subject.function}, those near the best", len(ready))
    ran = 0
    try:
        calls = {
            given: distinct_calls(offer, [(given.name, measurer.examples(given))])
            for given in ready
        }
        near = {
            given: {one.call: near_best(one, offer, how.near) for _, one in its}
            for given, its in calls.items()
        }
        for part in _parts(measurer, ready):
            if deadline is not None and time.monotonic() > deadline:
                break
            failed: set[Input] = set()
            for _ in range(how.starts):
                left = [given for given in part if given not in failed]
                for given in left:
                    for call, names in near[given].items():
                        measurer.store.forget_verdicts(
                            measurer.subject, measurer.key(given), call, names
                        )
                for given, error in again.measured(left, "measure"):
                    if error is not None:
                        failed.add(given)
                        measurer.warn(str(error))
            for given in part:
                if given not in failed:
                    measurer.store.set_note(_note(measurer, given), "done")
                    ran += 1
                if not quiet:
                    measurer.display.advance()
    finally:
        if not quiet:
            measurer.display.end()
    return ran


def _parts(measurer: Measurer, inputs: Sequence[Input]) -> list[list[Input]]:
    """Inputs that are measured at the same time: each by itself where there are no workers."""
    if measurer.workers is not None and inputs:
        return [list(inputs)]
    return [[given] for given in inputs]


def near_best(example: Example, offer: Offer, near: float) -> tuple[str, ...]:
    """The variants that are worth more samples on a call; none where only one is."""
    costs = {variant: cost_of(example, variant, offer) for variant in offer.variants}
    best = min(costs.values())
    found = tuple(
        variant
        for variant, cost in costs.items()
        if math.isfinite(cost) and (cost * near <= best or variant == offer.default)
    )
    return found if len(found) > 1 else ()


def _done(measurer: Measurer, given: Input) -> bool:
    return measurer.store.note(_note(measurer, given)) is not None


def _note(measurer: Measurer, given: Input) -> str:
    return f"second round of {measurer.subject} on {measurer.key(given)}"
