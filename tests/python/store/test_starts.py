"""Samples of several starts of a program, some of which met a busier machine."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import pytest

from fettle.store.contents import Run
from fettle.store.sqlite import SqliteStore
from fettle.store.starts import comparable
from fettle.store.subject import InputKey, Subject

ByStart = Mapping[int, list[float]]


def of(**samples: ByStart) -> dict[str, list[float]]:
    """What becomes of metrics that are given by variant and start."""
    return comparable(samples)


def test_who_was_measured_again_on_a_busier_machine_is_not_slower_for_it() -> None:
    found = of(a={0: [1.0] * 8, 1: [1.5] * 14}, b={0: [1.1] * 8, 1: [1.65] * 14}, c={0: [1.2] * 8})
    assert found["a"] == pytest.approx([1.0] * 22)
    assert found["b"] == pytest.approx([1.1] * 22)
    assert found["c"] == [1.2] * 8


def test_the_start_with_the_most_variants_is_the_measure_whenever_it_was() -> None:
    found = of(a={0: [2.0], 7: [1.0]}, b={0: [4.0], 7: [2.0]}, c={7: [3.0]})
    assert found == {"a": [1.0, 1.0], "b": [2.0, 2.0], "c": [3.0]}


def test_one_variant_that_a_start_made_slower_does_not_make_the_start_slow() -> None:
    same = {0: [1.0], 1: [1.0]}
    found = of(a={0: [1.0] * 2, 1: [2.0] * 4}, b=same, c=same, d={0: [3.0]})
    assert found == {"a": [1.0] * 2 + [2.0] * 4, "b": [1.0] * 2, "c": [1.0] * 2, "d": [3.0]}


@pytest.mark.parametrize("common", [{}, {1: [6.0]}])
def test_starts_with_less_than_two_common_variants_are_taken_as_they_are(common: ByStart) -> None:
    found = of(a={0: [1.0]}, b={1: [2.0]}, c={0: [3.0], **common})
    assert (found["a"], found["b"]) == ([1.0], [2.0])


@pytest.mark.parametrize("odd", [0.0, math.inf, math.nan])
def test_metrics_without_a_ratio_say_nothing_of_a_start(odd: float) -> None:
    sound = {0: [1.0], 1: [2.0]}
    found = of(a={0: [odd], 1: [1.0]}, b={0: [1.0], 1: [odd]}, c=sound, d=sound)
    assert found["c"] == found["d"] == [1.0, 1.0]


def test_one_start_or_none_is_left_as_it_is() -> None:
    assert of() == {}
    assert of(a={3: [0.0, math.inf]}, b={3: [-1.0]}) == {"a": [0.0, math.inf], "b": [-1.0]}


def test_a_store_gives_back_what_is_comparable(tmp_path: Path) -> None:
    subject, given = Subject("/p/app", "f", "cpu", ""), InputKey("a.mtx", "d1")
    with SqliteStore(tmp_path / "db") as store:
        assert store.starts(subject, given) == 0
        store.add_call(subject, given, 0, {}, {})
        for name, metric in (("a", 1.0), ("b", 2.0), ("c", 3.0)):
            store.add_samples(subject, given, 0, name, [metric])
        second = Run()
        for name, metric in (("a", 2.0), ("b", 4.0)):
            store.add_samples(subject, given, 0, name, [metric], second)
        [example] = store.examples(subject, given)
        assert example.samples == {"a": [1.0, 1.0], "b": [2.0, 2.0], "c": [3.0]}
        assert store.starts(subject, given) == 2
