"""Kills the program under tuning when the tuner itself dies, by whatever signal.

A shell reads the program's process group from a pipe; when the tuner is gone the pipe ends, and the
shell kills the group that it read last. One shell a process, started at first use. (A setting made
in the child before it starts the program would do too, but costs 15 ms a start.)
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import subprocess

_SCRIPT = 'group=; while read -r line; do group=$line; done; [ -z "$group" ] || kill -9 "-$group"'


class Watchdog:
    """Guards one process group at a time."""

    def __init__(self) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the tuner alone
        )

    def guard(self, group: int) -> None:
        """Kills this group if the tuner dies before `release`."""
        self._tell(str(group))

    def release(self) -> None:
        """The group is gone: its number may soon be another's."""
        self._tell("")

    def close(self) -> None:
        """Ends the shell; a guarded group is killed."""
        with contextlib.suppress(OSError):
            self._shell.communicate()

    def _tell(self, group: str) -> None:
        assert self._shell.stdin is not None
        with contextlib.suppress(OSError):  # somebody killed the shell; measuring goes on
            self._shell.stdin.write(f"{group}\n".encode())
            self._shell.stdin.flush()


@functools.cache
def watchdog() -> Watchdog:
    """The watchdog of this process."""
    made = Watchdog()
    atexit.register(made.close)
    return made
