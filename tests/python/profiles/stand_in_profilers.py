"""Stand-ins for perf and ncu: programs that run a command and write the report of the real ones.

Each kind of proxy has its counters in proportion to its intensity; a variant counts what
`VARIANTS` says. The environment variable PROFILER_SAYS makes them refuse as the real ones do.
"""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from fettle.profiles.proxies import INTENSITIES, PROXIES

VARIANTS: dict[str, dict[str, int]] = {
    "low": {"MEM-BW": 4, "SP-GFLOP": 1},
    "high": {"MEM-BW": 3, "ATOMIC": 5},
    "broken": {"MEM-BW": 2},
}

_SHARED = r"""
import json, os, re, subprocess, sys
from pathlib import Path

PROXIES, VARIANTS = json.loads(@PROXIES@), json.loads(@VARIANTS@)
request = dict(part.split("=", 1) for part in os.environ.get("FETTLE_TRAINING", "").split())
says = os.environ.get("PROFILER_SAYS", "")

def counts(intensities):
    found = {}
    for proxy, counters in PROXIES.items():
        for counter in counters:
            found[counter] = 200.0 * intensities.get(proxy, 0)
    return found

def variant():
    skipped = request["skip"].split(",")
    return next(name for name in VARIANTS if name not in skipped)
"""

_PERF = r"""
arguments = sys.argv[2:]
report, events = arguments[arguments.index("-o") + 1], arguments[arguments.index("-e") + 1]
command = arguments[arguments.index("--") + 1:]
if says == "denied":
    print("Error:\nAccess to performance monitoring and observability operations is limited.")
    print("perf_event_paranoid setting is 4")
    sys.exit(255)
if "unknown" in says.split(",") and "fp_arith" in events:
    print("event syntax error: 'fp_arith_inst_retired.scalar_single'\n   \\___ parser error")
    sys.exit(129)
code = 0
if Path(command[0]).name == "proxies":  # compiled, but not run: that takes seconds
    found = counts({list(PROXIES)[int(command[1])]: int(command[2])})
else:
    code = subprocess.run(command).returncode if request else 0
    found = counts(VARIANTS[variant()] if request else {})
lines = ["# started on some day", ""]
for event in events.split(","):
    count = 1000 if event == "instructions" else int(found.get(event, 0))
    shown = "<not supported>" if says == "unsupported" else count
    lines.append(f"{shown},,{event}:u,4291416,100.00,,")
Path(report).write_text("\n".join(lines) + "\n")
sys.exit(code)
"""

_NCU = r"""
arguments = sys.argv[1:]
report = arguments[arguments.index("--log-file") + 1]
metrics = arguments[arguments.index("--metrics") + 1]
if says == "denied":
    Path(report).write_text("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to "
        "access NVIDIA GPU Performance Counters on the target device 0.\n")
    sys.exit(1)
metrics = metrics.split(",")
if "unknown" in says.split(",") and "dram__sectors_read.sum" in metrics:
    print("==ERROR== Failed to find metric dram__sectors_read.sum")
    sys.exit(1)
command = arguments[arguments.index("--metrics") + 2:]
if command[0] == "--profile-from-start":
    command = command[2:]
code = subprocess.run(command).returncode if request else 0
head = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", *metrics]
rows = [head, ["", "", "", "", "", *("" for _ in metrics)]]
if request:
    kernels = {f"void {variant()}_kernel(int *)": VARIANTS[variant()]}
else:
    names = list(PROXIES)
    kernels = {f"void proxy<(int){kind}, (int){at}>(float *)": {names[kind]: at}
               for kind in range(len(names)) for at in range(6)}
for launch in range(2):
    for kernel, intensities in kernels.items():
        found = counts(intensities)
        found["smsp__inst_executed.sum"] = 1000.0
        cells = [f"{found[one]:,.0f}" for one in metrics]
        rows.append([str(len(rows) - 2), "7", "app", "127.0.0.1", kernel, *cells])
quoted = [",".join('"' + cell + '"' for cell in row) for row in rows]
Path(report).write_text("==PROF== Connected to process 7\n" + "\n".join(quoted) + "\n")
sys.exit(code)
"""


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts both, and an nvcc that compiles nothing, before all else on the PATH."""
    perf = {proxy.name: proxy.perf for proxy in PROXIES}
    ncu = {proxy.name: proxy.ncu for proxy in PROXIES}
    for name, counters, text in (("perf", perf, _PERF), ("ncu", ncu, _NCU)):
        shared = _SHARED.replace("@PROXIES@", repr(json.dumps(counters)))
        shared = shared.replace("@VARIANTS@", repr(json.dumps(VARIANTS)))
        _program(folder / name, shared + text)
    _program(folder / "nvcc", "import sys\nopen(sys.argv[-1], 'w').close()\n")
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("CUDA_HOME", str(folder))


def _program(path: Path, text: str) -> None:
    path.write_text(f"#!{sys.executable} -IS\n{text}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def linear(profiler: str) -> dict[str, list[dict[str, float]]]:
    """Proxies whose counters grow with their intensity."""
    return {
        proxy.name: [
            {
                "instructions": 1000.0,
                "smsp__inst_executed.sum": 1000.0,
                **dict.fromkeys(proxy.ncu if profiler == "ncu" else proxy.perf, 200.0 * at),
            }
            for at in INTENSITIES
        ]
        for proxy in PROXIES
    }
