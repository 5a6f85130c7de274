"""What people see while the tuner measures: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from typing import Protocol, TextIO

from fettle.core.wording import counted, printable_lines


class Display(Protocol):
    """Shows the progress of tuning."""

    def begin(self, what: str, total: int, unit: str = "input") -> None:
        """A stage with `total` inputs, or other things, begins."""

    def input(self, name: str) -> None:
        """The program is being started for this input."""

    def variant(self, name: str) -> None:
        """This variant is running."""

    def advance(self) -> None:
        """One more input of the stage is done."""

    def end(self) -> None:
        """The stage is over; the terminal is as it was."""

    def say(self, text: str) -> None:
        """A message, on a separate line."""


class PlainDisplay:
    """Lines without control characters, for files, pipes and continuous integration."""

    def __init__(self, stream: TextIO | None = None, *, every_seconds: float = 10.0) -> None:
        self._stream = stream
        self._every = every_seconds
        self._what = ""
        self._done = self._total = 0
        self._begin = self._shown = 0.0

    def begin(self, what: str, total: int, unit: str = "input") -> None:
        """Prints the stage."""
        self._what, self._total, self._done = what, total, 0
        self._begin = self._shown = time.monotonic()
        if total:
            self.say(f"{what}: {counted(total, unit)}")

    def input(self, name: str) -> None:
        """Nothing: a line for each input would be too many."""

    def variant(self, name: str) -> None:
        """Nothing: a line for each variant would be too many."""

    def advance(self) -> None:
        """Prints how far it is, every ten seconds and at the end."""
        if not self._total:  # no stage is active
            return
        self._done += 1
        now = time.monotonic()
        if self._done == self._total or now - self._shown >= self._every:
            self._shown = now
            spent = now - self._begin
            left = spent / self._done * (self._total - self._done)
            self.say(f"{self._what}: {self._done}/{self._total}, {spent:.0f} s, {left:.0f} s left")

    def end(self) -> None:
        """Ends the stage."""
        self._total = 0

    def say(self, text: str) -> None:
        """Prints a line."""
        print(printable_lines(text), file=self._stream or sys.stderr, flush=True)


class Silence:
    """Shows nothing."""

    def begin(self, what: str, total: int, unit: str = "input") -> None:
        """Nothing."""

    def input(self, name: str) -> None:
        """Nothing."""

    def variant(self, name: str) -> None:
        """Nothing."""

    def advance(self) -> None:
        """Nothing."""

    def end(self) -> None:
        """Nothing."""

    def say(self, text: str) -> None:
        """Nothing."""


def default_display() -> Display:
    """A live bar on a terminal; plain lines elsewhere, under NO_COLOR or CI, and without rich."""
    plain = any(os.environ.get(name) for name in ("NO_COLOR", "CI"))
    if plain or os.environ.get("TERM") == "dumb" or not sys.stderr.isatty():
        return PlainDisplay()
    try:
        from fettle.core.live_display import LiveDisplay
    except ModuleNotFoundError:  # machines that only measure
        return PlainDisplay()
    return LiveDisplay()
