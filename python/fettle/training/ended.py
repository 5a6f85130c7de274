"""How a start of the program ended, in the user's words: whether the input failed, and of what."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from fettle.core.wording import printable
from fettle.training.run import Ending


@dataclass(frozen=True)
class Ended:
    """A start of the program for an input, which ended outside the variants of a function."""

    function: str
    input: str
    command: Sequence[str]
    ending: Ending

    def failure(self, measured_calls: int) -> str | None:
        """Why the input failed; None where the start has brought what it should."""
        if self.ending.died and not measured_calls:
            where = "before it called" if self.ending.header is None else "outside the variants of"
            return (
                f"{self.input}: the program {self.ending.describe()} {where} {self.function!r}\n"
                f"  command: {self._command}\n{_indented(self.ending.output)}"
            )
        if self.ending.header is None:
            return (
                f"{self.input}: the program ended without calling a tuned function named "
                f"{self.function!r}. Is that the name in its policy, is the program built with "
                "Fettle's headers, and does it call the function for this input?\n"
                f"  command: {self._command}\n{_indented(self.ending.output)}"
            )
        if not measured_calls:
            return (
                f"{self.input}: the program never called {self.function!r} in a way that "
                f"could be measured (command: {self._command})"
            )
        return None

    def died_later(self, measured_calls: int) -> str:
        """The warning of a program that died after calls that were measured."""
        return (
            f"{self.input}: the program {self.ending.describe()} outside the measured runs, such "
            f"as in the default variant's own one, after {measured_calls} measured call(s); what "
            "was measured is kept"
        )

    @property
    def _command(self) -> str:
        return printable(shlex.join(self.command))


def _indented(text: str) -> str:
    return "\n".join(f"  | {line}" for line in text.splitlines()) or "  (it printed nothing)"
