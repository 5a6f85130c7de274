"""The program under tuning: where it is, what it is started with, which inputs it gets."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.core.wording import printable
from fettle.store.file_digest import file_digest


class ProgramError(FettleError):
    """The program cannot be found or started, or does not train the function."""


class InputError(FettleError):
    """One input cannot be measured; others may."""


@dataclass(frozen=True)
class Input:
    """One start of the program: a name for people, and the arguments as the system takes them."""

    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Program:
    """How the program is started: `prefix... path arguments...` in `directory`."""

    name: str
    directory: Path
    prefix: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def path(self) -> Path:
        """Where it is: a path as given, ./NAME, or NAME on the PATH. Raises ProgramError."""
        here = (self.directory / self.name).resolve()
        if here.is_file() and os.access(here, os.X_OK):
            return here
        if here.is_dir():
            raise ProgramError(f"the program {here} is a folder; give the file in it")
        if here.is_file():
            raise ProgramError(f"the program {here} is not executable; try: chmod +x {here}")
        if "/" not in self.name:
            found = shutil.which(self.name, path=self.full_environment().get("PATH"))
            if found:
                return Path(found).resolve()
            raise ProgramError(
                f"the program {self.name!r} was found neither as {here} nor on the PATH; build it "
                "first or give the tuner a build command (set_build_command)"
            )
        raise ProgramError(
            f"the program {here} does not exist; build it first or give the tuner a build command "
            "(set_build_command)"
        )

    def command(self, given: Input) -> list[str]:
        """The command line for one input."""
        return [*self.prefix, str(self.path()), *given.arguments]

    def full_environment(self) -> dict[str, str]:
        """This process's environment with the user's additions."""
        return {**os.environ, **self.environment}

    def fingerprint(self) -> str:
        """A digest of the program file: equal for equal builds."""
        return file_digest(self.path())

    def status(self) -> tuple[int, ...]:
        """Numbers that are others where the program file is another one, or was written again."""
        its = self.path().stat()
        return its.st_dev, its.st_ino, its.st_size, its.st_mtime_ns, its.st_ctime_ns


def parse_inputs(
    arguments: Iterable[str | os.PathLike[str] | Sequence[str]]
    | Mapping[str, str | os.PathLike[str] | Sequence[str]],
    *,
    what: str,
    directory: Path,
) -> tuple[Input, ...]:
    """The inputs of `set_training_args` and `set_test_args`: one start of the program each.

    A text is split into arguments as a shell would, unless it names an existing file; a list is
    taken as it is. A mapping gives the inputs names. The same arguments twice count once. Raises
    FettleError for an empty list or an input that is not a text.
    """
    if isinstance(arguments, str | bytes):
        raise FettleError(f"{what}: expected a list of inputs, not the text {arguments!r}")
    if not isinstance(arguments, Iterable):
        raise FettleError(f"{what}: expected a list of inputs, not {arguments!r}")
    named: Iterable[tuple[str | None, str | os.PathLike[str] | Sequence[str]]]
    if isinstance(arguments, Mapping):
        named = arguments.items()
    else:
        named = ((None, given) for given in arguments)
    inputs: dict[tuple[str, ...], Input] = {}
    names: set[str] = set()
    for name, given in named:
        words = _words(given, what, directory)
        if any("\0" in word for word in words):
            raise FettleError(f"{what}: {given!r} has a NUL character, which no argument can have")
        if words in inputs:
            continue
        shown = printable(
            str(name) if name is not None else (shlex.join(words) if words else "(no arguments)")
        )
        if shown in names:
            raise FettleError(f"{what}: two inputs are named {shown!r}")
        names.add(shown)
        inputs[words] = Input(shown, words)
    if not inputs:
        raise FettleError(
            f"{what}: the list of inputs is empty; if it comes from a file pattern, nothing "
            f"matched it (current directory: {Path.cwd()})"
        )
    return tuple(inputs.values())


def _words(
    given: str | os.PathLike[str] | Sequence[str], what: str, directory: Path
) -> tuple[str, ...]:
    if isinstance(given, os.PathLike):
        return (os.fspath(given),)
    if isinstance(given, str):
        with contextlib.suppress(OSError, ValueError):  # longer than any file's name, or with a NUL
            if given and (directory / given).exists():
                return (given,)
        try:
            return tuple(shlex.split(given))
        except ValueError as error:
            raise FettleError(f"{what}: cannot split {given!r} into arguments: {error}") from None
    if not isinstance(given, Iterable):
        raise FettleError(
            f"{what}: an input must be a text or a list of texts, not {given!r}; write str(...)"
        )
    words = tuple(os.fspath(word) if isinstance(word, os.PathLike) else word for word in given)
    if not all(isinstance(word, str) for word in words):
        raise FettleError(f"{what}: the arguments of an input must be texts, not {given!r}")
    return words
