"""Lines, words, names and numbers of model files, and the error that says what is wrong."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import NoReturn
from urllib.parse import unquote_to_bytes

from fettle.core.errors import FettleError

REMEDY = "run the tuning script again"

_REAL = re.compile(r"-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_INTEGER = re.compile(r"\d+", re.ASCII)
_ESCAPES = re.compile(r"(?:[^%]|%[0-9A-Fa-f]{2})*")


class ModelError(FettleError):
    """A model that cannot be written, or a file that holds none."""


class Lines:
    """The lines of a model file, one after the other, each as its words."""

    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.number = 0
        self._lines = text.split("\n")
        self._is_cut = self._lines.pop() != ""

    def __bool__(self) -> bool:
        """Whether there is another line."""
        return self.number < len(self._lines) or self._is_cut

    def next(self, what: str) -> list[str]:
        """The words of the next line, which should hold `what`."""
        self.number += 1
        if self.number > len(self._lines):
            where = "in the middle of a line" if self._is_cut else f"where {what} should be"
            self.fail(f"the file ends {where}: it is truncated")
        words = self._lines[self.number - 1].split(" ")
        return [word for word in words if word]

    def fail(self, what: str) -> NoReturn:
        """Say what is wrong with the current line."""
        raise ModelError(f"'{self.file}' line {self.number}: {what}; {REMEDY}")

    def expect(self, words: list[str], count: int, what: str) -> None:
        """There must be so many words, as `what` shows."""
        if len(words) != count:
            self.fail(f"{' '.join(words[:4])!r} should be {what!r}")

    def integer(self, word: str, what: str, low: int, high: int) -> int:
        """A whole number in [low, high]."""
        # No file holds longer numbers; Python refuses to convert those of some thousand digits.
        if not _INTEGER.fullmatch(word) or len(word) > 20:
            self.fail(f"{word[:40]!r} is not a number of the right kind for {what}")
        if not low <= int(word) <= high:
            self.fail(f"{what} is {word}, but must be within {low} and {high}")
        return int(word)

    def real(self, word: str, what: str) -> float:
        """A finite number."""
        if not _REAL.fullmatch(word) or not math.isfinite(float(word)):
            self.fail(f"{word[:40]!r} is not a finite number for {what}")
        return float(word)

    def name(self, word: str) -> str:
        """A name, its percent escapes undone."""
        if not _ESCAPES.fullmatch(word):
            self.fail(f"{word[:40]!r} has a broken escape")
        return unquote_to_bytes(word.encode(errors="surrogateescape")).decode(
            errors="surrogateescape"
        )


def percent_encoded(name: str) -> str:
    """`name` with blanks, control characters, '%', ',' and '=' as %XX."""
    return "".join(f"%{ord(c):02X}" if c <= " " or c == "\x7f" or c in "%,=" else c for c in name)


def number_text(value: float) -> str:
    """The shortest text that reads back to `value`."""
    return repr(float(value)).removesuffix(".0")
