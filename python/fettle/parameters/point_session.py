"""Measures points of one call of an input, in as few starts of the program as crashes allow.

The program reads the points from a pipe and writes what they took to its training log, so that a
search strategy can ask for one after the other while the program holds the input.
"""

from __future__ import annotations

import contextlib
import math
import os
import types
from collections.abc import Sequence
from pathlib import Path

from fettle.store.contents import Example
from fettle.store.subject import InputKey
from fettle.training.costs import cost_of
from fettle.training.measure import Measurer
from fettle.training.program import Input, InputError
from fettle.training.record import Excluded, Failed, Measured, Record
from fettle.training.recorder import Recorder
from fettle.training.request import Request, encoded
from fettle.training.run import Ending, ProgramRun

POLL_SECONDS = 0.002  # most points are measured in a few milliseconds


class PointSession:
    """Points of call `call` of an input. A context manager: the program has ended after it."""

    def __init__(self, measurer: Measurer, given: Input, call: int) -> None:
        self._measurer = measurer
        self._given = given
        self._call = call
        self._key: InputKey = measurer.key(given)
        self._run: ProgramRun | None = None
        self._recorder: Recorder | None = None
        self._request: Request | None = None
        self._pipe: Path | None = None
        self._writing: int | None = None
        self._waiting: str | None = None  # for the point that the program was asked to measure

    def __enter__(self) -> PointSession:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        try:
            if kind is None and self._run is not None:
                self._close_pipe()
                ending = self._run.follow()
                assert ending is not None
                self._conclude(ending)
        finally:
            self._stop()

    def example(self) -> Example:
        """What is known of the call."""
        found = [e for e in self._measurer.examples(self._given) if e.call == self._call]
        assert found  # its features were measured with the variants
        return found[0]

    def measure(self, name: str) -> float:
        """The cost of a point, infinite where it fails; measured unless it is known.

        Raises InputError where the program no longer reaches the call.
        """
        if (cost := self._cost(name)) is not None:
            return cost
        self._measurer.spent.points += 1
        self._ask(name)
        cost = self._cost(name)
        if cost is None:
            raise InputError(
                f"{self._given.name}: the program ended without measuring {name!r}; it must make "
                "the same calls each time that it is started with the same arguments"
            )
        return cost

    def again(self, names: Sequence[str]) -> None:
        """More samples of points that are known already, one point after the other.

        The next is asked for when the last one is in the store: this process at work beside the
        program would slow it down by a half where they share a core.
        """
        for name in names:
            self._ask(name)

    def _ask(self, name: str) -> None:
        if self._run is None:
            self._start()
        assert self._run is not None and self._writing is not None
        self._waiting = name
        os.write(self._writing, f"{encoded(name)}\n".encode(errors="surrogateescape"))
        ending = self._run.follow(lambda: self._waiting is None)
        if ending is not None:
            self._conclude(ending)

    def _cost(self, name: str) -> float | None:
        offer = self._measurer.offer
        assert offer is not None
        example = self.example()
        return cost_of(example, name, offer) if name in example.verdicts else None

    def _handle(self, record: Record) -> None:
        assert self._recorder is not None
        self._recorder.handle(record)
        if isinstance(record, Measured | Failed | Excluded) and record.variant == self._waiting:
            self._waiting = None

    def _start(self) -> None:
        measurer = self._measurer
        number = measurer.spent.program_starts
        log = measurer.logs / f"{number:06d}.jsonl"
        self._pipe = measurer.logs / f"{number:06d}.points"
        os.mkfifo(self._pipe)
        # For reading too, so that this does not wait for the program, which may never read.
        self._writing = os.open(self._pipe, os.O_RDWR)
        self._request = Request(
            measurer.subject.function,
            self._given.name,
            first_call=self._call,
            last_call=self._call,
            best_seconds=self._best_seconds(),
            points_from=str(self._pipe),
            measuring=measurer.measuring,
        )
        measurer.display.input(self._given.name)
        self._recorder = Recorder(measurer, self._key, self._request)
        measurer.spent.program_starts += 1
        self._run = ProgramRun(
            measurer.program.command(self._given),
            directory=measurer.program.directory,
            environment={
                **measurer.program.full_environment(),
                **self._request.environment(str(log)),
            },
            log=log,
            handle=self._handle,
            silence_seconds=measurer.silence_seconds,
            together=measurer.store.together,
            poll_seconds=POLL_SECONDS,
        )

    def _best_seconds(self) -> float | None:
        offer, example = self._measurer.offer, self.example()
        assert offer is not None
        if offer.unit != "s" or self._measurer.view is not None:
            return self._measurer.seconds_seen.get(self._call)
        best = min((cost_of(example, name, offer) for name in example.verdicts), default=math.inf)
        return best if math.isfinite(best) else None

    def _conclude(self, ending: Ending) -> None:
        """Keeps what the program's end says; the next point starts it again."""
        assert self._recorder is not None and self._request is not None
        self._measurer.spent.seconds += ending.seconds
        try:
            self._measurer.conclude(self._given, self._key, self._request, self._recorder, ending)
        finally:
            self._stop()

    def _close_pipe(self) -> None:
        if self._writing is not None:
            os.close(self._writing)
            self._writing = None

    def _stop(self) -> None:
        self._close_pipe()
        if self._run is not None:
            self._run.__exit__(None, None, None)
            self._run = None
        if self._pipe is not None:
            with contextlib.suppress(FileNotFoundError):
                self._pipe.unlink()
            self._pipe.with_suffix(".jsonl").unlink(missing_ok=True)
            self._pipe = None
