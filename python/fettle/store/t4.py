"""Writes a store in T4, the results format of the auto-tuning community (JSON schema 1.0.0).

A result is what one run measured of one variant on one call; a variant that failed or was excluded
has one, too. What T4 has no place for (inputs, features, verdicts, runs) stands in members named
`fettle`, which the schema admits, so that t4_import.py reads back the same store. Numbers that are
not finite are texts there ("inf"), because JSON has none. (github odgaard/TuningSchema)
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from fettle.core.version import __version__
from fettle.store.base import Store
from fettle.store.contents import Contents, Row, StoredRun, Verdict
from fettle.store.rows import offer_text
from fettle.store.subject import InputKey, Offer

SCHEMA_VERSION = "1.0.0"
APPENDIX = 1  # the version of the members named `fettle`
OWN_METRIC = "metric"  # what a function's own metric is called where it is not a time


def t4_document(store: Store) -> dict[str, Any]:
    """All of a store as one T4 document, ready for `json.dumps(..., allow_nan=False)`."""
    results: list[dict[str, Any]] = []
    subjects = []
    for number, subject in enumerate(store.subjects()):
        offer = store.offer(subject)
        inputs = []
        for index, given in enumerate(store.inputs(subject)):
            held = store.contents(subject, given)
            inputs.append(_input(given, held))
            results += _results(held, offer, {"subject": number, "input": index})
        described = {**vars(subject), "offer": offer and json.loads(offer_text(offer))}
        subjects.append({**described, "inputs": inputs})
    return {
        "schema_version": SCHEMA_VERSION,
        "metadata": {"timeunit": "seconds", "tuner": f"fettle {__version__}"},
        "results": results,
        "fettle": {"version": APPENDIX, "subjects": subjects, "notes": store.notes()},
    }


def invalidity_of(verdict: Verdict, reason: str) -> str:
    """What T4 calls an outcome."""
    if verdict == "excluded":
        return "constraints"
    if verdict != "failed":
        return "correct"
    if "limit" in reason and ("killed" in reason or "longer" in reason):
        return "timeout"
    return "correctness" if reason.startswith("wrong result") else "runtime"


def configuration_of(variant: str, offer: Offer | None) -> dict[str, Any]:
    """A variant as a T4 configuration: its name, and the values of its parameters."""
    family = (
        next((f for f in offer.parameters if variant.startswith(f"{f} ")), None) if offer else None
    )
    if family is None:
        return {"variant": variant}
    words = (word.partition("=") for word in variant[len(family) + 1 :].split(" "))
    return {"variant": family, **{name: _whole(value) for name, _, value in words}}


def _results(
    held: Contents, offer: Offer | None, where: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    seen: set[tuple[int, str]] = set()
    for stored in held.runs.values():
        groups: dict[tuple[int, str], list[Row]] = {}
        for row in stored.rows:
            groups.setdefault((row.call, row.variant), []).append(row)
        for (call, variant), rows in groups.items():
            seen.add((call, variant))
            yield _result(held, offer, where, call, variant, rows, stored)
    for call, variant in held.verdicts:
        if (call, variant) not in seen and held.verdicts[call, variant][0] in (
            "excluded",
            "failed",
        ):
            yield _result(held, offer, where, call, variant, [], None)


def _result(
    held: Contents,
    offer: Offer | None,
    where: Mapping[str, int],
    call: int,
    variant: str,
    rows: list[Row],
    stored: StoredRun | None,
) -> dict[str, Any]:
    verdict, reason = held.verdicts.get((call, variant), ("measured", ""))
    timed = offer is not None and offer.unit == "s"
    own = "time" if timed else OWN_METRIC
    runtimes = [value for row in rows if row.metric == "" for value in row.values]
    metrics: dict[str, list[Any]] = {}
    for row in rows:
        metrics.setdefault(row.metric or own, []).extend(map(number, row.values))
    invalidity = invalidity_of(verdict, reason)
    unit = offer.unit if offer is not None else ""
    found: dict[str, Any] = {
        "configuration": configuration_of(variant, offer),
        "objectives": [own],
        "times": {"runtimes": [number(value) for value in runtimes] if timed else []},
        "invalidity": invalidity,
        "correctness": 0 if invalidity == "correctness" else 1,
        "measurements": [
            {"name": name, "value": values, "unit": unit if name == own else ""}
            for name, values in metrics.items()
        ],
        "fettle": {
            **where,
            "call": call,
            "variant": variant,
            "run": stored and stored.run.guid,
            "rows": [[row.number, row.metric, len(row.values)] for row in rows],
        },
    }
    if stored is not None and stored.run.began:
        found["timestamp"] = stored.run.began
    return found


def _input(given: InputKey, held: Contents) -> dict[str, Any]:
    """What is known of an input but its samples."""
    return {
        **vars(given),
        "calls": held.calls,
        "features": [
            [call, numbers(features), numbers(seconds)]
            for call, (features, seconds) in held.features.items()
        ],
        "verdicts": [[*key, *verdict] for key, verdict in held.verdicts.items()],
        "bitwise": [[*key, same] for key, same in held.bitwise.items()],
        "lost_seconds": [[*key, number(lost)] for key, lost in held.lost_seconds.items()],
        "runs": [{**vars(one.run), "count": one.count} for one in held.runs.values()],
    }


def numbers(given: Mapping[str, float]) -> dict[str, Any]:
    """Numbers by name as JSON can hold them."""
    return {name: number(value) for name, value in given.items()}


def number(value: float) -> Any:
    """A number as JSON can hold it: as a text where it is not finite."""
    return value if math.isfinite(value) else repr(value)


def _whole(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        return text
