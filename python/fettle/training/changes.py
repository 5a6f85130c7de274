"""What differs between a program as it was measured and as it is now.

Between two offers, and between two measurements of one call; how far metrics moved: moved.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fettle.core.wording import counted, seconds_text
from fettle.search.variant_space import family_of, offered_spaces
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.moved import Move
from fettle.training.program import Input


def families(offer: Offer) -> dict[str, str]:
    """The registered variants, each with what the offer calls it: a point where it has any."""
    spaces = offered_spaces(offer.parameters)
    return {family_of(name, spaces): name for name in offer.variants}


def compare_offers(
    known: Offer, offer: Offer, examples: Mapping[Input, Sequence[Example]], stale: dict[str, str]
) -> None:
    """Adds to `stale` the variants that are measured anew without any probe, and why."""
    before, now = families(known), families(offer)
    measured = {name for its in examples.values() for one in its for name in one.samples}
    other_metric = (known.unit, known.larger_is_better) != (offer.unit, offer.larger_is_better)
    anew = "it is measured anew on all inputs"
    for name, point in now.items():
        versions = known.versions.get(name), offer.versions.get(name)
        if name not in before:
            if point in measured:
                stale[name] = f"was not offered in between: {anew}"
        elif versions[0] != versions[1]:
            then, later = (version or "none" for version in versions)
            stale[name] = f"is of version {later} now, {then} was measured: {anew}"
        elif other_metric:
            stale[name] = f"has another metric than the one that was measured: {anew}"
        elif before[name] != point:
            stale[name] = f"runs by default at {point} now, and did at {before[name]}: {anew}"


def changed_outcomes(before: Example, now: Example) -> dict[str, str]:
    """How the outcomes of variants changed, without failures, which are tried again anyway."""
    found = {}
    for name, (verdict, reason) in now.verdicts.items():
        then = before.verdicts.get(name, ("unmeasured", ""))[0]
        if {then, verdict} <= {"measured", "excluded", "failed"} and then not in (
            verdict,
            "failed",
        ):
            found[name] = f"{then} then, {verdict} now" + (f" ({reason})" if reason else "")
    return found


def features_differ(before: Example, now: Example) -> bool:
    """Whether a feature that both know has another value."""
    shared = before.features.keys() & now.features.keys()
    return any(repr(before.features[name]) != repr(now.features[name]) for name in shared)


def how_it_moved(moved: Sequence[tuple[str, Move | str]], probes: int, offer: Offer) -> str:
    """Why a variant is measured anew: on which inputs it changed, and how on the first."""
    where, move = moved[0]
    if isinstance(move, Move):
        text = seconds_text if offer.unit == "s" else "{:g}".format
        move = f"{text(move.before)} then, {text(move.now)} now"
    inputs = f"on {len(moved)} of {counted(probes, 'input')} that were measured again"
    return f"has changed {inputs} ({where}: {move}): it is measured anew on all inputs"
