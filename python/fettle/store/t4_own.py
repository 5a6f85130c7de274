"""Reads back what Fettle added to a T4 file that it wrote; what is wrong is named by its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from typing import Any

from fettle.store.base import Store, StoreError
from fettle.store.contents import Contents, Row
from fettle.store.placed_errors import PlacedError, at, each, number, shown
from fettle.store.plain import facts_of_plain
from fettle.store.rows import count_of, name_of, offer_of
from fettle.store.subject import InputKey, Subject
from fettle.store.t4 import APPENDIX


def take_own(document: Any, store: Store, name: str) -> None:
    """Keeps what a document of Fettle's holds. Raises StoreError, `name` being the file's."""
    try:
        _take(document, store, name)
    except PlacedError as fault:
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


def _take(document: Any, store: Store, name: str) -> None:
    with at("fettle"):
        own = document["fettle"]
        if own["version"] != APPENDIX:
            raise StoreError(
                f"{name} is of a newer Fettle (version {own['version']} of its appendix, this one "
                f"reads {APPENDIX}); import it with that Fettle"
            )
        held: list[list[tuple[Subject, InputKey, Contents]]] = []
        each(own, "subjects", lambda one: held.append(_subject(one, store)))
    for index, result in enumerate(document["results"]):
        with at(f"results[{index}]"):
            about = result["fettle"]
            of = held[count_of(about["subject"])][count_of(about["input"])]
            _add_rows(result, about, of[2])
    for some in held:
        for subject, given, contents in some:
            put_contents(store, subject, given, contents)
    with at("fettle.notes"):
        for key, value in own["notes"].items():
            store.set_note(key, name_of(value))


def _subject(one: Any, store: Store) -> list[tuple[Subject, InputKey, Contents]]:
    subject = Subject(*(name_of(one[field.name]) for field in fields(Subject)))
    if one["offer"] is not None:
        with at(".offer"):
            store.set_offer(subject, offer_of(json.dumps(one["offer"])))
    found: list[tuple[Subject, InputKey, Contents]] = []
    each(
        one,
        "inputs",
        lambda entry: found.append((subject, _input_key(entry), facts_of_plain(entry))),
    )
    return found


def _input_key(entry: Any) -> InputKey:
    return InputKey(name_of(entry["arguments"]), name_of(entry["content"]))


def _add_rows(result: Any, about: Any, held: Contents) -> None:
    """Adds what a result measured to the run that measured it."""
    if about["run"] is None:
        return
    values: dict[str, Iterator[float]] = {}
    each(result, "measurements", lambda one: values.update({one["name"]: iter(_values(one))}))
    [own] = result["objectives"]
    stored = held.runs[about["run"]]
    call, variant = count_of(about["call"]), name_of(about["variant"])

    def take(row: Any) -> None:
        index, metric, length = row
        named = metric or own
        some = tuple(islice(values[named], count_of(length)))
        if len(some) < length:
            raise ValueError(f"{length} values of {named!r}, of which {len(some)} are there")
        stored.rows.append(Row(count_of(index), call, variant, name_of(metric), some))

    with at(".fettle"):
        each(about, "rows", take)


def _values(measurement: Any) -> list[float]:
    """The values of one metric, as they were measured."""
    given = measurement["value"]
    if not isinstance(given, list):
        raise PlacedError(f".value: expected an array, found {shown(given)}")
    found = []
    for index, value in enumerate(given):
        try:
            found.append(number(value))
        except ValueError as error:
            raise PlacedError(f".value[{index}]: {error}") from None
    return found
