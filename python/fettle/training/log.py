"""The reader of training logs, the text format in which a program tells the tuner what it measured.

JSON Lines, flushed line by line by the program (docs/formats.md). The reader follows a file that
still grows, forgives a last line that a killed program did not finish, and refuses anything else
that is not a record, naming file and line.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fettle.core.errors import MALFORMED, FettleError
from fettle.core.regular_file import regular
from fettle.core.wording import printable, printable_lines
from fettle.training.record import (
    Call,
    End,
    Excluded,
    Failed,
    Header,
    Measured,
    Metered,
    Misuse,
    Reading,
    Record,
    Sample,
    Start,
)

VERSIONS = (1, 2, 3)  # of functions with one metric, with several, with approximate variants
LONGEST_REASON = 1000
_HIGHEST = 2**63 - 1  # the largest whole number of a database


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
            record = _parse(line, is_first=self.header is None)
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


def is_name(text: str) -> bool:
    """Whether a text may be a name (docs/formats.md): UTF-8, without control characters."""
    return not any(unicodedata.category(character) in ("Cc", "Cs") for character in text)


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


def _parse(line: bytes, *, is_first: bool) -> Record:
    fields = json.loads(line.decode("utf-8", "surrogateescape"))
    if not isinstance(fields, dict):
        raise ValueError("not a record (no JSON object)")
    if "fettle_log" in fields:
        return _header(fields)
    event = fields.get("event", "call")
    if is_first and event != "error":
        raise ValueError("the log does not begin with a header")
    if event not in _READERS:
        raise ValueError(f"a record of unknown kind {event!r}")
    return _READERS[event](fields)


def _header(fields: dict[str, Any]) -> Header:
    version = fields["fettle_log"]
    if version not in VERSIONS:
        raise ValueError(
            f"this is a training log of version {version}, this tuner reads versions "
            f"{VERSIONS[0]} to {VERSIONS[-1]}; rebuild the program with the headers of this "
            "Fettle release"
        )
    header = Header(
        function=_text(fields["function"]),
        variants=tuple(_text(name) for name in fields["variants"]),
        features=tuple(_text(name) for name in fields["features"]),
        default=_text(fields["default"]),
        unit=_text(fields.get("unit", "s")),
        larger_is_better=bool(fields.get("larger_is_better", False)),
        machine={
            printable(str(k)): printable(str(v)) for k, v in fields.get("machine", {}).items()
        },
        program=_text(fields.get("program", "")),
        parameters={
            _text(name): dict(entry) for name, entry in fields.get("parameters", {}).items()
        },
        versions={_text(name): _text(v) for name, v in fields.get("versions", {}).items()},
        policy=dict(fields.get("policy", {})),
        metrics={_text(name): _text(unit) for name, unit in fields.get("metrics", {}).items()},
        quality=_quality(fields.get("quality")),
    )
    if len(set(header.variants)) < len(header.variants):
        raise ValueError("two variants have the same name")
    return header


def _quality(given: dict[str, Any] | None) -> dict[str, Any]:
    if given is None:
        return {}
    found: dict[str, Any] = {"approximate": [_text(name) for name in given["approximate"]]}
    if "bound" in given:
        found["bound"] = _number(given["bound"])
    return found


def _call(fields: dict[str, Any]) -> Call:
    nanoseconds = fields.get("feature_ns", {})
    return Call(
        call=_index(fields["call"]),
        input=_text(fields.get("input", "")),
        features={_name(name): _number(value) for name, value in fields["features"].items()},
        feature_seconds={_name(name): _number(value) * 1e-9 for name, value in nanoseconds.items()},
        feature_problems={
            _name(name): _reason_text(value)
            for name, value in fields.get("feature_problems", {}).items()
        },
    )


def _start(fields: dict[str, Any]) -> Start:
    limit = _number(fields.get("limit_s", "inf"))
    return Start(_index(fields["call"]), _name(fields["variant"]), limit)


def _sample(fields: dict[str, Any]) -> Sample:
    metric = tuple(_number(value) for value in fields["metric"])
    bitwise = fields.get("bitwise")
    if bitwise not in (None, True, False):
        raise ValueError(f"expected true or false, found {bitwise!r}")
    lost = _number(fields["lost_s"]) if "lost_s" in fields else None
    others = {
        _name(name): tuple(_number(value) for value in values)
        for name, values in fields.get("others", {}).items()
    }
    if any(len(values) != len(metric) for values in others.values()):
        raise ValueError("not as many values of each metric")
    return Sample(
        _index(fields["call"]),
        _name(fields["variant"]),
        metric,
        lost,
        bitwise,
        others,
        _number(fields["error"]) if "error" in fields else None,
    )


def _metered(fields: dict[str, Any]) -> Metered:
    readings = {
        _name(metric): Reading(
            value=_number(one["value"]),
            sensor=_reason_text(one["sensor"]),
            method=_reason_text(one["method"]),
            window_seconds=_number(one["window_s"]),
            resolution=_number(one["resolution"]),
            note=_reason_text(one.get("note", "")),
            refused=_reason_text(one.get("refused", "")),
        )
        for metric, one in fields["readings"].items()
    }
    return Metered(_index(fields["call"]), _name(fields["variant"]), readings)


def _excluded(fields: dict[str, Any]) -> Excluded:
    return Excluded(
        _index(fields["call"]), _name(fields["variant"]), _reason_text(fields["reason"])
    )


def _failed(fields: dict[str, Any]) -> Failed:
    return Failed(_index(fields["call"]), _name(fields["variant"]), _reason_text(fields["reason"]))


def _measured(fields: dict[str, Any]) -> Measured:
    return Measured(_index(fields["call"]), _name(fields["variant"]))


def _end(fields: dict[str, Any]) -> End:
    return End(_index(fields["call"]), _text(fields["outcome"]), _text(fields.get("best") or ""))


def _misuse(fields: dict[str, Any]) -> Misuse:
    return Misuse(_reason_text(fields["reason"]))


_READERS: dict[str, Callable[[dict[str, Any]], Record]] = {
    "call": _call,
    "start": _start,
    "sample": _sample,
    "metered": _metered,
    "excluded": _excluded,
    "failed": _failed,
    "measured": _measured,
    "end": _end,
    "error": _misuse,
}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a text, found {value!r}")
    return value


def _name(value: object) -> str:
    """A name as the header has it, which the recorder has checked."""
    text = _text(value)
    if not is_name(text):
        raise ValueError(f"a name with characters that no name has: {text[:40]!r}")
    return text


def _reason_text(value: object) -> str:
    """A text for people: what an exception says may be of any bytes and any length."""
    text = _text(value)
    return printable_lines(text[:LONGEST_REASON]) + ("..." if len(text) > LONGEST_REASON else "")


def _index(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _HIGHEST:
        raise ValueError(f"expected a call number, found {value!r}")
    return value


def _number(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if value in ("inf", "-inf", "nan"):
        return float(str(value))
    raise ValueError(f"expected a number, found {value!r}")
