"""Inputs on the command line: file patterns, @FILE with an input a line, arguments as a text."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path

from fettle.core.errors import FettleError


def given_inputs(words: Sequence[str]) -> list[str | Path]:
    """Patterns of files as the files, @FILE as its lines, everything else as it is."""
    found: list[str | Path] = []
    for word in words:
        if word.startswith("@"):
            found += _lines(Path(word[1:]))
        elif glob.has_magic(word):
            files = sorted(glob.glob(word, recursive=True))  # noqa: PTH207 (also absolute)
            if not files:
                raise FettleError(f"no file matches {word!r} (current directory: {Path.cwd()})")
            found += [Path(file) for file in files]
        else:
            found.append(word)
    return found


def _lines(path: Path) -> list[str]:
    try:
        lines = [line.strip() for line in path.read_text().splitlines()]
    except OSError as error:
        raise FettleError(
            f"cannot read the inputs in {path}: {error.strerror}; @FILE names a text file with one "
            f"input a line (current directory: {Path.cwd()})"
        ) from None
    return [line for line in lines if line and not line.startswith("#")]
