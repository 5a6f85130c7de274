"""Keeps the program built: generated headers, the user's clean and build commands.

The commands' output is shown only when they fail.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.core.written_file import holds, write_whole
from fettle.processes import SupervisedProcess
from fettle.store.base import Store

LINES_SHOWN = 40


class BuildError(FettleError):
    """A clean or build command failed; names command, exit code and the end of its output."""


def run_command(
    what: str,
    command: str | Sequence[str],
    *,
    directory: Path,
    environment: Mapping[str, str],
) -> float:
    """Runs `command` (a text: by the shell; a list: directly) in `directory`; returns its seconds.

    `what` is "build" or "clean", for the message. Raises BuildError unless it exits with 0.
    """
    shown = command if isinstance(command, str) else shlex.join(command)
    begin = time.monotonic()
    try:
        with SupervisedProcess(command, directory=directory, environment=environment) as process:
            status = process.wait()
            output = process.output.text().splitlines()
    except OSError as error:
        raise BuildError(
            f"the {what} command `{shown}` cannot be started in {directory}: {error.strerror}; is "
            "it installed, and the folder there?"
        ) from None
    if status != 0:
        tail = "\n".join(f"  {line}" for line in output[-LINES_SHOWN:]) or "  (no output)"
        raise BuildError(
            f"the {what} command `{shown}` failed with exit code {status} "
            f"in {directory}; the end of its output:\n{tail}"
        )
    return time.monotonic() - begin


def write_generated(path: Path, text: str) -> None:
    """Writes a generated file, with its folder. Raises BuildError; the old file stays then."""
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise BuildError(
            f"cannot write {path}: {error.strerror}; make it possible or name another place"
        ) from None


def defines_text(defines: Mapping[str, int]) -> str:
    """As a compiler takes them: "-DTILE=8 -DUNROLL=2"."""
    return " ".join(f"-D{name}={value}" for name, value in defines.items())


def with_defines(command: str | Sequence[str], defines: Mapping[str, int]) -> str | Sequence[str]:
    """The command with its {defines} replaced; a list's word becomes a word for each macro."""
    text = defines_text(defines)
    if isinstance(command, str):
        return command.replace("{defines}", text)
    words: list[str] = []
    for word in command:
        words += text.split() if word == "{defines}" else [word.replace("{defines}", text)]
    return words


def takes_defines(command: str | Sequence[str] | None) -> bool:
    """Whether a build command hands macros on to the compiler, as far as can be seen."""
    words = [command] if isinstance(command, str) else list(command or [])
    return any("{defines}" in word or "FETTLE_DEFINES" in word for word in words)


@dataclass
class Build:
    """Keeps the program up to date with its generated headers.

    When a header changed, the clean command runs before the build command, because not every build
    system sees it. The build command runs each time: most find in no time that nothing is to do.
    """

    directory: Path
    environment: Mapping[str, str]
    store: Store
    build_command: str | Sequence[str] | None = None
    clean_command: str | Sequence[str] | None = None
    seconds: float = 0.0
    defines: Mapping[str, int] = field(default_factory=dict)
    """Macros that the build command gets, as -DNAME=VALUE, in place of {defines}."""

    def write(self, path: Path, text: str) -> None:
        """Writes a generated header; a change makes the next `bring_up_to_date` clean first."""
        # Noted before the change: a tuner that dies, or a build that fails, must not forget it.
        if not holds(path, text):
            self.store.set_note(self._pending, "yes")
            write_generated(path, text)

    def bring_up_to_date(self, *, clean: bool = False) -> None:
        """Cleans where a header changed or `clean` asks for it, and builds. Raises BuildError."""
        defined = defines_text(self.defines)
        if defined != (self.store.note(self._defined) or ""):
            clean = True  # build systems do not see that a command has changed
        if self.clean_command and (clean or self.store.note(self._pending)):
            self.seconds += run_command(
                "clean",
                self.clean_command,
                directory=self.directory,
                environment=self.environment,
            )
        if self.build_command:
            self.store.set_note(self._defined, "unknown")  # until the build has come to its end
            self.seconds += run_command(
                "build",
                with_defines(self.build_command, self.defines),
                directory=self.directory,
                environment={**self.environment, "FETTLE_DEFINES": defined},
            )
            self.store.set_note(self._defined, defined or None)
        self.store.set_note(self._pending, None)

    @property
    def is_pending(self) -> bool:
        """Whether a header has changed since the last successful build."""
        return self.store.note(self._pending) is not None

    @property
    def _defined(self) -> str:
        return f"macros of the last build in {self.directory}"

    @property
    def _pending(self) -> str:
        return f"headers changed since the last build in {self.directory}"
