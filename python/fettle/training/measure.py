"""Measures inputs of one function: starts the program, keeps each record as it arrives, goes on
behind a variant that crashed or hung, until nothing of the input is missing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from fettle.store.contents import Example
from fettle.store.subject import InputKey
from fettle.training.ended import Ended
from fettle.training.measured_function import MeasuredFunction
from fettle.training.patience import Patience
from fettle.training.plan import next_request
from fettle.training.program import Input, InputError
from fettle.training.recorder import Recorder
from fettle.training.request import Measuring, Request
from fettle.training.run import Ending, run_program


class Workers(Protocol):
    """Others that measure in place of this process, at the same time (remote_pool.py)."""

    @property
    def are_elsewhere(self) -> bool:
        """Whether they are machines of another identity than this one."""

    def measure(
        self,
        measurer: Measurer,
        inputs: Sequence[Input],
        want: Literal["measure", "features", "call", "probe"],
        *,
        deadline: float | None = None,
        call: int | None = None,
    ) -> Iterator[tuple[Input, InputError | None]]:
        """Measures inputs as `Measurer` does one; yields each that is done, with its error."""

    def measure_together(self, work: Sequence[tuple[Measurer, Sequence[Input]]]) -> None:
        """Measures what is missing of several functions' inputs, all in one queue."""


@dataclass
class Measurer(MeasuredFunction):
    """Measures one function of a program into a store."""

    measuring: Measuring = field(default_factory=Measuring)
    silence_seconds: float = 300.0
    patience: Patience | None = None
    may_measure: bool = True  # False: the program is not started
    clocks: tuple[int, ...] = ()  # MHz at which each variant is measured, too
    skip: frozenset[str] = frozenset()  # variants that are not run; they count as unmeasured
    fresh_variants: tuple[str, ...] = ()  # to be measured anew; others than this function's too
    workers: Workers | None = None  # who start the program; None: this process
    early: dict[str, InputError | None] = field(default_factory=dict)  # before its turn, by input

    def is_complete(self, given: Input, want: Literal["measure", "features"] = "measure") -> bool:
        """Whether the store has everything wanted of an input, by what is known of the program."""
        return self._next(given, self.key(given), want) is None

    def measure(self, given: Input, want: Literal["measure", "features"] = "measure") -> bool:
        """Starts the program until nothing wanted of the input is missing; False: nothing was.

        Raises InputError where the input cannot be measured, ProgramError where no input can.
        """
        key = self.key(given)
        started = False
        if self.workers is not None:
            if self._next(given, key, want) is None:
                return False
            self._ask_workers(given, want)
            return True
        self.seconds_seen.clear()
        while (request := self._next(given, key, want)) is not None:
            started = True
            before = self._state(key)
            self._run_once(given, key, request)
            if self._state(key) == before:
                raise InputError(
                    f"{given.name}: the program runs to its end but does not reach call "
                    f"{request.first_call} again; it must make the same calls each time that it "
                    "is started with the same arguments"
                )
        return started

    def measure_call(self, given: Input, call: int) -> Example:
        """Measures one call, and what else the store lacks of it; all that is known of it then.

        Raises InputError where the program does not reach it, ProgramError where none can.
        """
        key = self.key(given)
        if self.workers is not None:
            self._ask_workers(given, "call", call)
        while True:
            known = [one for one in self.store.examples(self.subject, key) if one.call == call]
            if known and self.offer and known[0].verdicts.keys() >= set(self.offer.variants):
                return known[0]
            request = self._next_of(given, known, None, "measure")
            before = self._state(key)
            if request is not None:
                self._run_once(given, key, replace(request, first_call=call, last_call=call))
            if self._state(key) == before:
                raise InputError(f"{given.name}: the program does not reach call {call} again")

    def probe(self, given: Input) -> None:
        """Asks the program what it offers now, by one start that evaluates features only."""
        if self.workers is not None:
            self._ask_workers(given, "probe")
            return
        self._run_once(
            given, self.key(given), Request(self.subject.function, given.name, "features")
        )

    def _ask_workers(
        self,
        given: Input,
        want: Literal["measure", "features", "call", "probe"],
        call: int | None = None,
    ) -> None:
        assert self.workers is not None
        for _, error in self.workers.measure(self, [given], want, call=call):
            if error is not None:
                raise error

    def measured(
        self,
        inputs: Sequence[Input],
        want: Literal["measure", "features"],
        deadline: float | None = None,
    ) -> Iterator[tuple[Input, InputError | None]]:
        """Measures inputs, at the same time where there are workers; yields each that is done.

        After `deadline` (of `time.monotonic`) none is begun. Raises ProgramError where no input can
        be measured.
        """
        if self.workers is not None:
            yield from self.workers.measure(self, inputs, want, deadline=deadline)
            return
        for given in inputs:
            if deadline is not None and time.monotonic() > deadline:
                return
            try:
                self.measure(given, want)
            except InputError as error:
                yield given, error
            else:
                yield given, None

    def _next(
        self, given: Input, key: InputKey, want: Literal["measure", "features"]
    ) -> Request | None:
        examples = self.store.examples(self.subject, key)
        return self._next_of(given, examples, self.store.finished_calls(self.subject, key), want)

    def _next_of(
        self,
        given: Input,
        examples: Sequence[Example],
        finished_calls: int | None,
        want: Literal["measure", "features"],
    ) -> Request | None:
        request = next_request(
            self.subject.function,
            given.name,
            want,
            self.offer,
            examples,
            finished_calls,
            self.measuring,
            self.seconds_seen,
        )
        if request is None or not self.skip:
            return request
        return replace(request, skip=(*request.skip, *sorted(self.skip - {*request.skip})))

    def _state(self, key: InputKey) -> object:
        """Changes whenever a start of the program has brought anything that counts."""
        examples = self.store.examples(self.subject, key)
        settled = [(e.call, sorted(e.verdicts), sorted(e.features)) for e in examples]
        return settled, self.store.finished_calls(self.subject, key), self.offer

    def _run_once(self, given: Input, key: InputKey, request: Request) -> None:
        self.require_same_build()
        self.display.input(given.name)
        request = replace(request, clocks=self.clocks)
        recorder = Recorder(self, key, request)
        log = self.logs / f"{self.spent.program_starts:06d}.jsonl"
        self.spent.program_starts += 1
        self.spent.measuring_starts += request.mode == "measure"
        ending = run_program(
            self.program.command(given),
            directory=self.program.directory,
            environment={**self.program.full_environment(), **request.environment(str(log))},
            log=log,
            handle=recorder.handle,
            silence_seconds=self.silence_seconds,
            patience=self.patience,
            together=self.store.together,
        )
        log.unlink(missing_ok=True)  # kept only where it could not be read
        self.spent.seconds += ending.seconds
        self.conclude(given, key, request, recorder, ending)

    def conclude(
        self, given: Input, key: InputKey, request: Request, recorder: Recorder, ending: Ending
    ) -> None:
        """Keeps what the end of a start of the program says. Raises InputError."""
        if ending.running is not None:
            variant = ending.running.variant
            recorder.keep_run()
            self.store.add_verdict(
                self.subject, key, ending.running.call, variant, "failed", ending.describe()
            )
            return
        complete = [e for e in self.examples(given) if recorder.is_complete(e)]
        how = Ended(self.subject.function, given.name, self.program.command(given), ending)
        failure = how.failure(len(complete))
        if failure:
            raise InputError(failure)
        if ending.died:
            self.warn(how.died_later(len(complete)))
        if request.last_call is None:
            self.store.finish(self.subject, key, complete[-1].call + 1)
