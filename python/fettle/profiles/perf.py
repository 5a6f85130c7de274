"""perf: hardware counters of a program on a processor (`perf stat`)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from fettle.profiles.profiler import (
    ONE_IS_ENOUGH,
    Counters,
    Kernels,
    ProfilerError,
    Start,
    built,
    found,
    run,
    text_of,
)
from fettle.profiles.proxies import (
    INSTRUCTIONS,
    INTENSITIES,
    PROXIES,
    ProfilerName,
    wanted_counters,
)
from fettle.profiles.proxy_source import processor_source

_PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")
_NEVER_ENABLED = "<not counted>"
_SECONDS = 60.0


class PerfProfiler:
    """`perf` of the PATH, with those of the wanted events that the processor has."""

    name: ProfilerName = "perf"

    def __init__(self) -> None:
        self._events: list[str] = []

    def check(self) -> None:
        """Asks for each event alone: perf refuses all of them for one that it does not know."""
        if not found("perf"):
            raise ProfilerError(
                f"perf is not on the PATH; install it (linux-perf, linux-tools), {ONE_IS_ENOUGH}"
            )
        said = ""
        for event in wanted_counters("perf"):
            counted, printed = self._counted(["true"], Start(), "", [event], _SECONDS)
            if event in counted:
                self._events.append(event)
            elif event == INSTRUCTIONS["perf"]:
                said = printed
                break
        if not self._events:
            raise ProfilerError(_refusal(said))

    def region(self, command: Sequence[str], start: Start, seconds: float) -> Kernels:
        """What a program counts of itself, by perf's control pipes."""
        with tempfile.TemporaryDirectory(prefix="fettle-profile-") as folder:
            pipes = [f"{folder}/control", f"{folder}/answer"]
            for pipe in pipes:
                os.mkfifo(pipe, 0o600)
            waits = ["--delay=-1", f"--control=fifo:{','.join(pipes)}"]
            counted, printed = self._counted(command, start, folder, self._events, seconds, waits)
        if INSTRUCTIONS["perf"] in counted:
            return {"": counted}
        if _NEVER_ENABLED in printed:
            return {}
        raise ProfilerError(_refusal(printed))

    def proxies(self, folder: Path) -> dict[str, list[Counters]]:
        """A run of a program for each proxy and intensity."""
        compiler = os.environ.get("FETTLE_CXX") or found("c++") or "c++"
        options = [compiler, "-std=c++17", "-O1", "-fno-tree-vectorize"]
        program = built(processor_source(), "proxies.cpp", options, folder)
        counted: dict[str, list[Counters]] = {}
        for number, proxy in enumerate(PROXIES):
            for intensity in INTENSITIES:
                command = [str(program), str(number), str(intensity)]
                one, printed = self._counted(command, Start(folder), "", self._events, _SECONDS)
                if INSTRUCTIONS["perf"] not in one:
                    raise ProfilerError(_refusal(printed))
                counted.setdefault(proxy.name, []).append(one)
        return counted

    def _counted(
        self,
        command: Sequence[str],
        start: Start,
        pipes: str,
        events: Sequence[str],
        seconds: float,
        waits: Sequence[str] = (),
    ) -> tuple[Counters, str]:
        """The events that were counted, and what was printed."""
        with tempfile.TemporaryDirectory(prefix="fettle-profile-") as folder:
            report = Path(folder) / "report"
            perf = ["perf", "stat", "-x", ",", "-o", str(report), "-e", ",".join(events), *waits]
            _, printed = run([*perf, "--", *command], start, pipes, seconds, "perf")
            text = text_of(report)
        return read_report(text), printed + text


def read_report(text: str) -> Counters:
    """The events of a report of `perf stat -x ,` that were counted, by the names asked for."""
    counted: Counters = {}
    for line in text.splitlines():
        cells = line.split(",")
        if len(cells) > 2 and not line.startswith("#"):
            try:
                counted[cells[2].partition(":")[0]] = float(cells[0])
            except ValueError:  # "<not supported>", "<not counted>"
                continue
    return counted


def _refusal(said: str) -> str:
    """Why perf counts no instructions, and what to do."""
    level = _PARANOID.read_text(encoding="utf-8").strip() if _PARANOID.exists() else "unknown"
    if "not supported" in said:
        return (
            "perf counts no instructions here: this machine shows no hardware counters, as most "
            f"virtual machines; let its host pass them on (a virtual PMU), {ONE_IS_ENOUGH}"
        )
    if "ermission" in said or "paranoid" in said or "not permitted" in said:
        return (
            f"this user may not read hardware counters (kernel.perf_event_paranoid is {level}); "
            "let an administrator run `sysctl kernel.perf_event_paranoid=2` or give perf "
            f"CAP_PERFMON, {ONE_IS_ENOUGH}"
        )
    last = " ".join(said.split())[-200:] or "it printed nothing"
    return f"perf counts no instructions ({last}); see `perf stat -e instructions true`"
