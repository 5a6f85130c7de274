"""One start of the program with its training log followed live; the program never outlives it.

A variant that runs past its limit, or a program that says nothing for too long, is killed with all
its children (its process group).
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal, TypeAlias

from fettle.cores import release_cores
from fettle.training.log import LogReader
from fettle.training.program import ProgramError
from fettle.training.record import End, Excluded, Failed, Header, Record, Sample, Start
from fettle.training.watchdog import watchdog

POLL_SECONDS = 0.02
RAN_TOO_LONG = "ran longer than its limit"
TAIL_LINES = 12

Cause: TypeAlias = Literal["exit", "hang", "silence"]
Kind: TypeAlias = Literal["exit", "signal", "hang", "silence"]


@dataclass(frozen=True)
class Ending:
    """How a start of the program ended."""

    kind: Kind
    code: int  # exit code, or the signal's number
    running: Start | None  # the batch of runs that was under way
    header: Header | None
    seconds: float
    output: str  # the last lines that the program printed

    def describe(self) -> str:
        """The ending as a part of a sentence."""
        if self.kind == "signal":
            return f"crashed with {signal_name(self.code)}"
        if self.kind == "hang":
            limit = self.running.limit_seconds if self.running else math.nan
            return f"{RAN_TOO_LONG} of {limit:.3g} s and was killed"
        if self.kind == "silence":
            return f"said nothing for {self.code} s and was killed"
        if self.code > 128:  # what a shell or a launcher makes of a signal
            return f"exited with code {self.code} ({signal_name(self.code - 128)})"
        return f"exited with code {self.code}"


def signal_name(number: int) -> str:
    """SIGSEGV for 11; the number where it has no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def run_program(
    command: Sequence[str],
    *,
    directory: Path,
    environment: Mapping[str, str],
    log: Path,
    handle: Callable[[Record], None],
    silence_seconds: float,
) -> Ending:
    """Starts `command`, hands each record of `log` to `handle` as it appears, and waits.

    Raises LogError for a log that cannot be read, ProgramError for a program that cannot be
    started, and whatever `handle` raises; the program is dead by then.
    """
    with ProgramRun(
        command,
        directory=directory,
        environment=environment,
        log=log,
        handle=handle,
        silence_seconds=silence_seconds,
    ) as run:
        ending = run.follow()
    assert ending is not None  # there was nothing else to wait for
    return ending


class ProgramRun:
    """A start of the program that can be followed piece by piece, as `run_program` does at once.

    A context manager: the program is dead after it.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        directory: Path,
        environment: Mapping[str, str],
        log: Path,
        handle: Callable[[Record], None],
        silence_seconds: float,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._begin = time.monotonic()
        self._reader = LogReader(log)
        self._handle = handle
        self._silence_seconds = silence_seconds
        self._poll_seconds = poll_seconds
        self._running: Start | None = None
        self._last_sign = self._begin
        self._output = tempfile.TemporaryFile()  # noqa: SIM115  # closed by __exit__
        try:
            self._process = _start(command, directory, environment, self._output)
        except BaseException:
            self._output.close()
            raise
        watchdog().guard(self._process.pid)

    def __enter__(self) -> ProgramRun:
        return self

    def __exit__(self, *_: object) -> None:
        _kill(self._process)
        watchdog().release()
        self._output.close()

    def follow(self, until: Callable[[], bool] = lambda: False) -> Ending | None:
        """Hands over records until `until()` says so (None), or the program has ended.

        A program that runs a variant, or is silent, for too long is killed.
        """
        self._last_sign = time.monotonic()
        cause: Cause | None = None
        while cause is None:
            ended = self._waited()
            for record in self._reader.read():
                self._last_sign = time.monotonic()
                if isinstance(record, Start):
                    self._running = record
                elif isinstance(record, Sample | Excluded | Failed | End):
                    self._running = None
                self._handle(record)
            if until():
                return None
            cause = "exit" if ended else self._overdue()
        _kill(self._process)
        seconds = time.monotonic() - self._begin
        kind, code = _kind(cause, self._process.returncode, self._silence_seconds)
        return Ending(kind, code, self._running, self._reader.header, seconds, _tail(self._output))

    @property
    def seconds(self) -> float:
        """How long the program has been running."""
        return time.monotonic() - self._begin

    def _waited(self) -> bool:
        """Waits a moment; whether the program has ended."""
        try:
            self._process.wait(timeout=self._poll_seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _overdue(self) -> Cause | None:
        silent = time.monotonic() - self._last_sign
        running = self._running
        if running is not None and math.isfinite(running.limit_seconds):
            return "hang" if silent > running.limit_seconds else None
        return "silence" if silent > self._silence_seconds else None


def _kind(cause: Cause, code: int, silence_seconds: float) -> tuple[Kind, int]:
    if cause == "exit" and code < 0:
        return "signal", -code
    return cause, round(silence_seconds) if cause == "silence" else code


def _start(
    command: Sequence[str], directory: Path, environment: Mapping[str, str], output: IO[bytes]
) -> subprocess.Popen[bytes]:
    release_cores()
    try:
        return subprocess.Popen(
            command,
            cwd=directory,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a process group of its own, so that all of it can be killed
        )
    except OSError as error:
        raise ProgramError(
            f"{command[0]} cannot be started: {error.strerror}; it has to be a program for this "
            "machine, or a script that begins with #! and its interpreter"
        ) from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _tail(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - 8192))
    lines = output.read().decode("utf-8", "replace").splitlines()
    return "\n".join(lines[-TAIL_LINES:])
