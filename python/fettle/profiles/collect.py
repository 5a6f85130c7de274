"""Collects profiles of a program's variants on its inputs, for P-DFS (dissertation 3.2.3.3)."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.core.native import native
from fettle.core.progress import Display
from fettle.core.wording import counted
from fettle.profiles.kept import Profiles, keep, kept_profiles, kept_proxies
from fettle.profiles.ncu import NcuProfiler
from fettle.profiles.perf import PerfProfiler
from fettle.profiles.profiler import Kernels, Profiler, ProfilerError, Start
from fettle.training.code_variant import CodeVariant
from fettle.training.collect import collect
from fettle.training.log import LogReader
from fettle.training.measure import Measurer
from fettle.training.program import Input
from fettle.training.record import Excluded, Failed, Measured
from fettle.training.request import Request
from fettle.training.session import measuring_session
from fettle.training.settings import Settings

AUTO = "auto"
PROFILERS: dict[str, Callable[[], Profiler]] = {"ncu": NcuProfiler, "perf": PerfProfiler}


@dataclass(frozen=True)
class Profiled:
    """What was collected of a function on this machine."""

    function: str
    machine: str
    profiler: str
    inputs: int
    seconds: float
    """That it took, without building; those of the proxies where they were profiled here, too."""
    left_out: tuple[str, ...]
    """Variants on inputs that have no profile, each with the reason."""

    def __str__(self) -> str:
        lines = [
            f"{self.function} on {self.machine}: {counted(self.inputs, 'input')} profiled by "
            f"{self.profiler} in {self.seconds:.1f} s"
        ]
        return "\n".join([*lines, *(f"  left out: {why}" for why in self.left_out)])


def profile_functions(
    settings: Settings, functions: Sequence[CodeVariant], display: Display, name: str = AUTO
) -> list[Profiled]:
    """Profiles each variant on each training input, unless that is known, and the proxies once.

    `name` is ncu or perf; auto: the first where there is a GPU. Raises ProfilerError where it
    cannot count here, before anything is built; what was profiled until then is kept.
    """
    if name not in (AUTO, *PROFILERS):
        raise FettleError(f"profile() has no profiler {name!r}; it has {AUTO}, ncu, perf")
    if name == AUTO:
        name = "ncu" if native().gpu_features(0)[0] else "perf"
    profiler = PROFILERS[name]()
    profiler.check()
    with measuring_session(settings, functions, display) as open_measurer:
        done = []
        for function in functions:
            one = _Collecting(settings, profiler, open_measurer(function), display)
            done.append(one.run())
            display.say(str(done[-1]))
        return done


@dataclass(frozen=True)
class _Collecting:
    """One function."""

    settings: Settings
    profiler: Profiler
    measurer: Measurer
    display: Display

    def run(self) -> Profiled:
        subject, store = self.measurer.subject, self.measurer.store
        begun, inputs = time.monotonic(), self.settings.training_inputs
        usable = collect(self.measurer, inputs, "features").complete(inputs)
        found = self._begun()
        left_out: list[str] = []
        for given in usable:
            for variant in self._variants():
                if given.name in found.variants.setdefault(variant, {}):
                    continue
                kernels, why = self._profiled(given, variant)
                if kernels:
                    found.variants[variant][given.name] = kernels
                else:
                    left_out.append(f"{variant} on {given.name}: {why}")
            keep(store, subject.function, found)
        return Profiled(
            subject.function,
            subject.machine,
            self.profiler.name,
            len(usable),
            time.monotonic() - begun,
            tuple(left_out),
        )

    def _variants(self) -> tuple[str, ...]:
        assert self.measurer.offer is not None
        return self.measurer.offer.variants

    def _begun(self) -> Profiles:
        """What the store has of this machine; the proxies are profiled where it lacks them."""
        subject, store = self.measurer.subject, self.measurer.store
        for known in kept_profiles(store, subject.function):
            if known.machine == subject.machine and known.profiler == self.profiler.name:
                return known
        proxies = kept_proxies(store, subject.machine, self.profiler.name)
        if proxies is None:
            self.display.say("profiling the application proxies")
            with tempfile.TemporaryDirectory(prefix="fettle-proxies-") as folder:
                proxies = self.profiler.proxies(Path(folder))
        found = Profiles(subject.machine, self.profiler.name, proxies)
        keep(store, subject.function, found)
        return found

    def _profiled(self, given: Input, variant: str) -> tuple[Kernels, str]:
        """The kernels of one variant on the first call of an input, or why there are none."""
        program, function = self.measurer.program, self.measurer.subject.function
        log = self.measurer.logs / "profile.jsonl"
        request = Request(
            function,
            given.name,
            skip=tuple(one for one in self._variants() if one != variant),
            last_call=0,
            measuring=self.measurer.measuring,
        )

        def environment(profiler: str) -> dict[str, str]:
            asked = replace(request, profiler=profiler)
            return {**program.environment, **asked.environment(str(log))}

        try:
            kernels = self.profiler.region(
                program.command(given),
                Start(program.directory, environment),
                self.settings.timeout,
            )
            said = list(LogReader(log).read())
        finally:
            log.unlink(missing_ok=True)
        if not any(isinstance(one, Measured) for one in said):
            why = [one.reason for one in said if isinstance(one, Failed | Excluded)]
            return {}, why[0] if why else "the program ended before it had run"
        return kernels, "" if kernels else "it ran no kernel"


__all__ = ["AUTO", "PROFILERS", "Profiled", "ProfilerError", "profile_functions"]
