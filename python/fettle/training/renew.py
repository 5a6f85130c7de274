"""Brings measurements into line with a program that has changed since they were made.

A few calls are measured again (probes.py), into a separate store. Variants that differ there in two
starts of the program (moved.py) are deleted on all inputs, so that the tuner measures them again.
The new program is recorded in the same transaction: a tuner that is killed before that starts over.
"""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.search.variant_space import VariantSpace, family_of, offered_spaces
from fettle.store.contents import Example
from fettle.store.sqlite import SqliteStore
from fettle.store.starts import FEWEST
from fettle.store.subject import Offer
from fettle.training.changes import (
    changed_outcomes,
    compare_offers,
    families,
    features_differ,
    how_it_moved,
)
from fettle.training.costs import cost_of
from fettle.training.measure import Measurer
from fettle.training.moved import PACE, Move, moves
from fettle.training.plan import HOPELESS
from fettle.training.probes import choose_probes, probing
from fettle.training.program import Input, InputError, ProgramError

Probe: TypeAlias = tuple[Input, Example]


def renew(measurer: Measurer, inputs: Sequence[Input]) -> bool:
    """Forgets what no longer holds, before anything is measured; whether that was any variant.

    Costs nothing where the program is the one that was measured and no variant is to be measured
    anew by name. Raises FettleError.
    """
    known = measurer.offer
    if known is None or not measurer.may_measure:
        return False
    found = _Findings(known)
    if measurer.has_changed:
        _look(measurer, inputs, found)
    spaces = {**offered_spaces(known.parameters), **offered_spaces(found.offer.parameters)}
    for name in measurer.fresh_variants:
        if name in families(found.offer):
            found.stale.setdefault(name, "is measured anew on all inputs, as asked for")
    if measurer.has_changed or found.stale:
        _forget(measurer, inputs, found, spaces)
    for name, why in found.stale.items():
        measurer.display.say(f"{measurer.subject.function}: {name} {why}")
    return bool(found.stale)


def check_fresh_variants(measurers: Sequence[Measurer], inputs: Sequence[Input]) -> None:
    """Raises FettleError where no function has a variant that is to be measured anew."""
    offers = {
        measurer.subject.function: measurer.offer
        if measurer.offer is not None and not measurer.has_changed
        else _ask(measurer, inputs)
        for measurer in measurers
    }
    registered = {function: list(families(offer)) for function, offer in offers.items()}
    for name in {name for measurer in measurers for name in measurer.fresh_variants}:
        if not any(name in names for names in registered.values()):
            known = "; ".join(f"{f} has {', '.join(names)}" for f, names in registered.items())
            raise FettleError(f"there is no variant {name!r} to measure anew: {known}")


@dataclass
class _Findings:
    """What the program offers now, and what of the old measurements does not hold."""

    offer: Offer
    stale: dict[str, str] = field(default_factory=dict)  # registered variant -> why, for people
    other_features: bool = False
    is_asked: bool = False  # the offer is the program's as it is now
    is_compared: bool = False  # so are the measurements, or will be when they are made


def _look(measurer: Measurer, inputs: Sequence[Input], found: _Findings) -> None:
    known = {given: measurer.examples(given) for given in inputs}
    probes = choose_probes(known, found.offer.variants)
    measurer.display.say(
        f"{measurer.subject.function}: the program has changed since it was measured"
    )
    if not probes:  # none of the inputs given was measured; a later run may compare
        offer = _ask(measurer, inputs)
        compare_offers(found.offer, offer, known, found.stale)
        found.offer, found.is_asked = offer, True
        return
    first, asked_offer = _measured(measurer, probes, "inputs that are measured again")
    if asked_offer is None or not first:
        return  # the warnings say why
    offer = asked_offer
    suspects = [probe for probe in probes if _differs(probe, first, offer)]
    second, _ = _measured(measurer, suspects, "those that differ, once more")
    compare_offers(found.offer, offer, known, found.stale)
    found.offer, found.is_asked, found.is_compared = offer, True, True
    spaces = offered_spaces(offer.parameters)
    asked = [probe for probe in probes if _call_of(probe) in first]
    paces = []
    moved: dict[str, list[tuple[str, Move | str]]] = {}
    for probe in asked:
        given, before = probe
        now = first[_call_of(probe)]
        pace, its = moves(before.samples, now.samples, timed=offer.unit == "s")
        paces.append(pace)
        again = second.get(_call_of(probe))
        if again is None:
            continue
        confirmed = moves(before.samples, again.samples, timed=offer.unit == "s")[1]
        for name, move in its.items():
            if move.confirmed_by(confirmed.get(name)):
                moved.setdefault(family_of(name, spaces), []).append((given.name, move))
        same = changed_outcomes(before, now).items() & changed_outcomes(before, again).items()
        for name, outcome in sorted(same):
            moved.setdefault(family_of(name, spaces), []).append((given.name, outcome))
        found.other_features |= features_differ(before, now) and not features_differ(now, again)
    for name in families(offer):
        if name in moved and name not in found.stale:
            found.stale[name] = how_it_moved(moved[name], len(asked), offer)
    _tell(measurer, found, statistics.median(paces), len(asked))


