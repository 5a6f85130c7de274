"""Variants whose output is the default's bit by bit, which `deterministic=True` restricts to.

The program compares the outputs that set_verify captures, in the first run of each variant on each
input (docs/formats.md, section 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fettle.data.tuning_result import FailedVariant
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.program import ProgramError


def check_is_compared(function: str, name: str, offer: Offer, example: Example) -> None:
    """Raises ProgramError where the program has not compared a variant's output with the default's.

    Nothing can be compared where the default itself did not run.
    """
    if not _ran(example, offer.default):
        return
    for variant in example.verdicts:
        if variant != offer.default and _ran(example, variant) and variant not in example.bitwise:
            raise ProgramError(
                f"{function!r}: deterministic=True needs the outputs compared bit by bit, but that "
                f"of {variant!r} on {name} was not. Give the function set_verify(capture) whose "
                "copy of the output is a number, a contiguous range of trivially copyable elements "
                "or comparable by ==, build the program with the headers of this Fettle release, "
                "and measure what was measured before that anew (fresh=True, or fettle tune "
                "--fresh)"
            )


def differing_variants(
    function: str, offer: Offer, examples: Iterable[tuple[str, Sequence[Example]]]
) -> tuple[FailedVariant, ...]:
    """The variants that gave other bits than the default on some input. Raises ProgramError."""
    ran: dict[str, set[str]] = {}
    differs: dict[str, dict[str, str]] = {}
    for name, calls in examples:
        for example in calls:
            check_is_compared(function, name, offer, example)
            known = _ran(example, offer.default)
            reason = "not the same bit by bit" if known else "the default did not run there"
            for variant in example.verdicts:
                if variant == offer.default or not _ran(example, variant):
                    continue
                ran.setdefault(variant, set()).add(name)
                if not known or not example.bitwise[variant]:
                    differs.setdefault(variant, {}).setdefault(name, reason)
    return tuple(
        FailedVariant.of(
            variant,
            ran[variant],
            its,
            advice="it is never chosen, as deterministic=True says",
            what="gave another output than the default",
        )
        for variant, its in differs.items()
    )


def _ran(example: Example, variant: str) -> bool:
    return example.verdicts.get(variant, ("unmeasured", ""))[0] == "measured"
