"""What profiles are taken with: counters of each kernel that a command runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from fettle.core.errors import FettleError
from fettle.processes import SupervisedProcess
from fettle.profiles.proxies import ProfilerName

Counters = dict[str, float]
Kernels = dict[str, Counters]
"""The counters of each kernel, by its name; a processor has one, whose name is empty."""

ONE_IS_ENOUGH = "or profile on another source machine: one of them is enough"


class ProfilerError(FettleError):
    """The profiler is not there, may not count here, or has failed; says what to do."""


class Profiler(Protocol):
    """A profiler of this machine."""

    name: ProfilerName

    def check(self) -> None:
        """Counts once. Raises ProfilerError where it cannot."""
        ...

    def region(self, command: Sequence[str], start: Start, seconds: float) -> Kernels:
        """Runs a program that says when to count (profiled_region). Raises ProfilerError."""
        ...

    def proxies(self, folder: Path) -> dict[str, list[Counters]]:
        """Builds the proxies in a folder: counters of each, for each intensity in its order."""
        ...


class Start:
    """Where and with what environment a program is started."""

    def __init__(
        self,
        directory: Path | None = None,
        environment: Callable[[str], Mapping[str, str]] | None = None,
    ) -> None:
        self.directory = directory
        self._environment = environment

    def environment(self, profiler: str) -> dict[str, str]:
        """The variables, for a profiler as the training request names it."""
        more = {} if self._environment is None else self._environment(profiler)
        return {**os.environ, **more}


def run(
    command: Sequence[str], start: Start, profiler: str, seconds: float, what: str
) -> tuple[int, str]:
    """Runs a command to its end: its exit status and what it printed. Raises ProfilerError."""
    try:
        with SupervisedProcess(
            command, environment=start.environment(profiler), directory=start.directory
        ) as process:
            code = process.wait(seconds)
            if code is None:
                raise ProfilerError(
                    f"{what} ran for longer than {seconds:.0f} s and was killed; profile smaller "
                    "inputs (inputs=[...]), or raise the tuner's timeout"
                )
            return code, process.output.text()
    except OSError as error:
        raise ProfilerError(f"{what} cannot be started: {error}; {ONE_IS_ENOUGH}") from None


def built(
    source: str,
    name: str,
    compiler: Sequence[str],
    folder: Path,
    what: str = "the application proxies",
) -> Path:
    """Compiles a program. Raises ProfilerError, with what the compiler says."""
    path = folder / name
    path.write_text(source, encoding="utf-8")
    program = folder / "proxies"
    command = [*compiler, str(path), "-o", str(program)]
    code, output = run(command, Start(folder), "", 600.0, f"the compiler of {what}")
    if code:
        last = "\n".join(f"  | {line}" for line in output.splitlines()[-8:])
        raise ProfilerError(f"{what} cannot be compiled by {command[0]}:\n{last}")
    return program


def text_of(report: Path) -> str:
    """What a profiler has written; nothing where it has not come so far."""
    return report.read_text(encoding="utf-8", errors="replace") if report.exists() else ""


def found(name: str, *folders: str) -> str:
    """Where a program is: on the PATH, or in one of some folders; empty where nowhere."""
    places = [folder for folder in folders if folder]
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(places)) or ""
