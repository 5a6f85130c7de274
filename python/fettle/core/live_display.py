"""The progress of measuring as a live bar on a terminal, by rich."""

from __future__ import annotations

import sys
from typing import TextIO

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

from fettle.core.wording import printable_lines


class LiveDisplay:
    """A bar with the time left, the input and the variant, by rich."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._console = Console(file=stream or sys.stderr, highlight=False)
        self._progress: Progress | None = None
        self._task = TaskID(0)
        self._input = ""

    def begin(self, what: str, total: int, unit: str = "input") -> None:
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
        self._console.print(printable_lines(text), markup=False, soft_wrap=True)

    def _describe(self, text: str) -> None:
        if self._progress:
            self._progress.update(self._task, description=text)


def _short(name: str) -> str:
    return name if len(name) <= 40 else "..." + name[-37:]
