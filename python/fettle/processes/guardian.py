"""A process that ends what this one has started, should this one be killed, by whatever signal.

It waits at the end of a pipe that the kernel closes with this process. (PR_SET_PDEATHSIG would
reach the program alone, not what it has started.) One a process, started at first use.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import itertools
import os
import subprocess
import sys
import threading

from fettle.processes import session


class Guardian:
    """Knows which sessions are this process's. For use by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._guarded: dict[str, str] = {}  # a start's mark: the session, once there is one
        self._numbers = itertools.count()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", session.__file__],
            env={name: text for name, text in os.environ.items() if name != session.START},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for this process alone
        )

    def begin(self) -> str:
        """A program is about to be started: the mark to put into its environment."""
        # Always as long: where a program's stack begins hangs on the size of its environment.
        mark = f"start-{os.getpid():010}-{next(self._numbers):010}"
        self._set(mark, mark)
        return mark

    def guard(self, mark: str, of_session: int) -> None:
        """The program with this mark has been started, as the leader of a new session."""
        self._set(mark, str(of_session))

    def release(self, mark: str) -> None:
        """All of it has ended: the number of its session may soon be another's."""
        self._set(mark, None)

    def close(self) -> None:
        """Ends all that is guarded still."""
        with contextlib.suppress(OSError):
            self._process.communicate()

    def leave(self) -> None:
        """Closes a forked process's end of the pipe, which would keep it open."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _set(self, mark: str, what: str | None) -> None:
        with self._lock:
            if what is None:
                self._guarded.pop(mark, None)
            else:
                self._guarded[mark] = what
            line = " ".join(self._guarded.values()) + "\n"
            assert self._process.stdin is not None
            with contextlib.suppress(OSError):  # the guardian was killed; measuring goes on
                self._process.stdin.write(line.encode())
                self._process.stdin.flush()


@functools.cache
def guardian() -> Guardian:
    """The guardian of this process."""
    made = Guardian()
    atexit.register(made.close)
    return made


def _after_fork() -> None:
    """A forked process gets its guardian when it needs one."""
    if guardian.cache_info().currsize:
        inherited = guardian()
        atexit.unregister(inherited.close)
        inherited.leave()
        guardian.cache_clear()


os.register_at_fork(after_in_child=_after_fork)
