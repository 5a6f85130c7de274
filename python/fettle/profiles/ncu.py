"""Nsight Compute: hardware counters of each kernel of a CUDA program (`ncu --csv`)."""

from __future__ import annotations

import csv
import os
import re
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
from fettle.profiles.proxies import INTENSITIES, PROXIES, ProfilerName, wanted_counters
from fettle.profiles.proxy_source import cuda_source

_PROGRAMS_FAULT = "application returned an error code"
_NOT_PERMITTED = "ERR_NVGPUCTRPERM"
_UNKNOWN_METRIC = re.compile(r"[Ff]ailed to find metric\s+(?:regex\s+)?['\"]?([\w.]+)")
_PROXY = re.compile(r"\bproxy<\D*(\d+)\D+(\d+)\D*>")
_SECONDS = 600.0


class NcuProfiler:
    """`ncu` of the PATH or of the CUDA toolkit. The GPU's clocks are left as they are."""

    name: ProfilerName = "ncu"

    def __init__(self) -> None:
        self._metrics = list(wanted_counters("ncu"))
        cuda = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
        self._toolkit = f"{cuda}/bin"

    def check(self) -> None:
        """Raises ProfilerError where ncu or nvcc is missing; a refusal comes with the first run."""
        if not found("ncu", self._toolkit):
            raise ProfilerError(
                "Nsight Compute (ncu) is neither on the PATH nor in the CUDA toolkit; install it, "
                f"{ONE_IS_ENOUGH}"
            )
        if not found("nvcc", self._toolkit):
            raise ProfilerError(
                "nvcc, which compiles the application proxies, is neither on the PATH nor in "
                f"{self._toolkit}; install the CUDA toolkit or set CUDA_HOME, {ONE_IS_ENOUGH}"
            )

    def region(self, command: Sequence[str], start: Start, seconds: float) -> Kernels:
        """The kernels that a program runs while it lets count."""
        return _summed(self._rows(["--profile-from-start", "off", *command], start, seconds))

    def proxies(self, folder: Path) -> dict[str, list[Counters]]:
        """One run of a program with a kernel for each proxy and intensity."""
        nvcc = [found("nvcc", self._toolkit), "-O1", "-std=c++17", "-arch=native"]
        program = built(cuda_source(), "proxies.cu", nvcc, folder)
        counted: dict[tuple[int, int], Counters] = {}
        for kernel, counters in _summed(
            self._rows([str(program)], Start(folder), _SECONDS)
        ).items():
            if named := _PROXY.search(kernel):
                counted[int(named[1]), int(named[2])] = counters
        if len(counted) < len(PROXIES) * len(INTENSITIES):
            raise ProfilerError(
                f"ncu has counted {len(counted)} of {len(PROXIES) * len(INTENSITIES)} proxies; run "
                f"`{' '.join(self._command(Path('report.csv')))} {program}` to see why"
            )
        return {
            proxy.name: [counted[number, intensity] for intensity in INTENSITIES]
            for number, proxy in enumerate(PROXIES)
        }

    def _command(self, report: Path) -> list[str]:
        options = "--csv --page raw --print-units base --clock-control none --target-processes all"
        command = [found("ncu", self._toolkit) or "ncu", *options.split()]
        return [*command, "--log-file", str(report), "--metrics", ",".join(self._metrics)]

    def _rows(
        self, arguments: Sequence[str], start: Start, seconds: float
    ) -> list[tuple[str, Counters]]:
        """Each kernel that ran. Metrics that this GPU does not have are asked for no more."""
        while True:
            with tempfile.TemporaryDirectory(prefix="fettle-profile-") as folder:
                report = Path(folder) / "report.csv"
                code, printed = run(
                    [*self._command(report), *arguments], start, "cuda", seconds, "ncu"
                )
                text = text_of(report)
            printed += text
            if _NOT_PERMITTED in printed:
                raise ProfilerError(
                    "this user may not read the GPU's performance counters (ERR_NVGPUCTRPERM); run "
                    "as root, let an administrator load the nvidia module with "
                    f"NVreg_RestrictProfilingToAdminUsers=0, {ONE_IS_ENOUGH}"
                )
            unknown = set(_UNKNOWN_METRIC.findall(printed)) & set(self._metrics[1:])
            rows = read_report(text, self._metrics)
            if unknown and not rows:
                self._metrics = [one for one in self._metrics if one not in unknown]
                continue
            if code and not rows and _PROGRAMS_FAULT not in printed:
                last = "\n".join(f"  | {line}" for line in printed.splitlines()[-8:])
                raise ProfilerError(f"ncu ended with status {code}; {ONE_IS_ENOUGH}:\n{last}")
            return rows


def read_report(text: str, metrics: Sequence[str]) -> list[tuple[str, Counters]]:
    """The kernels of a report of `ncu --csv --page raw`, with those of the metrics that it has."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    table = list(csv.reader(lines))
    if not table or "Kernel Name" not in table[0]:
        return []
    header = table[0]
    found_rows: list[tuple[str, Counters]] = []
    for cells in table[1:]:
        row = dict(zip(header, cells, strict=False))
        if not row.get("ID"):  # the line of units
            continue
        counters = {
            one: value for one in metrics if (value := _number(row.get(one, ""))) is not None
        }
        found_rows.append((row["Kernel Name"], counters))
    return found_rows


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", ""))
    except ValueError:  # "n/a"
        return None


def _summed(rows: Sequence[tuple[str, Counters]]) -> Kernels:
    """The counters of each kernel over all of its launches."""
    kernels: Kernels = {}
    for name, counters in rows:
        of_kernel = kernels.setdefault(name, {})
        for counter, value in counters.items():
            of_kernel[counter] = of_kernel.get(counter, 0.0) + value
    return kernels
