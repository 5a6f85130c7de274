"""What an input is known by in a store: its arguments, and the content of the files among them."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

from fettle.store.subject import InputKey
from fettle.training.program import Input


def input_key_of(given: Input, directory: Path, digest: Callable[[Path], str]) -> InputKey:
    """The arguments as one text, and the digests of files that they name.

    `directory` is where the program runs. An argument names a file as it is, or after its "=".
    """
    digests = []
    for word in given.arguments:
        for text in (word, word.partition("=")[2]):
            path = directory / text
            if text and _is_file(path):
                digests.append(digest(path))
                break
    return InputKey(shlex.join(given.arguments), " ".join(digests))


def _is_file(path: Path) -> bool:
    """Whether a file is there; an argument may be longer than any file's name."""
    try:
        return path.is_file()
    except OSError:
        return False
