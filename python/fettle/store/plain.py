"""What a store holds of an input as plain data: lists, dictionaries, texts and numbers alone.

Nothing else goes to another process, so that no side runs what the other one sends.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from fettle.store.contents import Contents, Row, Run, StoredRun
from fettle.store.placed_errors import each, number
from fettle.store.rows import count_of, flag_of, name_of, verdict_of


def plain_of(held: Contents) -> dict[str, Any]:
    """Contents as plain data."""
    return {
        "calls": held.calls,
        "features": [[call, *pair] for call, pair in held.features.items()],
        "verdicts": [[*key, *value] for key, value in held.verdicts.items()],
        "bitwise": [[*key, value] for key, value in held.bitwise.items()],
        "lost_seconds": [[*key, value] for key, value in held.lost_seconds.items()],
        "runs": [
            {
                **vars(one.run),
                "count": one.count,
                "rows": [[r.number, r.call, r.variant, r.metric, list(r.values)] for r in one.rows],
            }
            for one in held.runs.values()
        ],
    }


def contents_of_plain(plain: dict[str, Any]) -> Contents:
    """Contents from plain data. Raises ValueError, KeyError or TypeError for anything else."""
    held = facts_of_plain(plain)
    for one in plain["runs"]:
        stored = held.runs[one["guid"]]
        for index, call, variant, metric, values in one["rows"]:
            some = tuple(map(float, values))
            row = Row(count_of(index), count_of(call), name_of(variant), name_of(metric), some)
            stored.rows.append(row)
    return held


def facts_of_plain(plain: dict[str, Any]) -> Contents:
    """Contents without the rows of their runs. Raises as `contents_of_plain`, with the place."""
    held = Contents(calls=None if plain["calls"] is None else count_of(plain["calls"]))

    def take_features(one: Any) -> None:
        call, features, seconds = one
        held.features[count_of(call)] = _numbers(features), _numbers(seconds)

    def take_verdict(one: Any) -> None:
        call, variant, verdict, reason = one
        held.verdicts[count_of(call), name_of(variant)] = verdict_of(verdict), name_of(reason)

    def take_bitwise(one: Any) -> None:
        call, variant, same = one
        held.bitwise[count_of(call), name_of(variant)] = flag_of(same)

    def take_lost(one: Any) -> None:
        call, variant, lost = one
        held.lost_seconds[count_of(call), name_of(variant)] = number(lost)

    def take_run(one: Any) -> None:
        run = Run(*(name_of(one[field.name]) for field in fields(Run)))
        held.runs[run.guid] = StoredRun(run, count_of(one["count"]))

    each(plain, "features", take_features)
    each(plain, "verdicts", take_verdict)
    each(plain, "bitwise", take_bitwise)
    each(plain, "lost_seconds", take_lost)
    each(plain, "runs", take_run)
    return held


def _numbers(given: Any) -> dict[str, float]:
    return {name_of(name): number(value) for name, value in given.items()}


def is_plain(value: object) -> bool:
    """Whether a value is made of lists, dictionaries, texts, numbers, booleans and None alone."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_plain(one) for key, one in value.items())
    if isinstance(value, list):
        return all(map(is_plain, value))
    return value is None or type(value) in (str, int, float, bool)


def copied(value: object) -> Any:
    """Plain data as it comes out of JSON: tuples are lists, keys are texts."""
    return json.loads(json.dumps(value))
