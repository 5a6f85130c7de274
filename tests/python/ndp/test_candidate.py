"""Candidates: their texts are the library's, their C++ means what their texts say."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from ndp_samples import ask, sample, samples
from programs_build import COMPILER, INCLUDE

from fettle.core.errors import FettleError
from fettle.core.native import native
from fettle.ndp.base.field import KNOBS
from fettle.ndp.candidate import Candidate, read_candidate
from fettle.ndp.platforms import platform_named, platform_names
from fettle.ndp.policies import candidates

BY_ROWS = Candidate(
    "cuda",
    "independent>cooperative",
    {"2.resource": "warp", "logical_warp_size": 8, "block_size_y": 1, "1.grain_size": 2},
)


def test_the_text_is_in_the_policys_order_and_without_defaults() -> None:
    assert (
        BY_ROWS.text == "independent>cooperative logical_warp_size=8 1.grain_size=2 2.resource=warp"
    )
    assert Candidate("cuda", "flattened", {"block_size_x": 256}).text == "flattened"
    unrolled = Candidate("openmp", "sequential", {"1.unroll": 4})
    assert unrolled.text == "sequential 1.unroll=4"


def test_the_cpp() -> None:
    assert BY_ROWS.cpp == (
        "fettle::ndp::candidate<fettle::ndp::schedule::independent<"
        "fettle::ndp::schedule::cooperative<>>, "
        "fettle::ndp::cuda::policy{.logical_warp_size = 8, .level = {{.grain_size = 2}, "
        "{.resource = fettle::ndp::cuda::execution_resource::warp}}}>"
    )
    dealt = Candidate("openmp", "independent", {"1.schedule": "static", "num_threads": 2})
    assert dealt.policy_cpp == (
        "fettle::ndp::openmp::policy{.num_threads = 2, "
        ".level = {{.schedule = fettle::ndp::openmp::omp_schedule::static_}}}"
    )
    deep = Candidate("openmp", "independent", {"3.unroll": 8})
    assert deep.policy_cpp.endswith("{.level = {{}, {}, {.unroll = 8}}}")
    assert Candidate("openmp", "sequential").policy_cpp == "fettle::ndp::openmp::policy{}"


def test_equal_candidates() -> None:
    same = Candidate("cuda", "flattened", {"block_size_x": 128, "block_size_y": 1})
    assert same == Candidate("cuda", "flattened", {"block_size_x": 128})
    assert len({same, Candidate("cuda", "flattened", {"block_size_x": 128})}) == 1
    assert same != Candidate("cuda", "flattened", {"block_size_x": 64})


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"block_size_z": 1}, "there is no field 'block_size_z'"),
        ({"4.grain_size": 1}, "there is no field '4.grain_size'"),
        ({"block_size_x": "wide"}, "block_size_x cannot be 'wide'"),
        ({"block_size_x": True}, "block_size_x cannot be True"),
        ({"1.unroll": True}, "1.unroll cannot be True"),
        ({"1.enable_unroll": True}, "there is no field '1.enable_unroll'"),
        ({"1.resource": "team"}, "1.resource cannot be 'team'"),
    ],
)
def test_what_is_no_policy(policy: dict[str, int | str], message: str) -> None:
    with pytest.raises(FettleError, match=message):
        Candidate("cuda", "flattened", policy)


@pytest.mark.parametrize(
    "text", ["flattened x", "flattened x=1", "flattened block_size_x=", "=1 =1"]
)
def test_what_is_no_candidates_name(text: str) -> None:
    with pytest.raises(FettleError, match="names no candidate on cuda"):
        read_candidate("cuda", text)


_KNOBS = [("0", one.name, one.name) for one in KNOBS]


def _policy_header(platform: str) -> str:
    return (INCLUDE / "fettle" / "ndp" / platform / "policy" / "policy.hpp").read_text("utf-8")


def _visited_fields(platform: str) -> list[tuple[str, str, str]]:
    """Level, name and name in the paper, as the header lists them, or the one that it calls."""
    joined = re.sub(r",\s+", ", ", _policy_header(platform))
    visited = re.findall(r'visit\((0|i \+ 1|number), "(\w+)", "(\w+)"', joined)
    for each in re.findall(r"(\w+)::detail::visit_\w+_fields\(", joined):
        visited += [one for one in _visited_fields(each) if one not in _KNOBS]
    if "visit_knobs(" in joined:  # behind the fields of the whole computation
        whole = sum(level == "0" for level, _, _ in visited)
        visited[whole:whole] = _KNOBS
    return visited


def test_the_fields_are_those_of_the_headers() -> None:
    for name in platform_names():
        text = _policy_header(name)
        visited = _visited_fields(name)
        platform = platform_named(name)
        expected = [name for level, name, _ in visited if level == "0"]
        inner = [name for level, name, _ in visited if level != "0"]
        expected += [f"{level}.{name}" for level in (1, 2, 3) for name in inner]
        assert list(platform.fields) == expected
        for level, field, paper_name in visited:
            inferred = paper_name if level == "0" else f"{paper_name}_2"
            expected_field = field if level == "0" else f"2.{field}"
            assert platform.field_of_parameter(inferred) == expected_field
        for enumeration in set(re.findall(r"std::array<std::string_view, \d+>\{([^}]*)\}", text)):
            names = tuple(re.findall(r'"(\w+)"', enumeration))
            assert names in {field.names for field in platform.fields.values()}


def test_the_library_reads_every_text_and_refuses_none() -> None:
    all_of_them = [(one, each) for one in samples(threads=16) for each in candidates(one)]
    assert len(all_of_them) > 1000
    for one, each in all_of_them:
        known = native().PolicyLimits(each.platform, each.schedule, device=dict(one.limits))
        assert known.text(each.policy_text) == each.policy_text
        assert known.violation(each.policy_text) == ""
        assert read_candidate(each.platform, each.text) == each


@pytest.mark.parametrize("platform", platform_names())
def test_the_compiler_reads_every_cpp(tmp_path: Path, platform: str) -> None:
    all_of_them = [
        *candidates(sample("map>reduce", platform, threads=16)),
        *candidates(sample("scan", platform)),
        *candidates(sample("map>map>reduce", platform, threads=16), "small"),
    ]
    types = ",\n  ".join(each.cpp for each in all_of_them)
    source = tmp_path / "names.cpp"
    source.write_text(f"""
        #include <cstdio>
        #include <fettle/ndp/cuda/policy/policy.hpp>
        #include <fettle/ndp/cuda_devices/policy/policy.hpp>
        #include <fettle/ndp/openmp/policy/policy.hpp>
        #include <fettle/ndp/openmp_nodes/policy/policy.hpp>
        #include <fettle/ndp/tbb/policy/policy.hpp>
        #include <fettle/ndp/tuned/candidate.hpp>
        template <typename... C>
        void print(fettle::ndp::candidate_list<C...>) {{ (std::puts(C::name().c_str()), ...); }}
        int main() {{ print(fettle::ndp::candidate_list<\n  {types}>{{}}); }}
    """)
    program = tmp_path / "names"
    flags = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}"]
    command = [COMPILER, *flags, str(source), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ask(program) == [each.text for each in all_of_them]
