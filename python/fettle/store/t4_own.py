"""Reads back what Fettle added to a T4 file that it wrote; what is wrong is named by its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from itertools import islice
from typing import Any

from fettle.core.errors import MALFORMED
from fettle.store.base import Store, StoreError
from fettle.store.contents import Contents, Row, Run, StoredRun
from fettle.store.rows import count_of, name_of, offer_of, verdict_of
from fettle.store.subject import InputKey, Subject
from fettle.store.t4 import APPENDIX

_FLAGS = (True, False)


class _PlacedError(Exception):
    """What is wrong, after the place where it is: `.value[2]: expected a number, found None`."""


def take_own(document: Any, store: Store, name: str) -> None:
    """Keeps what a document of Fettle's holds. Raises StoreError, `name` being the file's."""
    try:
        _take(document, store, name)
    except _PlacedError as fault:
        raise StoreError(
            f"{name}: what Fettle added to the T4 file cannot be understood: {fault}. Nothing was "
            "imported; correct it, or export it anew"
        ) from None


def put_contents(store: Store, subject: Subject, given: InputKey, held: Contents) -> None:
    """Keeps contents of an input in a store that knows nothing of it."""
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


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Says where it is that what is read within is wrong."""
    try:
        yield
    except _PlacedError as fault:
        raise _PlacedError(f"{place}{fault}") from None
    except KeyError as error:
        raise _PlacedError(f"{place}: {error} is missing or unknown") from None
    except MALFORMED as error:
        raise _PlacedError(f"{place}: {error}") from None


def _take(document: Any, store: Store, name: str) -> None:
    with _at("fettle"):
        own = document["fettle"]
        if own["version"] != APPENDIX:
            raise StoreError(
                f"{name} is of a newer Fettle (version {own['version']} of its appendix, this one "
                f"reads {APPENDIX}); import it with that Fettle"
            )
        held: list[list[tuple[Subject, InputKey, Contents]]] = []
        _each(own, "subjects", lambda one: held.append(_subject(one, store)))
    for index, result in enumerate(document["results"]):
        with _at(f"results[{index}]"):
            about = result["fettle"]
            of = held[count_of(about["subject"])][count_of(about["input"])]
            _add_rows(result, about, of[2])
    for some in held:
        for subject, given, contents in some:
            put_contents(store, subject, given, contents)
    with _at("fettle.notes"):
        for key, value in own["notes"].items():
            store.set_note(key, name_of(value))


def _each(entry: Any, name: str, take: Callable[[Any], None]) -> None:
    """Takes each entry of a list, at its place."""
    for index, one in enumerate(entry[name]):
        with _at(f".{name}[{index}]"):
            take(one)


def _subject(one: Any, store: Store) -> list[tuple[Subject, InputKey, Contents]]:
    subject = Subject(*(name_of(one[field.name]) for field in fields(Subject)))
    if one["offer"] is not None:
        with _at(".offer"):
            store.set_offer(subject, offer_of(json.dumps(one["offer"])))
    found: list[tuple[Subject, InputKey, Contents]] = []
    _each(one, "inputs", lambda entry: found.append((subject, *_input(entry))))
    return found


def _input(entry: Any) -> tuple[InputKey, Contents]:
    held = Contents(calls=None if entry["calls"] is None else count_of(entry["calls"]))

    def take_features(one: Any) -> None:
        call, features, seconds = one
        held.features[count_of(call)] = _numbers(features), _numbers(seconds)

    def take_verdict(one: Any) -> None:
        call, variant, verdict, reason = one
        held.verdicts[count_of(call), name_of(variant)] = verdict_of(verdict), name_of(reason)

    def take_bitwise(one: Any) -> None:
        call, variant, same = one
        if same not in _FLAGS:
            raise ValueError(f"expected true or false, found {_shown(same)}")
        held.bitwise[count_of(call), name_of(variant)] = bool(same)

    def take_lost(one: Any) -> None:
        call, variant, lost = one
        held.lost_seconds[count_of(call), name_of(variant)] = _number(lost)

    def take_run(one: Any) -> None:
        run = Run(*(name_of(one[field.name]) for field in fields(Run)))
        held.runs[run.guid] = StoredRun(run, count_of(one["count"]))

    _each(entry, "features", take_features)
    _each(entry, "verdicts", take_verdict)
    _each(entry, "bitwise", take_bitwise)
    _each(entry, "lost_seconds", take_lost)
    _each(entry, "runs", take_run)
    return InputKey(name_of(entry["arguments"]), name_of(entry["content"])), held


def _add_rows(result: Any, about: Any, held: Contents) -> None:
    """Adds what a result measured to the run that measured it."""
    if about["run"] is None:
        return
    values: dict[str, Iterator[float]] = {}
    _each(result, "measurements", lambda one: values.update({one["name"]: iter(_values(one))}))
    [own] = result["objectives"]
    stored = held.runs[about["run"]]
    call, variant = count_of(about["call"]), name_of(about["variant"])

    def take(row: Any) -> None:
        number, metric, length = row
        named = metric or own
        some = tuple(islice(values[named], count_of(length)))
        if len(some) < length:
            raise ValueError(f"{length} values of {named!r}, of which {len(some)} are there")
        stored.rows.append(Row(count_of(number), call, variant, name_of(metric), some))

    with _at(".fettle"):
        _each(about, "rows", take)


def _values(measurement: Any) -> list[float]:
    """The values of one metric, as they were measured."""
    given = measurement["value"]
    if not isinstance(given, list):
        raise _PlacedError(f".value: expected an array, found {_shown(given)}")
    found = []
    for index, value in enumerate(given):
        try:
            found.append(_number(value))
        except ValueError as error:
            raise _PlacedError(f".value[{index}]: {error}") from None
    return found


def _numbers(given: Mapping[str, Any]) -> dict[str, float]:
    return {name_of(name): _number(value) for name, value in given.items()}


def _number(value: object) -> float:
    """A number, which is a text where JSON has none: inf, -inf and nan."""
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        try:
            return float(value)
        except (ValueError, OverflowError):
            pass
    raise ValueError(f"expected a number, found {_shown(value)}")


def _shown(value: object) -> str:
    return json.dumps(value)[:40]
