"""What a platform refuses, as constraints of a space: the library's own verdict, field by field."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Mapping
from dataclasses import replace

import pytest
from ndp_samples import sample

from fettle.core.errors import FettleError
from fettle.core.native import native
from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import Value
from fettle.ndp.candidate import Candidate
from fettle.ndp.limits import limits
from fettle.ndp.platforms import platform_named
from fettle.ndp.policies import policy_space

MEMORY = "the block needs more shared memory than the device has"


def broken(computation: Computation, schedule: str, point: Mapping[str, Value]) -> list[str]:
    """What is wrong with a policy: the reason of every limit that it does not keep."""
    fields = platform_named(computation.platform).fields
    full = {name: field.default for name, field in fields.items()} | point
    return [each.reason for each in limits(computation, schedule) if not each.holds(full)]


def verdict(computation: Computation, schedule: str, point: Mapping[str, Value]) -> str:
    """What violation() of the library says."""
    judged = native().PolicyLimits(
        computation.platform, schedule, value_bytes=computation.value_bytes
    )
    text = Candidate(computation.platform, schedule, point).policy_text
    return str(judged.violation(text))


@pytest.mark.parametrize(
    ("platform", "expression", "schedule", "point", "message"),
    [
        ("openmp", "map", "independent", {"num_threads": -1}, "num_threads must be positive"),
        ("openmp", "map", "independent", {"3.chunk_size": -5}, "chunk_size must be positive"),
        (
            "openmp",
            "map>reduce",
            "independent>cooperative",
            {"2.resource": "team"},
            "a team inside a parallel level opens nested parallel regions: set enable_nesting",
        ),
        ("cuda", "map", "independent", {"block_size_x": 2048}, "block_size_x must be from 1 to"),
        ("cuda", "map", "independent", {"block_size_y": 0}, "block_size_y must be from 1 to 1024"),
        ("cuda", "map", "independent", {"block_size_y": 8}, "must be at most 1024, the device's"),
        ("cuda", "map", "independent", {"block_size_x": 48}, "must be a multiple of 32"),
        ("cuda", "map", "independent", {"logical_warp_size": 3}, "must be 2, 4, 8, 16 or 32"),
        ("cuda", "map", "independent", {"2.grain_size": 0}, "grain_size must be 1 or more"),
        (
            "cuda",
            "scan",
            "cooperative",
            {"1.block_scan_grain_size": 0},
            "block_scan_grain_size must be 1 or more",
        ),
        ("cuda", "scan", "cooperative", {"1.block_scan_grain_size": 64}, MEMORY),
    ],
)
def test_what_is_refused(
    platform: str, expression: str, schedule: str, point: dict[str, Value], message: str
) -> None:
    computation = sample(expression, platform)
    assert broken(computation, schedule, {}) == []
    reasons = broken(computation, schedule, point)
    assert message in reasons[0]
    assert verdict(computation, schedule, point) == reasons[0]


@pytest.mark.parametrize("platform", ["cuda", "openmp"])
@pytest.mark.parametrize("expression", ["map>reduce", "scan", "map>map>reduce"])
def test_a_limit_reads_no_field_but_those_that_it_names(expression: str, platform: str) -> None:
    """Each refuses by its own fields alone; together they refuse what violation() does."""
    computation = sample(expression, platform, threads=16)
    fields = platform_named(platform).fields
    for schedule, parameters in computation.schedules.items():
        names = [platform_named(platform).field_of_parameter(each) for each in parameters]
        values = [
            fields[name].names or ((False, True) if fields[name].default is False else (0, 1, 48))
            for name in names
        ]
        for chosen in itertools.islice(itertools.product(*values), 0, None, 7):
            point = dict(zip(names, chosen, strict=True))
            assert (broken(computation, schedule, point) or [""])[0] == verdict(
                computation, schedule, point
            )


@pytest.mark.parametrize("commutative", [True, False])
@pytest.mark.parametrize("expression", ["map>reduce", "map>scan"])
def test_memory_of_flattened_tiles(expression: str, commutative: bool) -> None:
    def reasons(value_bytes: int) -> list[str]:
        computation = sample(expression, "cuda", value_bytes=value_bytes)
        return broken(replace(computation, commutative=commutative), "flattened", {})

    assert reasons(8) == []
    assert MEMORY in reasons(1600)[0]


def test_a_smaller_device() -> None:
    scan = sample("scan", "cuda")
    wide: dict[str, Value] = {"block_size_x": 512, "1.block_scan_grain_size": 8}
    assert broken(scan, "cooperative", wide) == []
    small = replace(scan, limits={"shared_bytes": 16 * 1024})
    assert MEMORY in broken(small, "cooperative", wide)[0]
    narrow = replace(scan, limits={"threads_per_block": 256})
    assert "must be at most 1024" in broken(narrow, "cooperative", wide)[0]


def test_without_the_extension_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("fettle._native", raising=False)
    monkeypatch.setitem(sys.modules, "fettle._native", None)
    with pytest.raises(FettleError, match=r"tuning needs the extension module fettle\._native"):
        policy_space(sample("map", "openmp"), "independent")
