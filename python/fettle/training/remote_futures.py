"""The futures of jobs on an executor: which are done, and what is said of one that was lost."""

from __future__ import annotations

import concurrent.futures
import time
from collections.abc import Collection
from concurrent.futures import Future
from typing import Any


def first_done(running: Collection[Future[Any]]) -> list[Future[Any]]:
    """Those that are done, after a second at most; futures of other kinds: one at least."""
    if all(isinstance(one, Future) for one in running):
        return list(
            concurrent.futures.wait(
                running, timeout=1.0, return_when=concurrent.futures.FIRST_COMPLETED
            ).done
        )
    while not (done := [one for one in running if one.done()]):
        time.sleep(0.05)
    return done


def gone(error: BaseException) -> str:
    """What is said where a future ends by an error that is not the job's own."""
    said = str(error).strip().splitlines()
    what = f"{type(error).__name__}: {said[0][:200]}" if said else type(error).__name__
    return (
        f"a worker, or the scheduler that hands jobs to it, has gone ({what}); see its log, and "
        "start it again."
    )
