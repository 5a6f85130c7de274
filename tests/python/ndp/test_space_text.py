"""The text of a computation's space."""

from __future__ import annotations

import re
from dataclasses import replace

from ndp_samples import sample

from fettle.ndp.policies import policy_space
from fettle.ndp.space_text import space_text


def test_a_small_space() -> None:
    scan = replace(sample("scan", "openmp"), name="sum", function="sum.openmp")
    assert (
        space_text(scan, "small")
        == """\
sum.openmp (scan) on openmp: 3 candidates of 8 (small), 2 schedules

cooperative: 2 of 6
  num_threads: 0, 1
  enable_nesting: false
  1.schedule: automatic
  1.chunk_size: 0
  cut 4: schedule has no effect there

sequential: 1 of 2
  num_threads: 0
  enable_nesting: false
  1.unroll: 0
  cut 1: num_threads has no effect there
"""
    )


def test_all_points_are_accounted_for() -> None:
    deep = sample("map>map>reduce", "cuda")
    text = space_text(deep)
    parts = re.findall(r"^(\S+): (\d+) of (\d+)\n((?:  .*\n)*)", text, flags=re.MULTILINE)
    assert [name for name, *_ in parts] == list(deep.schedules)
    for schedule, points, product, rest in parts:
        cut = [int(count) for count in re.findall(r"^  cut +(\d+): ", rest, flags=re.MULTILINE)]
        assert int(points) + sum(cut) == int(product)
        assert int(points) == len(policy_space(deep, schedule))
        assert cut == sorted(cut, reverse=True)
    assert "\nnot on cuda:\n  independent>independent>cooperative: a GPU has two" in text
    assert text.startswith("an unnamed computation (map>map>reduce) on cuda: 400 candidates of ")


def test_a_schedule_of_which_nothing_is_left() -> None:
    text = space_text(sample("reduce_by_key>map", "openmp"))
    nothing = text[text.index("\ncooperative>sequential: 0 of ") :]
    assert "  num_threads: nothing left\n" in nothing
    assert "level 2's schedule has no effect: cooperative>independent" in nothing
