"""Takes the measurements of one store into another; what is known there already changes nothing.

What tells old from new are the identifiers of runs, so a second merge of the same stores does
nothing, and so does one in a circle. Runs that were deleted in a store do not come back to it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from fettle.store.base import Store, StoreError
from fettle.store.contents import Contents, StoredRun
from fettle.store.subject import InputKey, Subject

# So many inputs are written at once: others wait meanwhile, and each write costs a sync.
TOGETHER = 500


@dataclass
class Merged:
    """What a merge has brought, and what it has left out, each with the reason."""

    runs: int = 0
    notes: int = 0
    left_out: list[str] = field(default_factory=list)


def merge(into: Store, other: Store, progress: Callable[[int, int], None] | None = None) -> Merged:
    """Takes all of `other` into `into`; `progress` hears how many inputs of how many are done.

    A merge that is interrupted is finished by the next one. Raises StoreError.
    """
    if into.guid == other.guid and into.place == other.place:
        raise StoreError(f"{into.place} is to be merged into itself; name two stores")
    found = Merged()
    forgotten = into.forgotten()
    notes = into.notes()
    chosen: list[tuple[Subject, InputKey]] = []
    for subject in other.subjects():
        if why := _other_build(subject, notes, other):
            found.left_out.append(why)
            continue
        offer = other.offer(subject)
        if offer is not None and into.offer(subject) is None:
            into.set_offer(subject, offer)
        chosen += [(subject, given) for given in other.inputs(subject)]
    for begin in range(0, len(chosen), TOGETHER):
        part = chosen[begin : begin + TOGETHER]
        with into.together():
            for subject, given in part:
                found.runs += take(into, subject, given, other.contents(subject, given), forgotten)
        if progress is not None:
            progress(begin + len(part), len(chosen))
    left_out = tuple(str(s) for s in other.subjects() if _other_build(s, notes, other))
    with into.together():
        for key, value in other.notes().items():
            if any(subject in key for subject in left_out):
                continue
            joined = _joined(notes.get(key), value)
            if joined != notes.get(key):
                into.set_note(key, joined)
                found.notes += 1
    return found


def take(
    into: Store, subject: Subject, given: InputKey, theirs: Contents, forgotten: set[str]
) -> int:
    """Takes what is new of one input; how many runs brought anything. `forgotten` ones do not."""
    mine = into.contents(subject, given)
    news = [
        new
        for stored in theirs.runs.values()
        if stored.run.guid not in forgotten and (new := _news(stored, mine)) is not None
    ]
    for call, (features, seconds) in theirs.features.items():
        if call not in mine.features:
            into.add_call(subject, given, call, features, seconds)
    if theirs.calls is not None and mine.calls is None:
        into.finish(subject, given, theirs.calls)
    if not news:
        return 0
    for stored in news:
        into.add_rows(subject, given, stored)
    measured = {
        (row.call, row.variant)
        for stored in [*mine.runs.values(), *news]
        for row in stored.rows
        if row.metric == ""
    }
    for (call, variant), (verdict, reason) in theirs.verdicts.items():
        if verdict != "measured" or (call, variant) in measured:
            into.add_verdict(subject, given, call, variant, verdict, reason)
    for (call, variant), same in theirs.bitwise.items():
        into.add_output(subject, given, call, variant, same)
    for (call, variant), lost in theirs.lost_seconds.items():
        if (call, variant) not in mine.lost_seconds:
            into.add_lost_seconds(subject, given, call, variant, lost)
    return len(news)


def _news(theirs: StoredRun, mine: Contents) -> StoredRun | None:
    """A run as far as it is not known: all of it, what came since it was copied, or None."""
    known = mine.runs.get(theirs.run.guid)
    if known is None:
        return theirs
    if theirs.count <= known.count:
        return None
    return replace(theirs, rows=[row for row in theirs.rows if row.number >= known.count])


def _other_build(subject: Subject, notes: dict[str, str], other: Store) -> str:
    """Why the measurements of a subject must not be mixed; empty where they may."""
    note = f"build of {subject}"
    mine, theirs = notes.get(note), other.note(note)
    if mine is None or theirs is None or mine == theirs:
        return ""
    return (
        f"{subject.function} of {subject.program} on {subject.machine}: the two stores measured "
        "different builds of the program, whose times must not be mixed. Tune there with the build "
        "that was measured here, and merge again"
    )


def _joined(mine: str | None, theirs: str) -> str:
    """A note of both stores: mine; where both are JSON objects, mine and what it lacks."""
    if mine is None:
        return theirs
    try:
        both = json.loads(mine), json.loads(theirs)
    except ValueError:
        return mine
    if not all(isinstance(one, dict) for one in both) or both[1].keys() <= both[0].keys():
        return mine
    return json.dumps({**both[1], **both[0]})
