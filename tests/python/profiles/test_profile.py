"""Autotuner.profile with stand-ins for perf and ncu, and P-DFS by what it collects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import stand_in_profilers
from stand_in import StandIn

from fettle import Autotuner, CodeVariant
from fettle.classifiers import TreeClassifier
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.profiles.collect import Profiled
from fettle.profiles.kept import PROXIES_NOTE, kept_profiles
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import InputKey, Offer, Subject
from fettle.transfer.this_machine import NOTE

VARIANTS = ("low", "high", "broken")
DEVICE = {"peak_gbps": 100.0, "shared_atomic": 0.2, "peak_gflops_sp": 9.0, "cuda_cores": 64.0}


@pytest.fixture
def app(here: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    stand_in_profilers.install(here, monkeypatch)
    for i in range(3):
        what = {"low": 1.0, "high": 2.0, "broken": "crash" if i == 1 else 3.0}
        (here / f"in{i}").write_text(
            json.dumps({"calls": [{"features": {"size": i}, "variants": what}]})
        )
    return StandIn(here, variants=[*VARIANTS], features=["size"])


def tuner(machine: str = "source", inputs: int = 3) -> Autotuner:
    made = Autotuner("app", machine=machine, display=Silence())
    made.set_training_args([f"in{i}" for i in range(inputs)])
    return made


def profile(profiler: str, inputs: int = 3) -> Profiled:
    [found] = tuner(inputs=inputs).profile(
        [CodeVariant("f", 3, device_id="gtx_480")], profiler=profiler
    )
    return found


@pytest.mark.parametrize("profiler", ["perf", "ncu"])
def test_variants_and_proxies_are_profiled_once(app: StandIn, here: Path, profiler: str) -> None:
    found = profile(profiler)
    assert (found.machine, found.profiler, found.inputs) == ("gtx_480", profiler, 3)
    assert [why.partition(":")[0] for why in found.left_out] == ["broken on in1"]
    assert "in1" in str(found)
    with SqliteStore(here / "fettle.sqlite") as store:
        [kept] = kept_profiles(store, "f")
    assert {name: len(by_input) for name, by_input in kept.variants.items()} == {
        "low": 3,
        "high": 3,
        "broken": 2,
    }
    assert len(kept.proxies["ATOMIC"]) == 6
    before = len(app.runs())
    assert profile(profiler).left_out != ()  # what has no profile is tried again, nothing else
    assert len(app.runs()) == before + 1


def sources(here: Path) -> None:
    """Measurements on three machines, and device features of them and of the target."""
    with SqliteStore(here / "fettle.sqlite") as store, store.together():
        known = {}
        for at, machine in enumerate(["gtx_480", "B", "C", "here"]):
            features = {name: value * (at + 1) for name, value in DEVICE.items()}
            known[machine] = {"features": features}
            if machine == "here":
                continue
            subject = Subject("/p/app", "f", machine, "metric=returned")
            store.set_offer(subject, Offer(VARIANTS, ("size",), "low", "s", False, {}))
            for i in range(24):
                given = InputKey(f"i{i}", str(i))
                store.add_call(subject, given, 0, {"size": float(i)}, {"size": 1e-6})
                for k, variant in enumerate(VARIANTS):
                    cost = 1.0 + abs(i - 8.0 * k - at)
                    store.add_samples(subject, given, 0, variant, [cost])
                    store.add_verdict(subject, given, 0, variant, "measured")
                store.finish(subject, given, 1)
        store.set_note(NOTE, json.dumps(known))


def from_source(**options: object) -> str:
    function = CodeVariant("f", 3, classifier=TreeClassifier())
    for name, value in options.items():
        setattr(function, name, value)
    [found] = tuner("here").tune_from_source([function])
    return str(found)


def test_the_winning_proxies_select_the_device_features(app: StandIn, here: Path) -> None:
    profile("ncu")
    sources(here)
    report = from_source(profiling_based_dfs=True)
    assert "device features peak_gbps, shared_atomic" in report
    assert "proxies ATOMIC, MEM-BW by the profiles of gtx_480" in report
    both = from_source(profiling_based_dfs=True, search_based_dfs=True)
    assert "(cv-dfs;" in both
    assert "device features shared_atomic" in both or "device features peak_gbps" in both


def test_without_profiles_the_report_says_what_it_goes_by(app: StandIn, here: Path) -> None:
    sources(here)
    report = from_source(profiling_based_dfs=True)
    assert "no profiles of the variants in the database" in report
    assert "tuner.profile()" in report


def test_damaged_profiles_are_named(app: StandIn, here: Path) -> None:
    profile("ncu", 1)
    sources(here)
    with SqliteStore(here / "fettle.sqlite") as store:
        store.set_note("profiles of the function f", '{"gtx_480": 7}')
    with pytest.raises(FettleError, match=r"cannot be read .*collect them again with the tuner's"):
        from_source(profiling_based_dfs=True)
    with SqliteStore(here / "fettle.sqlite") as store:
        store.set_note("profiles of the function f", "{")
        store.set_note(PROXIES_NOTE, "[]")
    with pytest.raises(FettleError, match="cannot be read"):
        from_source(profiling_based_dfs=True)


@pytest.mark.parametrize(
    ("profiler", "says", "message"),
    [
        ("perf", "unsupported", "shows no hardware counters.*a virtual PMU.*one of them is"),
        ("perf", "denied", r"may not read hardware counters \(.*_paranoid is .*sysctl kernel"),
        ("ncu", "denied", "ERR_NVGPUCTRPERM.*NVreg_RestrictProfilingToAdminUsers=0.*another"),
    ],
)
def test_a_profiler_without_permission_says_so_and_loses_nothing(
    app: StandIn,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    profiler: str,
    says: str,
    message: str,
) -> None:
    profile("ncu", 1)
    monkeypatch.setenv("PROFILER_SAYS", says)
    with pytest.raises(FettleError, match=message):
        tuner(inputs=2).profile(CodeVariant("f", device_id="other"), profiler=profiler)
    with SqliteStore(here / "fettle.sqlite") as store:
        [kept] = kept_profiles(store, "f")
    assert kept.machine == "gtx_480"
    assert kept.variants["low"].keys() == {"in0"}


def test_counters_that_the_machine_lacks_are_left_out(
    app: StandIn, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROFILER_SAYS", "unknown")
    for profiler, counter in (("perf", "fp_arith"), ("ncu", "dram__sectors_read")):
        profile(profiler, 1)
        with SqliteStore(here / "fettle.sqlite") as store:
            [kept] = kept_profiles(store, "f")
        assert kept.profiler == profiler
        assert counter not in json.dumps(kept.proxies)


def test_a_missing_profiler(app: StandIn, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "perf").unlink()
    (here / "ncu").unlink()
    monkeypatch.setenv("PATH", str(here))
    with pytest.raises(FettleError, match="perf is not on the PATH; install it"):
        profile("perf")
    with pytest.raises(FettleError, match=r"\(ncu\) is neither on the PATH nor in the CUDA"):
        profile("ncu")
    with pytest.raises(FettleError, match="no profiler 'nvprof'; it has auto, ncu, perf"):
        profile("nvprof")
    assert app.runs("start") == []
