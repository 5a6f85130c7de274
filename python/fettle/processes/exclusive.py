"""Measuring is exclusive: one lock a core of this process's CPU set, and one a GPU that it sees.

Two processes whose sets have no core and no GPU in common measure at the same time, others one
after the other. The locks are files of the host, so they hold between users, and are released by
the system when a process ends in whatever way.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from fettle.core.errors import FettleError

SHARED = Path("/run/lock")  # where it is, all users may write there
WAIT_SECONDS = 600.0
POLL_SECONDS = 0.5


class DeviceBusyError(FettleError):
    """Another process computes on the GPU and does not end."""


@contextlib.contextmanager
def exclusive(
    cpus: Sequence[int], gpus: Sequence[str], *, wait_seconds: float = WAIT_SECONDS
) -> Iterator[None]:
    """Holds the locks of cores, and of GPUs by their UUIDs; waits for those that others hold.

    Another process that computes on one of the GPUs, though it holds no lock, is waited for, too.
    Raises DeviceBusyError, which names it, where it does not end in time.
    """
    names = [f"cpu-{cpu}" for cpu in sorted(cpus)] + [f"gpu-{gpu}" for gpu in sorted(gpus)]
    with contextlib.ExitStack() as held:
        for name in names:  # all processes take them in this order, so that none waits in a circle
            held.enter_context(_locked(_folder() / f"fettle-{name}.lock"))
        _wait_for_gpus(gpus, wait_seconds)
        yield


def cpu_set() -> list[int]:
    """The cores that this process may use."""
    return sorted(os.sched_getaffinity(0))


@lru_cache(maxsize=1)
def visible_gpus() -> tuple[str, ...]:
    """The UUIDs of the GPUs that programs started here see, by CUDA_VISIBLE_DEVICES; () if none."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None and named.strip() in ("", "-1", "none", "NoDevFiles"):
        return ()
    uuids = [line.strip() for line in _asked("--query-gpu=uuid")]
    if named is None:
        return tuple(uuids)
    found = []
    for word in (part.strip() for part in named.split(",")):
        if word.isdigit():
            if int(word) >= len(uuids):
                break  # CUDA sees none from here on
            found.append(uuids[int(word)])
        else:
            found += [uuid for uuid in uuids if uuid.startswith(word)][:1]
    return tuple(found)


def _wait_for_gpus(gpus: Sequence[str], wait_seconds: float) -> None:
    if not gpus:
        return
    until = time.monotonic() + wait_seconds
    while others := _computing_on(gpus):
        if time.monotonic() >= until:
            raise DeviceBusyError(
                f"another process computes on the GPU: {', '.join(others)}. It was waited for "
                f"{wait_seconds:.0f} s; end it, or let this worker see another GPU "
                "(CUDA_VISIBLE_DEVICES)"
            )
        time.sleep(POLL_SECONDS)


def _computing_on(gpus: Sequence[str]) -> list[str]:
    found = []
    for line in _asked("--query-compute-apps=gpu_uuid,pid,process_name"):
        gpu, _, rest = line.partition(",")
        pid, _, name = rest.strip().partition(",")
        if gpu.strip() in gpus and pid.strip() != str(os.getpid()):
            found.append(f"{name.strip() or 'unknown'} (process {pid.strip()})")
    return found


def _asked(query: str) -> list[str]:
    command = ["nvidia-smi", query, "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return (
        [line for line in done.stdout.splitlines() if line.strip()] if not done.returncode else []
    )


def _folder() -> Path:
    return SHARED if os.access(SHARED, os.W_OK) else Path(tempfile.gettempdir())


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    file = _opened(path)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _opened(path: Path) -> int:
    """The lock's file, which all users may lock; one that is not there is made so."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        file = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        return file