def _measured(
    measurer: Measurer, probes: Sequence[Probe], what: str
) -> tuple[dict[tuple[Input, int], Example], Offer | None]:
    """What the program takes now, and what it offers; the store stays as it is."""
    found: dict[tuple[Input, int], Example] = {}
    if not probes:
        return found, None
    measurer.display.begin(f"{measurer.subject.function}, {what}", len(probes))
    try:
        with SqliteStore(Path(":memory:")) as scratch:
            probe = replace(measurer, store=scratch, measuring=probing(measurer.measuring))
            for given, before in probes:
                try:
                    found[given, before.call] = probe.measure_call(given, before.call)
                except InputError as error:
                    measurer.warn(str(error))
                measurer.display.advance()
            return found, probe.offer
    finally:
        measurer.display.end()


def _ask(measurer: Measurer, inputs: Sequence[Input]) -> Offer:
    """What the program offers now; the store does not learn of it."""
    with SqliteStore(Path(":memory:")) as scratch:
        probe = replace(measurer, store=scratch)
        for given in inputs:
            try:
                probe.probe(given)
            except InputError as error:
                measurer.warn(str(error))
            if probe.offer is not None:
                return probe.offer
    raise ProgramError(
        f"the program trains {measurer.subject.function!r} for none of the inputs; see the "
        "warnings above"
    )


def _call_of(probe: Probe) -> tuple[Input, int]:
    return probe[0], probe[1].call


def _differs(probe: Probe, now: Mapping[tuple[Input, int], Example], offer: Offer) -> bool:
    before, later = probe[1], now.get(_call_of(probe))
    return later is not None and bool(
        moves(before.samples, later.samples, timed=offer.unit == "s")[1]
        or changed_outcomes(before, later)
        or features_differ(before, later)
    )


def _tell(measurer: Measurer, found: _Findings, pace: float, probes: int) -> None:
    function = measurer.subject.function
    if not 1 / PACE < pace < PACE:
        measurer.warn(
            f"{function}: all variants take {pace:.3g} times what they took when they were "
            "measured: the machine is used otherwise, or the program is built otherwise. They are "
            "as fast beside each other as before, so that is kept; fresh=True, or fettle tune "
            "--fresh, measures all anew"
        )
    if found.other_features:
        measurer.display.say(
            f"{function}: features have other values than before; they are evaluated anew on all "
            "inputs, and inputs of several calls are measured anew"
        )
    if not found.stale:
        measurer.display.say(
            f"{function}: on {counted(probes, 'input')} that were measured again no variant is "
            "faster or "
            "slower beside the others than it was; measurements are kept, and variants that failed "
            "are tried again"
        )


def _forget(
    measurer: Measurer,
    inputs: Sequence[Input],
    found: _Findings,
    spaces: Mapping[str, VariantSpace],
) -> None:
    store, subject = measurer.store, measurer.subject
    if found.stale:
        _measure_rivals_again(measurer, inputs, found.offer, found.stale.keys())
    with store.together():
        if measurer.has_changed:
            store.forget_failures(subject)
        if found.stale:
            points = [name for name in found.stale if name in spaces]
            store.forget_variants(subject, [*found.stale], points)
        if found.other_features:
            store.forget_features(subject)
        if found.is_asked:
            measurer.take_offer(found.offer)
        if found.is_compared:
            measurer.remember_build()


def _measure_rivals_again(
    measurer: Measurer, inputs: Sequence[Input], offer: Offer, stale: Collection[str]
) -> None:
    """Marks the best other variants to run beside the stale ones, to calibrate that start."""
    spaces = offered_spaces(offer.parameters)
    for given in inputs:
        for example in measurer.examples(given):
            costs = {
                name: cost_of(example, name, offer)
                for name in offer.variants
                if family_of(name, spaces) not in stale
                and example.verdicts.get(name, ("unmeasured", ""))[0] == "measured"
            }
            limit = HOPELESS * min(costs.values(), default=0.0)  # slower ones are not run again
            best = [name for name in sorted(costs, key=costs.__getitem__) if costs[name] <= limit]
            if len(best) >= FEWEST:
                measurer.store.forget_verdicts(
                    measurer.subject, measurer.key(given), example.call, best[:FEWEST]
                )
