"""Makes a record of a line of a training log: one JSON object, whose `event` names its kind.

What the members of each kind mean stands in docs/formats.md, section 2.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from typing import Any

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


def is_name(text: str) -> bool:
    """Whether a text may be a name (docs/formats.md): UTF-8, without control characters."""
    return not any(unicodedata.category(character) in ("Cc", "Cs") for character in text)


def record_of(line: bytes, *, is_first: bool) -> Record:
    """The record that a line holds; the first of a log is a header, or says what was misused.

    Raises ValueError, KeyError or another of `MALFORMED` for anything else.
    """
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
