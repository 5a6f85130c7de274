"""The platforms' limits in Python against `violation(policy, schedule)` in C++, point by point."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from ndp_samples import ask, build, sample

from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import Value
from fettle.ndp.candidate import Candidate
from fettle.ndp.limits import limits
from fettle.ndp.platforms import platform_named
from fettle.ndp.platforms._cuda_kernels import steps_per_thread
from fettle.ndp.policies import policy_space

EXPRESSIONS = ["map>reduce", "map>scan", "reduce", "scan", "reduce_by_key>map", "map>map>reduce"]

# Values that are mostly out of range.
ROUGH: dict[str, tuple[Value, ...]] = {
    "block_size_x": (0, 16, 48, 512, 1024, 2048),
    "block_size_y": (-1, 1, 2, 1025),
    "logical_warp_size": (1, 3, 8, 64),
    "grain_size": (0, 1),
    "block_reduce_algo": ("raking", "warp_reductions"),
    "block_scan_algo": ("raking", "warp_scans"),
    "block_scan_grain_size": (0, 1, 8),
    "num_threads": (-1, 0, 3),
    "chunk_size": (-5, 0, 7),
    "schedule": ("automatic", "guided"),
}


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("judge", tmp_path_factory.mktemp("judge"))


def reason(computation: Computation, schedule: str, point: Mapping[str, Value]) -> str:
    """What Python has against a policy; empty where it is fine."""
    fields = platform_named(computation.platform).fields
    full = {name: field.default for name, field in fields.items()}
    full |= point
    broken = [each for each in limits(computation, schedule) if not each.holds(full)]
    return broken[0].reason if broken else ""


def agreed(
    judge: Path,
    computation: Computation,
    schedule: str,
    values: Mapping[str, Iterable[Value]],
) -> list[str]:
    """C++'s reasons for the product of some values, which Python has to know too."""
    product = [
        dict(zip(values, point, strict=True)) for point in itertools.product(*values.values())
    ]
    texts = [Candidate(computation.platform, schedule, point).policy_text for point in product]
    start = f"{computation.platform}\t{schedule}\t{computation.value_bytes}\t"
    scans = "scan" if computation.operators[-1] == "scan" else "reduce"
    end = f"\t{'' if computation.commutative else 'ordered '}{scans}"
    lines = [start + text + end for text in texts]
    reasons = [answer.partition("\t")[2] for answer in ask(judge, lines)]
    for point, said in zip(product, reasons, strict=True):
        assert reason(computation, schedule, point) == said, point
    return reasons


def fields_of(computation: Computation, schedule: str) -> list[str]:
    parameters = computation.schedules[schedule]
    return list(map(platform_named(computation.platform).field_of_parameter, parameters))


@pytest.mark.parametrize("platform", ["cuda", "openmp"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_point_of_the_product(judge: Path, expression: str, platform: str) -> None:
    computation = sample(expression, platform, threads=16)
    for schedule in computation.schedules:
        values = platform_named(platform).values(computation, schedule, "full")
        tried = {name: values[name] for name in fields_of(computation, schedule)}
        reasons = agreed(judge, computation, schedule, tried)
        assert len(reasons) == policy_space(computation, schedule).product


@pytest.mark.parametrize("value_bytes", [4, 96, 1600])  # 512 * 96 is just 48 KiB
@pytest.mark.parametrize("platform", ["cuda", "openmp"])
@pytest.mark.parametrize("expression", ["map>reduce", "map>scan", "scan", "map>map>reduce"])
def test_points_that_are_out_of_range(
    judge: Path, expression: str, platform: str, value_bytes: int
) -> None:
    computation = sample(expression, platform, value_bytes=value_bytes)
    fields = platform_named(platform).fields
    said: set[str] = set()
    for schedule in computation.schedules:
        tried = {}
        for name in fields_of(computation, schedule):
            base = name.rpartition(".")[2]
            values = fields[name].names or (False, True)
            tried[name] = ROUGH.get(base, values)
        said.update(agreed(judge, computation, schedule, tried))
    if platform == "openmp":
        assert len(said) == (3 if expression == "scan" else 4)
    else:
        assert len(said) >= 6
        if expression in ("map>scan", "scan") and value_bytes > 4:
            assert any("more shared memory" in each for each in said)


@pytest.mark.parametrize("value_bytes", [8, 40, 96, 176, 256, 1400, 1600])
@pytest.mark.parametrize("commutative", [True, False])
@pytest.mark.parametrize("expression", ["map>reduce", "map>scan"])
def test_memory_of_flattened_shares(
    judge: Path, expression: str, commutative: bool, value_bytes: int
) -> None:
    computation = replace(
        sample(expression, "cuda", value_bytes=value_bytes), commutative=commutative
    )
    tried: dict[str, tuple[Value, ...]] = {
        "block_size_x": (32, 64, 96, 128, 256, 512, 768, 1024),
        "1.grain_size": (1, 2, 4),
        "1.block_reduce_algo": ("warp_reductions", "raking"),
    }
    said = set(agreed(judge, computation, "flattened", tried))
    if value_bytes <= 256:
        assert "" in said
    if value_bytes >= 96:
        assert any("more shared memory" in each for each in said)
    if value_bytes == 1600:
        assert "" not in said


def test_steps_of_a_flattened_share(judge: Path) -> None:
    asked = list(
        itertools.product((32, 64, 128, 256, 512, 1024), (1, 2, 3, 4, 8), (1, 4, 8, 16, 40))
    )
    lines = [f"steps\t{threads}\t{grain}\t{size}" for threads, grain, size in asked]
    assert ask(judge, lines) == [str(steps_per_thread(*each)) for each in asked]


def test_a_smaller_device() -> None:
    scan = sample("scan", "cuda")
    wide: dict[str, Value] = {"block_size_x": 512, "1.block_scan_grain_size": 8}
    assert reason(scan, "cooperative", wide) == ""
    object.__setattr__(scan, "limits", {"shared_bytes": 16 * 1024})
    assert "more shared memory" in reason(scan, "cooperative", wide)
    object.__setattr__(scan, "limits", {"threads_per_block": 256})
    assert "must be at most 1024" in reason(scan, "cooperative", wide)
