"""A program that the tuner starts, with all that it starts in turn."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from fettle.core.cores import release_cores
from fettle.processes.guardian import guardian
from fettle.processes.kept_output import KeptOutput
from fettle.processes.session import START, kill_group, kill_session

POLL_SECONDS = 0.02


class SupervisedProcess:
    """A process in a separate session, without input. A context manager.

    All of the session has ended after the block, also where the program itself ended well, and soon
    after this process, however that ends. A text as `command` is for the shell. With `piped` the
    output is to be read from `popen.stdout`, else it is in `output`. Raises OSError.
    """

    def __init__(
        self,
        command: str | Sequence[str | Path],
        *,
        environment: Mapping[str, str],
        directory: Path | None = None,
        piped: bool = False,
    ) -> None:
        release_cores()
        self.output = KeptOutput()
        self._mark = guardian().begin()
        try:
            self.popen: subprocess.Popen[bytes] = subprocess.Popen(
                command,
                shell=isinstance(command, str),
                cwd=directory,
                env={**environment, START: self._mark},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if piped else self.output.fileno(),
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except BaseException:
            guardian().release(self._mark)
            self.output.close()
            raise
        guardian().guard(self._mark, self.popen.pid)
        self._ended = _descriptor_of(self.popen.pid)
        self._is_over = False

    def __enter__(self) -> SupervisedProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        guardian().release(self._mark)
        if self._ended is not None:
            os.close(self._ended)
        if self.popen.stdout is not None:
            self.popen.stdout.close()
        self.output.close()

    def wait(self, seconds: float | None = None) -> int | None:
        """Waits for its end, for so long at most; the exit status, None where it still runs."""
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            left = POLL_SECONDS if end is None else min(POLL_SECONDS, end - time.monotonic())
            status = self._status_within(max(left, 0.0))
            self.output.trim()
            if status is not None or (end is not None and time.monotonic() >= end):
                return status

    def _status_within(self, seconds: float) -> int | None:
        """The exit status as soon as it has ended, None where it still runs after so long."""
        if self._ended is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.popen.wait(seconds)
            return None
        poll = select.poll()
        poll.register(self._ended, select.POLLIN)
        poll.poll(1000 * seconds)
        return self.popen.poll()

    def end(self) -> int:
        """Ends all that is left of it; the exit status, negative: the signal that ended it.

        Once, as the number of its session may be another's afterwards. Where it has ended by
        itself and left nothing in its process group, no other groups are looked for.
        """
        if not self._is_over:
            self._is_over = True
            is_running = self.popen.poll() is None
            if kill_group(self.popen.pid) or is_running:
                kill_session(self.popen.pid)
        return self.popen.wait()


def _descriptor_of(pid: int) -> int | None:
    """A descriptor that is readable once the process has ended; None where the system has none.

    Popen.wait() with a limit asks every few milliseconds instead, which a measurement of a short
    run would wait for.
    """
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None
