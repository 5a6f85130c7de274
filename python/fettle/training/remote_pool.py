"""Measures inputs on the workers of an executor: any `concurrent.futures.Executor`.

Jobs are plain data, answers too, and both may come twice. What a worker measured is kept the moment
it arrives; what a lost worker did not answer is given to another one. All workers that measure are
of one machine identity: processor and cores, as the store keeps measurements apart.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from fettle.core.errors import FettleError
from fettle.core.progress import Display
from fettle.core.wording import counted
from fettle.training.executors import check_connection, has_no_workers
from fettle.training.measure import Measurer
from fettle.training.program import Input, InputError, ProgramError
from fettle.training.remote_futures import first_done, gone
from fettle.training.remote_job import Want, job_of, keep_contents, offer_of_answer
from fettle.training.remote_worker import describe, do_job
from fettle.training.settings import Settings
from fettle.training.subject import machine_name

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


@dataclass
class _Job:
    name: str
    losses: int = 0
    refusals: int = 0
    given_at: float = 0.0  # by this host's clock


@dataclass
class Pool:
    """The workers of an executor, for all functions of a tuning session."""

    executor: Executor
    say: Callable[[str], None]
    machine: str | None = None  # of the workers; None: that of the first one to answer
    is_named: bool = False  # by the script: workers of any identity count as that machine
    done: Counter[str] = field(default_factory=Counter)  # inputs by host
    _refusals: dict[str, str] = field(default_factory=dict)  # reported reasons, by worker
    _reported: set[str] = field(default_factory=set)
    _workers: set[str] = field(default_factory=set)

    def find_machine(self) -> str:
        """The machine that is tuned for: that of the first worker. Raises LostError."""
        if self.machine is None:
            begin = time.time()
            found = self._answer(self.executor_submit(describe, 0))
            self._check_clock(found, begin)
            self.machine = str(found["machine"])
        return self.machine

    @property
    def are_elsewhere(self) -> bool:
        """Whether they are machines of another identity than this one."""
        return not self.is_named and self.machine != machine_name()

    def executor_submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Gives a job. Raises LostError where the executor takes none."""
        try:
            check_connection(self.executor)
            return self.executor.submit(function, *arguments)
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
        except Exception as error:
            raise LostError(gone(error)) from error
        return answer

    def measure(
        self,
        measurer: Measurer,
        inputs: Sequence[Input],
        want: Want,
        *,
        deadline: float | None = None,
        call: int | None = None,
    ) -> Iterator[tuple[Input, InputError | None]]:
        """Measures inputs at the same time; yields each that is done, with its error if any.

        One that `deadline` leaves unmeasured is not yielded. Raises ProgramError and LostError.
        """
        jobs = {given: {"want": want, "call": call} for given in inputs}
        for given, answer in self.answers(measurer, do_job, jobs, deadline):
            yield given, InputError(answer["message"]) if answer["status"] == "input" else None

    def answers(
        self,
        measurer: Measurer,
        function: Callable[[dict[str, Any]], dict[str, Any]],
        jobs: Mapping[Input, Mapping[str, Any]],
        deadline: float | None = None,
    ) -> Iterator[tuple[Input, dict[str, Any]]]:
        """What workers answer to jobs about inputs, after it is kept; see `measure`."""
        inputs = {given.name: given for given in jobs}

        def data_of(name: str) -> dict[str, Any]:
            given = inputs[name]
            machine = None if self.is_named else self.machine
            return {**job_of(measurer, given), **jobs[given], "machine": machine}

        for name, answer in self.each(function, list(inputs), data_of, deadline):
            host = answer["worker"]["host"]
            measurer.display.input(f"{name} (on {host})")
            self._keep(measurer, inputs[name], answer)
            self.done[host] += 1
            if answer["status"] == "program":
                raise ProgramError(f"on {host}: {answer['message']}")
            yield inputs[name], answer

    def each(
        self,
        function: Callable[[dict[str, Any]], dict[str, Any]],
        names: Sequence[str],
        data_of: Callable[[str], dict[str, Any]],
        deadline: float | None = None,
        at_once: int = AT_ONCE,
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Has workers call a function for each name, with its data; yields the answers.

        At most `at_once` jobs are given at a time. Those of workers that refuse or are lost are
        asked for again elsewhere. Raises LostError.
        """
        waiting = [_Job(name) for name in names][::-1]
        running: dict[Future[Any], _Job] = {}
        answered = time.monotonic()
        try:
            while waiting or running:
                late = deadline is not None and time.monotonic() > deadline
                while waiting and len(running) < at_once and not late:
                    job = waiting.pop()
                    job.given_at = time.time()
                    running[self.executor_submit(function, data_of(job.name))] = job
                if late:
                    waiting.clear()
                    for future in [one for one in running if one.cancel()]:
                        del running[future]
                    if not running:
                        return
                done = first_done(running)
                if done or not running:
                    answered = time.monotonic()
                elif time.monotonic() - answered > QUIET_SECONDS:
                    answered = time.monotonic()
                    if has_no_workers(self.executor):
                        self._report(NO_WORKERS)
                for future in done:
                    job = running.pop(future)
                    answer = self._taken(job, future)
                    if answer is None:
                        waiting.append(job)
                    else:
                        yield job.name, answer
        finally:
            for future in running:
                future.cancel()

    def _taken(self, job: _Job, future: Future[Any]) -> dict[str, Any] | None:
        """An answer; None where the job has to be given again."""
        try:
            answer = self._answer(future)
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

    def _keep(self, measurer: Measurer, given: Input, answer: dict[str, Any]) -> None:
        with measurer.store.together():
            offer = offer_of_answer(answer)
            if offer is not None:
                measurer.take_offer(offer)
            key = measurer.key(given)
            keep_contents(measurer.store, measurer.subject, key, answer["contents"])
        for warning in answer["warnings"]:
            measurer.warn(warning)
        for name, value in answer["spent"].items():
            setattr(measurer.spent, name, getattr(measurer.spent, name) + value)

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

    def summary(self, unit: str = "input") -> str:
        """Which machines measured how many inputs."""
        parts = [f"{host} ({counted(count, unit)})" for host, count in self.done.most_common()]
        return f"measured on {', '.join(parts)}"


@contextlib.contextmanager
def with_workers(settings: Settings, display: Display) -> Iterator[Settings]:
    """The settings with the workers of their executor, and the machine that these are.

    Raises LostError where there are none.
    """
    if settings.executor is None or not settings.measure:
        yield settings
        return
    pool = Pool(settings.executor, display.say, settings.machine, settings.machine is not None)
    machine = pool.find_machine()
    display.say(f"measuring on workers: {machine}")
    try:
        yield settings.changed(workers=pool, machine=machine)
    finally:
        if pool.done:
            display.say(pool.summary())
