"""One start of the program with its training log followed live; the program never outlives it.

A variant that runs past its limit (and past what patience.py adds to it), or a program that says
nothing for too long, is killed with all that it has started; what it leaves running at its own end
is killed, too.
"""

from __future__ import annotations

import contextlib
import math
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from fettle.processes import SupervisedProcess
from fettle.training.log import LogReader
from fettle.training.patience import Patience
from fettle.training.program import ProgramError
from fettle.training.record import End, Excluded, Failed, Header, Metered, Record, Sample, Start

POLL_SECONDS = 0.02
RAN_TOO_LONG = "ran longer than its limit"
TOO_SLOW = "slow: killed at its limit"
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
    limit_seconds: float = math.nan  # that the batch ran longer than
    is_slow: bool = False  # it was killed at its limit, and might have ended later

    @property
    def died(self) -> bool:
        """Whether the program did not end with exit code 0 by itself."""
        return self.kind != "exit" or self.code != 0

    def describe(self) -> str:
        """The ending as a part of a sentence."""
        if self.kind == "signal":
            return f"crashed with {signal_name(self.code)}"
        if self.kind == "hang":
            if self.is_slow:
                return f"{TOO_SLOW} of {self.limit_seconds:.3g} s"
            return f"{RAN_TOO_LONG} of {self.limit_seconds:.3g} s and was killed"
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
    patience: Patience | None = None,
    together: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext,
) -> Ending:
    """Starts `command`, hands each record of `log` to `handle` as it appears, and waits.

    Raises LogError for a log that cannot be read, ProgramError for a program that cannot be
    started, and whatever `handle` raises; the program is dead by then. Records that appear at once
    are handed over within one `together`.
    """
    with ProgramRun(
        command,
        directory=directory,
        environment=environment,
        log=log,
        handle=handle,
        silence_seconds=silence_seconds,
        patience=patience,
        together=together,
    ) as run:
        ending = run.follow()
    assert ending is not None  # there was nothing else to wait for
    return ending


class ProgramRun:
    """A start of the program that can be followed piece by piece, as `run_program` does at once.

    Without `patience` a run past its limit counts as a hang. A context manager: the program is
    dead after it.
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
        patience: Patience | None = None,
        together: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._begin = time.monotonic()
        self._reader = LogReader(log)
        self._handle = handle
        self._silence_seconds = silence_seconds
        self._patience = patience
        self._together = together
        self._poll_seconds = poll_seconds
        self._running: Start | None = None
        self._last_sign = self._begin
        self._process = _start(command, directory, environment)

    def __enter__(self) -> ProgramRun:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.__exit__()

    def follow(self, until: Callable[[], bool] = lambda: False) -> Ending | None:
        """Hands over records until `until()` says so (None), or the program has ended.

        A program that runs a variant, or is silent, for too long is killed.
        """
        self._last_sign = time.monotonic()
        cause: Cause | None = None
        while cause is None:
            ended = self._process.wait(self._poll_seconds) is not None
            with self._together():
                for record in self._reader.read():
                    if isinstance(record, Start):
                        self._running = record
                    elif isinstance(record, Sample | Metered | Excluded | Failed | End):
                        self._ended()
                    self._last_sign = time.monotonic()
                    self._handle(record)
            if until():
                return None
            cause = "exit" if ended else self._overdue()
        waited = time.monotonic() - self._last_sign
        status = self._process.end()
        seconds = time.monotonic() - self._begin
        kind, code = _kind(cause, status, self._silence_seconds)
        output = "\n".join(self._process.output.text().splitlines()[-TAIL_LINES:])
        ending = Ending(kind, code, self._running, self._reader.header, seconds, output)
        if kind != "hang" or self._running is None:
            return ending
        limit = self._limit(self._running)
        is_slow = self._patience is not None and not self._patience.is_hang(self._running, waited)
        return replace(ending, limit_seconds=limit, is_slow=is_slow)

    @property
    def seconds(self) -> float:
        """How long the program has been running."""
        return time.monotonic() - self._begin

    def _ended(self) -> None:
        """The batch of runs that was under way has."""
        if self._running is not None and self._patience is not None:
            self._patience.ended(self._running, time.monotonic() - self._last_sign)
        self._running = None

    def _limit(self, running: Start) -> float:
        return running.limit_seconds if self._patience is None else self._patience.limit(running)

    def _overdue(self) -> Cause | None:
        silent = time.monotonic() - self._last_sign
        running = self._running
        if running is not None and math.isfinite(running.limit_seconds):
            return "hang" if silent > self._limit(running) else None
        return "silence" if silent > self._silence_seconds else None


def _kind(cause: Cause, code: int, silence_seconds: float) -> tuple[Kind, int]:
    if cause == "exit" and code < 0:
        return "signal", -code
    return cause, round(silence_seconds) if cause == "silence" else code


def _start(
    command: Sequence[str], directory: Path, environment: Mapping[str, str]
) -> SupervisedProcess:
    try:
        return SupervisedProcess(command, directory=directory, environment=environment)
    except OSError as error:
        raise ProgramError(
            f"{command[0]} cannot be started: {error.strerror}; it has to be a program for this "
            "machine, or a script that begins with #! and its interpreter"
        ) from None
