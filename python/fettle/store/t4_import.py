"""Reads T4 into a store: files that Fettle wrote, and those of other tuners.

What tells old from new are the identifiers of runs, as in a merge: the second import of a file
changes nothing. A result of another tuner becomes a run whose identifier is a digest of it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from fettle.store.base import Store, StoreError
from fettle.store.contents import Contents, Row, Run, StoredRun, Verdict
from fettle.store.merge import Merged, merge
from fettle.store.rows import offer_of
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import InputKey, Offer, Subject
from fettle.store.t4 import APPENDIX
from fettle.store.t4_check import check_t4

_MILLISECONDS = ("ms", "millisecond", "milliseconds")
_VERDICTS: Mapping[str, Verdict] = {"correct": "measured", "constraints": "excluded"}


@dataclass(frozen=True)
class Foreign:
    """What a file of another tuner does not say: what was tuned, and where."""

    function: str = ""
    machine: str = ""
    given: str = ""


def import_t4(path: Path, into: Store, foreign: Foreign) -> Merged:
    """Takes a file into a store. Raises StoreError, with nothing imported, where it is not T4."""
    document = _read(path)
    check_t4(document, str(path))
    with SqliteStore(Path(":memory:")) as scratch:
        with scratch.together():
            if "fettle" in document:
                try:
                    _take_own(document, scratch, str(path))
                except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
                    raise StoreError(
                        f"{path}: what Fettle added to the T4 file cannot be understood "
                        f"({error!r}); export it anew"
                    ) from None
            else:
                _take_foreign(document, scratch, foreign, path)
        return merge(into, scratch)


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}; check the path and its permissions") from None
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{path} is not a T4 file: it is not JSON ({error})") from None


def _take_own(document: Any, store: Store, name: str) -> None:
    version = document["fettle"]["version"]
    if version != APPENDIX:
        raise StoreError(
            f"{name} is of a newer Fettle (version {version} of its appendix, this one reads "
            f"{APPENDIX}); import it with that Fettle"
        )
    held: list[list[tuple[Subject, InputKey, Contents]]] = []
    for one in document["fettle"]["subjects"]:
        subject = Subject(*(_text(one[field.name]) for field in fields(Subject)))
        if one["offer"] is not None:
            store.set_offer(subject, offer_of(json.dumps(one["offer"])))
        held.append([(subject, *_input(entry)) for entry in one["inputs"]])
    for result in document["results"]:
        _add_rows(result, held[result["fettle"]["subject"]][result["fettle"]["input"]][2])
    for some in held:
        for subject, given, contents in some:
            _put(store, subject, given, contents)
    for key, value in document["fettle"]["notes"].items():
        store.set_note(key, _text(value))


def _input(entry: Any) -> tuple[InputKey, Contents]:
    held = Contents(calls=entry["calls"])
    for call, features, seconds in entry["features"]:
        held.features[int(call)] = _numbers(features), _numbers(seconds)
    for call, variant, verdict, reason in entry["verdicts"]:
        held.verdicts[int(call), _text(variant)] = verdict, _text(reason)
    for call, variant, same in entry["bitwise"]:
        held.bitwise[int(call), _text(variant)] = bool(same)
    for call, variant, lost in entry["lost_seconds"]:
        held.lost_seconds[int(call), _text(variant)] = float(lost)
    for one in entry["runs"]:
        run = Run(*(_text(one[field.name]) for field in fields(Run)))
        held.runs[run.guid] = StoredRun(run, int(one["count"]))
    return InputKey(_text(entry["arguments"]), _text(entry["content"])), held


def _add_rows(result: Any, held: Contents) -> None:
    about = result["fettle"]
    if about["run"] is None:
        return
    values = {one["name"]: iter(one["value"]) for one in result["measurements"]}
    [own] = result["objectives"]
    for number, metric, length in about["rows"]:
        some = tuple(float(next(values[metric or own])) for _ in range(length))
        row = Row(int(number), int(about["call"]), _text(about["variant"]), _text(metric), some)
        held.runs[about["run"]].rows.append(row)


def _put(store: Store, subject: Subject, given: InputKey, held: Contents) -> None:
    for call, (features, seconds) in held.features.items():
        store.add_call(subject, given, call, features, seconds)
    for stored in held.runs.values():
        stored.rows.sort(key=lambda row: row.number)
        store.add_rows(subject, given, stored)
    for (call, variant), (verdict, reason) in held.verdicts.items():
        store.add_verdict(subject, given, call, variant, verdict, reason)
    for (call, variant), same in held.bitwise.items():
        store.add_output(subject, given, call, variant, same)
    for (call, variant), lost in held.lost_seconds.items():
        store.add_lost_seconds(subject, given, call, variant, lost)
    if held.calls is not None:
        store.finish(subject, given, held.calls)


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
        values = _foreign_values(result, unit)
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
    _put(store, subject, InputKey(foreign.given or path.name, ""), held)


def _foreign_values(result: Any, timeunit: str) -> tuple[float, ...]:
    """The seconds that runs took: of the single runs, else what is said of them together."""
    scale = 1e-3 if timeunit in _MILLISECONDS else 1.0
    found = [_finite(value) for value in result["times"].get("runtimes", [])]
    if not found:
        objective = (result.get("objectives") or ["time"])[0]
        for one in result.get("measurements", []):
            if one.get("name") == objective and isinstance(one.get("value"), int | float):
                scale = 1e-3 if one.get("unit", timeunit) in _MILLISECONDS else 1.0
                found = [_finite(one["value"])]
    return tuple(value * scale for value in found if value is not None and value > 0)


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def _numbers(given: Mapping[str, Any]) -> dict[str, float]:
    return {_text(name): float(value) for name, value in given.items()}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a text, found {value!r}")
    return value
