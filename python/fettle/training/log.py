"""The reader of training logs, the text format in which a program tells the tuner what it measured.

JSON Lines, flushed line by line by the program (docs/formats.md). The reader follows a file that
still grows, forgives a last line that a killed program did not finish, and refuses anything else
that is not a record, naming file and line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from fettle.core.errors import MALFORMED, FettleError
from fettle.core.regular_file import regular
from fettle.core.wording import printable
from fettle.training.record import Header, Record
from fettle.training.record_parser import record_of


class LogError(FettleError):
    """A training log that cannot be read; names file and line."""


class LogReader:
    """Reads the records of one start of the program while the file grows.

    `read()` yields what has become complete since it was last called. A file that does not exist
    yet has no records. Costs one read of the new bytes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: Header | None = None
        self._offset = 0
        self._line = 0
        self._rest = b""

    def read(self) -> Iterator[Record]:
        """The records that have become complete since the last call. Raises LogError."""
        try:
            with open(self.path, "rb", opener=regular) as file:
                file.seek(self._offset)
                new = file.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise LogError(
                f"cannot read the training log {self.path}: {error.strerror}; name the file that "
                "the program writes"
            ) from None
        self._offset += len(new)
        *lines, self._rest = (self._rest + new).split(b"\n")
        for line in lines:
            self._line += 1
            yield self._record(line)

    @property
    def truncated(self) -> bool:
        """Whether the bytes read so far end in the middle of a line."""
        return bool(self._rest)

    def _record(self, line: bytes) -> Record:
        try:
            record = record_of(line, is_first=self.header is None)
        except MALFORMED as error:
            raise self._error(_reason(error), line) from None
        if isinstance(record, Header):
            if self.header is None:
                self.header = record
            elif not _same_function(record, self.header):
                raise self._error("a second header describes other variants or features", line)
        return record

    def _error(self, reason: str, line: bytes) -> LogError:
        shown = line[:80].decode("utf-8", "surrogateescape")
        return LogError(
            f"{printable(str(self.path))}:{self._line}: {printable(reason[:200])}: "
            f"'{printable(shown)}'\n"
            "A training log is written by the Fettle library alone; make sure that nothing else "
            "writes to the file that FETTLE_TRAINING_LOG names and that program and tuner are of "
            "the same Fettle release."
        )


def read_log(path: Path) -> list[Record]:
    """All complete records of a log file; a cut last line is left out. Raises LogError."""
    return list(LogReader(path).read())


def _same_function(one: Header, other: Header) -> bool:
    return (one.function, one.variants, one.features) == (
        other.function,
        other.variants,
        other.features,
    )


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"a record without {error}"
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError):
        return "not a record (no JSON)"
    return str(error) or "not a record"
