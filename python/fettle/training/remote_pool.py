"""Measures inputs on the workers of an executor: any `concurrent.futures.Executor`.

What a worker measured is kept the moment it arrives. All workers that measure are of one machine
identity: processor and cores, as the store keeps measurements apart. How jobs are given to workers,
and again where one is lost: remote_jobs.py.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fettle.core.progress import Display
from fettle.core.wording import counted
from fettle.training.collect import GIVE_UP_AFTER
from fettle.training.executors import worker_count
from fettle.training.measure import Measurer
from fettle.training.program import Input, InputError, ProgramError
from fettle.training.remote_job import Want, job_of, keep_contents, offer_of_answer
from fettle.training.remote_jobs import AT_ONCE, JobPool
from fettle.training.remote_worker import describe, do_job
from fettle.training.settings import Settings
from fettle.training.subject import machine_name


@dataclass(frozen=True)
class Task:
    """What is asked of an input of a function."""

    measurer: Measurer
    given: Input
    asked: Mapping[str, Any]


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
        tasks = {given.name: Task(measurer, given, asked) for given, asked in jobs.items()}
        for name, answer in self.answers_to(tasks, function, tasks, deadline):
            if answer["status"] == "program":
                raise ProgramError(f"on {answer['worker']['host']}: {answer['message']}")
            yield tasks[name].given, answer

    def measure_together(self, work: Sequence[tuple[Measurer, Sequence[Input]]]) -> None:
        """Measures what is missing of several functions' inputs, all in one queue.

        One function after the other, workers would wait for the last input of each. What an input
        took with the first function tells which ones of the others to begin with: the longest.
        `Measurer.early` gets the inputs that were measured, and the errors of those that failed.
        A function that cannot be measured is left to its turn, which says why. Raises LostError.
        """
        asked = {"want": "measure", "call": None}
        tasks = {
            f"{measurer.subject.function}: {given.name}": Task(measurer, given, asked)
            for measurer, inputs in work
            for given in inputs
            if not measurer.is_complete(given)
        }
        seconds: dict[str, float] = {}
        given_up: set[str] = set()
        names = _longest_first(tasks, seconds, given_up)
        count = worker_count(self.executor)
        at_once = AT_ONCE if count is None else 2 * count
        display = work[0][0].display
        display.begin(counted(len(work), "function"), len(tasks))
        try:
            for name, answer in self.answers_to(tasks, do_job, names, at_once=at_once):
                measurer, given = tasks[name].measurer, tasks[name].given
                seconds[given.name] = answer["spent"]["seconds"]
                if answer["status"] != "program":
                    is_input = answer["status"] == "input"
                    measurer.early[given.name] = InputError(answer["message"]) if is_input else None
                if answer["status"] == "program" or _none_works(measurer.early):
                    given_up.add(measurer.subject.function)
                display.advance()
        except ProgramError:  # the script disagrees with what a function offers
            return
        finally:
            display.end()

    def answers_to(
        self,
        tasks: Mapping[str, Task],
        function: Callable[[dict[str, Any]], dict[str, Any]],
        names: Iterable[str],
        deadline: float | None = None,
        at_once: int = AT_ONCE,
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """What workers answer to the tasks of these names, after it is kept. Raises LostError."""

        def data_of(name: str) -> dict[str, Any]:
            task = tasks[name]
            machine = None if self.is_named else self.machine
            return {**job_of(task.measurer, task.given), **task.asked, "machine": machine}

        for name, answer in self.each(function, names, data_of, deadline, at_once):
            host = answer["worker"]["host"]
            task = tasks[name]
            task.measurer.display.input(f"{name} (on {host})")
            self._keep(task.measurer, task.given, answer)
            self.done[host] += 1
            yield name, answer

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


def _none_works(early: Mapping[str, InputError | None]) -> bool:
    """Whether so many inputs have failed, and none has not, that the fault is not the inputs'."""
    return len(early) >= GIVE_UP_AFTER and None not in early.values()


def _longest_first(
    tasks: Mapping[str, Task], seconds: Mapping[str, float], given_up: Collection[str]
) -> Iterator[str]:
    """The first function's tasks as they come, the others by what their inputs took with it."""
    functions = {name: task.measurer.subject.function for name, task in tasks.items()}
    first = next(iter(functions.values()), "")
    for name in tasks:
        if functions[name] == first and first not in given_up:
            yield name
    others = [name for name in tasks if functions[name] != first]
    for name in sorted(others, key=lambda one: -seconds.get(tasks[one].given.name, math.inf)):
        if functions[name] not in given_up:
            yield name


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
