"""Ends all processes of a session; as a script, those of a parent process once it is gone.

A process that leads a new session stays in it with all its descendants, also where they form new
process groups, as those of ninja and timeout do. Only a process that calls setsid leaves the
session: a daemon, which is meant to stay.

As a script it reads a line from its standard input whenever something is started or has ended: the
sessions to end, and the marks (`START`) of programs that are being started and have no session yet.
At the end of its input, which comes also where the parent process was killed, it ends those of the
last line. It runs by itself, without the rest of the package.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time

START = "FETTLE_START"
"""The environment variable that marks what a program is started as."""

_PROCESSES = "/proc"
_TRIES, _PAUSE_SECONDS = 10, 0.05


def kill_group(session: int) -> bool:
    """Kills the processes of a session that are in its first group; whether there was one."""
    try:
        os.killpg(session, signal.SIGKILL)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def kill_session(session: int) -> None:
    """Kills each process of a session, and what it starts meanwhile.

    Looks at all processes of the machine, which takes milliseconds.
    """
    kill_group(session)
    killed: set[int] = set()
    while found := _members(session) - killed:
        for process in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        killed |= found


def _members(session: int) -> set[int]:
    """The processes of a session that have not ended."""
    found = set()
    for process in _processes():
        with contextlib.suppress(OSError):  # it has ended meanwhile
            status = _content(process, "stat").rpartition(b")")[2].split()
            if int(status[3]) == session and status[0] not in (b"Z", b"X"):
                found.add(process)
    return found


def _kill_marked(mark: str) -> None:
    """Kills the session of a program that was being started with this mark."""
    wanted = f"{START}={mark}".encode()
    for _ in range(_TRIES):  # it may not have come so far
        for process in _processes():
            with contextlib.suppress(OSError):
                if wanted in _content(process, "environ").split(b"\0"):
                    kill_session(os.getsid(process))
                    return
        time.sleep(_PAUSE_SECONDS)


def _processes() -> list[int]:
    """All processes; none where the system has no /proc."""
    try:
        with os.scandir(_PROCESSES) as entries:
            return [int(entry.name) for entry in entries if entry.name.isdecimal()]
    except OSError:
        return []


def _content(process: int, name: str) -> bytes:
    with open(f"{_PROCESSES}/{process}/{name}", "rb") as file:  # noqa: PTH123 (faster by half)
        return file.read()


def main() -> None:
    """Waits for the end of the input, then ends what its last line names."""
    last = ""
    for line in sys.stdin:
        last = line
    for word in last.split():
        if word.isdecimal():
            kill_session(int(word))
        else:
            _kill_marked(word)


if __name__ == "__main__":
    main()
