"""Measuring is exclusive on cores and GPUs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fettle.processes import exclusive as module
from fettle.processes.exclusive import DeviceBusyError, cpu_set, exclusive, visible_gpus

HOLDING = """
import sys, time
from pathlib import Path
from fettle.processes import exclusive as module
module.SHARED = Path(sys.argv[1])
with module.exclusive([int(cpu) for cpu in sys.argv[2].split(",")], sys.argv[3:]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Locks of the tests' own, and no GPU."""
    monkeypatch.setattr(module, "SHARED", tmp_path)
    monkeypatch.setattr(module, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(module, "_asked", lambda _: [])
    visible_gpus.cache_clear()
    return tmp_path


def holding(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", HOLDING, str(folder), *words]
    one = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert one.stdout is not None and one.stdout.readline() == b"held\n"
    return one


@pytest.mark.parametrize(
    ("cpus", "gpus", "waits"),
    [([0, 1], [], True), ([2], [], False), ([2], ["GPU-a"], True), ([2], ["GPU-b"], False)],
)
def test_who_shares_a_core_or_a_gpu_waits(
    locks: Path, cpus: list[int], gpus: list[str], waits: bool
) -> None:
    with holding(locks, "1,3", "GPU-a") as other:
        ended: list[float] = []

        def end(*_: object) -> None:
            ended.append(time.monotonic())
            other.kill()

        import threading

        timer = threading.Timer(0.4, end)
        timer.start()
        with exclusive(cpus, gpus):
            assert bool(ended) == waits, "a lock is free when its process was killed"
        timer.join()


def test_locks_may_be_taken_again(locks: Path) -> None:
    for _ in range(2):
        with exclusive([0], ["GPU-a"]):
            pass
    names = sorted(path.name for path in locks.iterdir())
    assert names == ["fettle-cpu-0.lock", "fettle-gpu-GPU-a.lock"]


def test_another_process_on_the_gpu_is_waited_for_and_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = [["GPU-a, 77, /usr/bin/train"], ["GPU-b, 78, x", f"GPU-a, {os.getpid()}, me"]]
    monkeypatch.setattr(module, "_asked", lambda _: answers.pop(0))
    with exclusive([], ["GPU-a"]):
        assert answers == []
    monkeypatch.setattr(module, "_asked", lambda _: ["GPU-a, 77, /usr/bin/train"])
    with (
        pytest.raises(DeviceBusyError, match=r"/usr/bin/train \(process 77\).*end it, or let"),
        exclusive([], ["GPU-a"], wait_seconds=0.05),
    ):
        pass


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (None, ("GPU-a1", "GPU-b2")),
        ("1", ("GPU-b2",)),
        ("1,0", ("GPU-b2", "GPU-a1")),
        ("GPU-b", ("GPU-b2",)),
        ("0,7,1", ("GPU-a1",)),
        ("", ()),
        ("-1", ()),
    ],
)
def test_visible_gpus(
    named: str | None, expected: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_asked", lambda _: ["GPU-a1", "GPU-b2"])
    if named is None:
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    else:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", named)
    assert visible_gpus() == expected


def test_the_cpu_set_is_this_processs() -> None:
    assert cpu_set() == sorted(os.sched_getaffinity(0))
