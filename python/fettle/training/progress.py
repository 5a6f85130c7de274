"""What people see while the tuner measures: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class Display(Protocol):
    """Told what happens; shows it as it can."""

    def begin(self, what: str, total: int) -> None:
        """A stage with `total` inputs begins."""

    def input(self, name: str) -> None:
        """The program is being started for this input."""

    def variant(self, name: str) -> None:
        """This variant is running."""

    def advance(self) -> None:
        """One more input of the stage is done."""

    def end(self) -> None:
        """The stage is over; the terminal is as it was."""

    def say(self, text: str) -> None:
        """Something worth a line of its own."""


class LiveDisplay:
    """A bar with the time left, the input and the variant, by rich."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._console = Console(file=stream or sys.stderr, highlight=False)
        self._progress: Progress | None = None
        self._task = TaskID(0)
        self._input = ""

    def begin(self, what: str, total: int) -> None:
        """Starts a bar."""
        self.end()
        self._progress = Progress(
            TextColumn("{task.fields[what]}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.description}", markup=False),
            console=self._console,
            refresh_per_second=4,  # the bar must not disturb what is measured
        )
        self._task = self._progress.add_task("", total=total, what=what)
        self._progress.start()

    def input(self, name: str) -> None:
        """Shows the input beside the bar."""
        self._input = _short(name)
        self._describe(self._input)
        if self._progress:
            self._progress.refresh()

    def variant(self, name: str) -> None:
        """Shows the variant beside the input."""
        self._describe(f"{self._input}  {name}")

    def advance(self) -> None:
        """Moves the bar on."""
        if self._progress:
            self._progress.advance(self._task)

    def end(self) -> None:
        """Leaves the bar as it is and gives the terminal back."""
        if self._progress:
            self._describe("")
            self._progress.stop()
            self._progress = None

    def say(self, text: str) -> None:
        """Prints a line above the bar."""
        self._console.print(text, markup=False, soft_wrap=True)

    def _describe(self, text: str) -> None:
        if self._progress:
            self._progress.update(self._task, description=text)


class PlainDisplay:
    """Lines without control characters, for files, pipes and continuous integration."""

    def __init__(self, stream: TextIO | None = None, *, every_seconds: float = 10.0) -> None:
        self._stream = stream
        self._every = every_seconds
        self._what = ""
        self._done = self._total = 0
        self._begin = self._shown = 0.0

    def begin(self, what: str, total: int) -> None:
        """Prints the stage."""
        self._what, self._total, self._done = what, total, 0
        self._begin = self._shown = time.monotonic()
        if total:
            self.say(f"{what}: {total} input{'s' if total != 1 else ''}")

    def input(self, name: str) -> None:
        """Nothing: a line for each input would be too many."""

    def variant(self, name: str) -> None:
        """Nothing: a line for each variant would be too many."""

    def advance(self) -> None:
        """Prints how far it is, every ten seconds and at the end."""
        self._done += 1
        now = time.monotonic()
        if self._done == self._total or now - self._shown >= self._every:
            self._shown = now
            spent = now - self._begin
            left = spent / self._done * (self._total - self._done)
            self.say(f"{self._what}: {self._done}/{self._total}, {spent:.0f} s, {left:.0f} s left")

    def end(self) -> None:
        """Nothing to give back."""

    def say(self, text: str) -> None:
        """Prints a line."""
        print(text, file=self._stream or sys.stderr, flush=True)


class Silence:
    """Shows nothing."""

    def begin(self, what: str, total: int) -> None:
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
    """A live bar on a terminal; plain lines where there is none, and under NO_COLOR or CI."""
    plain = any(os.environ.get(name) for name in ("NO_COLOR", "CI"))
    if plain or os.environ.get("TERM") == "dumb" or not sys.stderr.isatty():
        return PlainDisplay()
    return LiveDisplay()


def _short(name: str) -> str:
    return name if len(name) <= 40 else "..." + name[-37:]
