"""Gives jobs to the workers of an executor, and again where a worker is lost or refuses.

Jobs are plain data, answers too, and both may come twice. What is done with the answers is for
those who ask: measurements (remote_pool.py), builds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.training.executors import check_connection, has_no_workers
from fettle.training.remote_futures import first_done, gone

AT_ONCE = 64  # jobs given and not answered, where each is short
LOSSES = 3  # of workers at the same input, or of the first job, before it is given up
REFUSALS = 20  # of one input
PAUSE_SECONDS = 0.2  # after a refusal: another worker may be free then
CLOCK_SECONDS = 60.0
QUIET_SECONDS = 20.0  # without an answer, after which the scheduler is asked for its workers
NO_WORKERS = (
    "warning: the Dask scheduler has no workers any more; what is left waits for some. Start them: "
    "dask worker HOST:PORT --nthreads 1"
)
KEPT = "What was measured before is kept; run the same script again to go on"


class Executor(Protocol):
    """What is asked of an executor: that of concurrent.futures, and of those like it."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Has the function called elsewhere."""


class LostError(FettleError):
    """The workers, or what hands jobs to them, have gone."""


class PoolLostError(LostError):
    """A pool of processes, which ends with any of its processes."""

    def __init__(self) -> None:
        super().__init__(
            f"a process of the pool has gone, and a pool takes no more work then. {KEPT}"
        )


@dataclass
class _Job:
    name: str
    losses: int = 0
    refusals: int = 0
    given_at: float = 0.0  # by this host's clock


@dataclass
class JobPool:
    """The workers of an executor. `say` tells people of those that are lost or refuse."""

    executor: Executor
    say: Callable[[str], None]
    _refusals: dict[str, str] = field(init=False, default_factory=dict)  # reasons, by worker
    _reported: set[str] = field(init=False, default_factory=set)
    _workers: set[str] = field(init=False, default_factory=set)

    def executor_submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Gives a job. Raises LostError where the executor takes none."""
        try:
            check_connection(self.executor)
            return self.executor.submit(function, *arguments)
        except BrokenExecutor as error:
            raise PoolLostError from error
        except Exception as error:  # each executor has its own errors for that
            raise LostError(f"{gone(error)} {KEPT}") from error

    def _answer(self, future: Future[Any]) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = future.result()
        except ModuleNotFoundError as error:
            raise LostError(
                f"a worker lacks a Python package ({error}); install Fettle there, in the same "
                "version as here"
            ) from error
        except FettleError:
            raise
        except BrokenExecutor as error:
            raise PoolLostError from error
        except Exception as error:
            raise LostError(gone(error)) from error
        return answer

    def each(
        self,
        function: Callable[[dict[str, Any]], dict[str, Any]],
        names: Iterable[str],
        data_of: Callable[[str], dict[str, Any]],
        deadline: float | None = None,
        at_once: int = AT_ONCE,
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Has workers call a function for each name, with its data; yields the answers.

        Names are taken one by one, as jobs are given: at most `at_once` are given and not answered.
        Those of workers that refuse or are lost are asked for again elsewhere. After `deadline`
        none is given. Raises LostError.
        """
        coming = map(_Job, names)
        again: list[_Job] = []
        running: dict[Future[Any], _Job] = {}
        answered = time.monotonic()
        try:
            while True:
                late = deadline is not None and time.monotonic() > deadline
                while len(running) < at_once and not late:
                    job = again.pop() if again else next(coming, None)
                    if job is None:
                        break
                    job.given_at = time.time()
                    running[self.executor_submit(function, data_of(job.name))] = job
                if late:
                    for future in [one for one in running if one.cancel()]:
                        del running[future]
                if not running:
                    return
                done = first_done(running)
                if done:
                    answered = time.monotonic()
                elif time.monotonic() - answered > QUIET_SECONDS:
                    answered = time.monotonic()
                    if has_no_workers(self.executor):
                        self._report(NO_WORKERS)
                for future in done:
                    job = running.pop(future)
                    answer = self._taken(job, future)
                    if answer is None:
                        again.append(job)
                    else:
                        yield job.name, answer
        finally:
            for future in running:
                future.cancel()

    def _taken(self, job: _Job, future: Future[Any]) -> dict[str, Any] | None:
        """An answer; None where the job has to be given again."""
        try:
            answer = self._answer(future)
        except PoolLostError:
            raise
        except LostError as error:
            job.losses += 1
            if job.losses >= LOSSES:
                raise LostError(
                    f"{job.name}: {counted(LOSSES, 'worker')} were lost at it. {error} {KEPT}"
                ) from error
            self._report(f"warning: {job.name}: {error} It is done elsewhere")
            return None
        worker = answer["worker"]
        self._check_clock(worker, job.given_at)
        if answer["status"] == "refused":
            self._refused(job, worker, answer["message"])
            return None
        self._workers.add(f"{worker['host']} {worker['pid']}")
        return answer

    @property
    def count(self) -> int:
        """How many workers have answered so far."""
        return len(self._workers)

    def _refused(self, job: _Job, worker: dict[str, Any], message: str) -> None:
        name = f"{worker['host']}, process {worker['pid']}"
        if name not in self._refusals:
            self._refusals[name] = message
            self._report(f"warning: a worker is not used for {job.name}: {message}")
        job.refusals += 1
        if job.refusals >= REFUSALS:
            reasons = "; ".join(dict.fromkeys(self._refusals.values()))
            raise LostError(f"{job.name}: no worker can measure it ({reasons}). {KEPT}")
        time.sleep(PAUSE_SECONDS)

    def _check_clock(self, worker: dict[str, Any], begin: float) -> None:
        behind, ahead = begin - worker["time"], worker["time"] - time.time()
        if max(behind, ahead) > CLOCK_SECONDS:
            self._report(
                f"warning: the clock of {worker['host']} differs from this one's by "
                f"{max(behind, ahead) / 60:.0f} minutes. Nothing depends on it but the times that "
                "runs say; set the clocks (NTP)"
            )

    def _report(self, text: str) -> None:
        if text not in self._reported:
            self._reported.add(text)
            self.say(text)
