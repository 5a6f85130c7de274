"""Measures inputs on the workers of an executor: any `concurrent.futures.Executor`.

What a worker measured is kept the moment it arrives. All workers that measure are of one machine
identity: processor and cores, as the store keeps measurements apart. How jobs are given to workers,
and again where one is lost: remote_jobs.py.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fettle.core.progress import Display
from fettle.core.wording import counted
from fettle.training.measure import Measurer
from fettle.training.program import Input, InputError, ProgramError
from fettle.training.remote_job import Want, job_of, keep_contents, offer_of_answer
from fettle.training.remote_jobs import JobPool
from fettle.training.remote_worker import describe, do_job
from fettle.training.settings import Settings
from fettle.training.subject import machine_name


@dataclass
class Pool(JobPool):
    """The workers of an executor, for all functions of a tuning session."""

    machine: str | None = None  # of the workers; None: that of the first one to answer
    is_named: bool = False  # by the script: workers of any identity count as that machine
    done: Counter[str] = field(default_factory=Counter)  # inputs by host

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
