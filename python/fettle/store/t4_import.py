"""Reads T4 into a store: files that Fettle wrote, and those of other tuners.

What tells old from new are the identifiers of runs, as in a merge: the second import of a file
changes nothing. A result of another tuner becomes a run whose identifier is a digest of it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fettle.store.base import Store, StoreError
from fettle.store.contents import Contents, Row, Run, StoredRun, Verdict
from fettle.store.merge import Merged, merge
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import InputKey, Offer, Subject
from fettle.store.t4_check import check_t4
from fettle.store.t4_own import put_contents, take_own

_SECONDS = {  # of a unit, by the first of its names
    ("s", "second", "seconds"): 1.0,
    ("ms", "millisecond", "milliseconds"): 1e-3,
    ("us", "µs", "μs", "microsecond", "microseconds"): 1e-6,
    ("ns", "nanosecond", "nanoseconds"): 1e-9,
}
_VERDICTS: Mapping[str, Verdict] = {"correct": "measured", "constraints": "excluded"}


@dataclass(frozen=True)
class Foreign:
    """What a file of another tuner does not say: what was tuned, and where."""

    function: str = ""
    machine: str = ""
    given: str = ""


def import_t4(path: Path, into: Store, foreign: Foreign) -> Merged:
    """Takes a file into a store. Raises StoreError, with nothing imported, where it is not T4."""
    with read_t4(path, foreign) as scratch:
        return merge(into, scratch)


def read_t4(path: Path, foreign: Foreign) -> SqliteStore:
    """What a file holds, as a store in memory. Raises StoreError where it is not T4."""
    document = _read(path)
    check_t4(document, str(path))
    scratch = SqliteStore(Path(":memory:"))
    try:
        with scratch.together():
            if "fettle" in document:
                take_own(document, scratch, str(path))
            else:
                _take_foreign(document, scratch, foreign, path)
    except BaseException:
        scratch.close()
        raise
    return scratch


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}; check the path and its permissions") from None
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{path} is not a T4 file: it is not JSON ({error})") from None


def _take_foreign(document: Any, store: Store, foreign: Foreign, path: Path) -> None:
    if not foreign.function:
        raise StoreError(
            f"{path} is of another tuner and does not say which function it is of; give "
            "--function NAME, and --machine and --input where they are known"
        )
    subject = Subject("T4", foreign.function, foreign.machine or "unknown", "")
    held = Contents(calls=1, features={0: ({}, {})})
    unit = document.get("metadata", {}).get("timeunit", "milliseconds")
    seen: dict[str, int] = {}
    for result in document["results"]:
        text = json.dumps(result, sort_keys=True)
        seen[text] = seen.get(text, 0) + 1  # equal results are several runs
        digest = hashlib.blake2b(f"{seen[text]} {text}".encode(), digest_size=16).hexdigest()
        words = " ".join(f"{name}={value}" for name, value in result["configuration"].items())
        variant = words or "default"
        values = _foreign_values(result, unit, path)
        verdict = _VERDICTS.get(result["invalidity"], "failed")
        if verdict == "measured" and not values:
            continue
        stored = StoredRun(Run(digest, began=result.get("timestamp", "")), len(values) and 1)
        if values:
            stored.rows.append(Row(0, 0, variant, "", values))
        held.runs[digest] = stored
        reason = "" if verdict == "measured" else f"T4: {result['invalidity']}"
        held.verdicts.setdefault((0, variant), (verdict, reason))
    variants = tuple(dict.fromkeys(variant for _, variant in held.verdicts))
    if not variants:
        raise StoreError(f"{path} has no result with a measurement or a reason why there is none")
    store.set_offer(subject, Offer(variants, (), variants[0], "s", False, {}))
    put_contents(store, subject, InputKey(foreign.given or path.name, ""), held)


def _foreign_values(result: Any, timeunit: str, path: Path) -> tuple[float, ...]:
    """The seconds that runs took: of the single runs, else what is said of them together."""
    unit = timeunit
    found = [_finite(value) for value in result["times"].get("runtimes", [])]
    if not found:
        objective = (result.get("objectives") or ["time"])[0]
        for one in result.get("measurements", []):
            if one.get("name") == objective and isinstance(one.get("value"), int | float):
                unit = one.get("unit") or timeunit
                found = [_finite(one["value"])]
    scale = _seconds_of(unit, path) if found else 1.0
    return tuple(value * scale for value in found if value is not None and value > 0)


def _seconds_of(unit: str, path: Path) -> float:
    for names, seconds in _SECONDS.items():
        if unit in names:
            return seconds
    known = ", ".join(names[0] for names in _SECONDS)
    raise StoreError(
        f"{path} has times in {unit!r}, which is no unit of time that is known: {known}; correct "
        "metadata.timeunit, or the unit of the measurement"
    )


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None
