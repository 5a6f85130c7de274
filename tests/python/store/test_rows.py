"""Rows of stores: decoded many at once as one at a time, and damage is not hidden by it."""

from __future__ import annotations

import math

import pytest

from fettle.store.contents import Row, Run
from fettle.store.redis_reading import contents_of, pair, row_value, run_value
from fettle.store.rows import metrics_of, metrics_of_all

TEXTS = ["[1.5, 2]", "[]", "[1e-3]", "[NaN]", " [3]"]


def test_many_lists_are_those_of_each() -> None:
    found = metrics_of_all(TEXTS)
    assert repr(found) == repr([metrics_of(text) for text in TEXTS])
    assert all(type(value) is float for values in found for value in values)
    assert metrics_of_all([]) == []


@pytest.mark.parametrize(
    "texts",
    [
        ["[1],[2]", "[3]"],  # as many lists as texts, taken together
        ["[1", "2],[3]"],
        ["[1", "2]"],
        ["[[1]]", "[2]"],
        ["", "[2]"],
        ["[1]", None],
        ['["1"]'],
        ["[true]"],
        [f"[{10**400}]"],
    ],
)
def test_a_damaged_text_is_refused(texts: list[object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        metrics_of_all(texts)


RUN = Run(guid="r")
RUNS = {b"r": run_value(RUN, 1.0), b"r rows": b"3"}
FACTS = {b"f 0 ": pair("{}", "{}")}


def test_samples_of_a_server_keep_their_fields() -> None:
    rows = [
        Row(0, 0, "a", "", (1.0, math.inf)),
        Row(1, 0, "b [x]", "J", ()),
        Row(2, 0, "a", "", (2.0,)),
    ]
    samples = {f"r {row.number}".encode(): row_value(row) for row in reversed(rows)}
    assert contents_of(FACTS, RUNS, samples).runs["r"].rows == rows


@pytest.mark.parametrize(
    "values",
    [
        [b'[0, "a", "", [1]],[0, "b", "", [2]]', b'[0, "a", "", [1]]'],
        [b'[0, "a", "", [1', b"2]]"],
        [b'[0, "a", "", [[1]]', b"[2]]"],
        [b'[0, "a", "", [1]]', b"[]"],
        [b'[0, "a", [1]]'],
        [b"{}"],
    ],
)
def test_a_damaged_sample_of_a_server_is_refused(values: list[bytes]) -> None:
    samples = {f"r {number}".encode(): value for number, value in enumerate(values)}
    with pytest.raises((ValueError, TypeError)):
        contents_of(FACTS, RUNS, samples)
