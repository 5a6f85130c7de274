"""Which proxies a function is like, from counters (dissertation, algorithm 1)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from stand_in_profilers import linear

from fettle.profiles.intensity import IntensityModels, winning_proxies
from fettle.profiles.kept import Profiles
from fettle.profiles.profiler import Counters, ProfilerError, built
from fettle.profiles.proxies import PROXIES
from fettle.profiles.proxy_source import processor_source


def kernel(instructions: float = 1000.0, **intensities: float) -> Counters:
    """Counters of a kernel with some of the instructions of each kind."""
    found = {"smsp__inst_executed.sum": instructions}
    for proxy in PROXIES:
        each = intensities.get(proxy.name.replace("-", "_"), 0.0) * instructions / 5
        found |= dict.fromkeys(proxy.ncu, each)
    return found


def test_a_model_a_proxy_predicts_the_intensity_whatever_the_number_of_instructions() -> None:
    models = IntensityModels(linear("ncu"), "ncu")
    found = models.predict([kernel(MEM_BW=5.0), kernel(1e9, MEM_BW=2.0, ATOMIC=4.0)])
    assert found.keys() == {proxy.name for proxy in PROXIES}
    assert found["MEM-BW"] == pytest.approx([5.0, 2.0], abs=0.6)
    assert found["ATOMIC"] == pytest.approx([0.0, 4.0], abs=0.6)
    assert found["SP-GFLOP"] == pytest.approx([0.0, 0.0], abs=0.6)


def test_a_proxy_of_which_nothing_is_counted_has_no_say() -> None:
    proxies = linear("ncu")
    for run in proxies["DP-GFLOP"]:
        for counter in PROXIES[1].ncu:
            run.pop(counter)
    for run in proxies["ATOMIC"]:
        run |= dict.fromkeys(PROXIES[2].ncu, 0.0)
    found = IntensityModels(proxies, "ncu").predict([kernel(MEM_BW=1.0)])
    assert found.keys() == {"SP-GFLOP", "MEM-BW", "SH-MEM-BW"}


def test_inputs_vote_for_each_kernel_and_the_winners_are_united() -> None:
    variants = {
        "reads": {
            "a": {"k": kernel(MEM_BW=5.0)},
            "b": {"k": kernel(MEM_BW=4.0)},
            "c": {"k": kernel(SP_GFLOP=5.0)},
        },
        "counts": {"a": {"k": kernel(MEM_BW=4.0), "add": kernel(ATOMIC=3.0)}},
        "idle": {"a": {"k": kernel()}},
    }
    found = winning_proxies(Profiles("m", "ncu", linear("ncu"), variants))
    assert [proxy.name for proxy in found] == ["ATOMIC", "MEM-BW"]
    assert found[0].features == ("atomic",)
    assert winning_proxies(Profiles("m", "ncu", linear("ncu"), {})) == ()


def test_the_processor_proxies_run(tmp_path: Path) -> None:
    program = built(processor_source(), "proxies.cpp", ["c++", "-std=c++17", "-O1"], tmp_path)
    for kind in range(len(PROXIES)):
        assert subprocess.run([str(program), str(kind), "1"], check=False).returncode == 0
    with pytest.raises(ProfilerError, match=r"(?s)be compiled by c\+\+:\n  \| .*error"):
        built("int main() { return x; }", "proxies.cpp", ["c++"], tmp_path)
