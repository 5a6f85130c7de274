"""Specifications of grouped searches as text: a step a line, and nothing else to know.

    # Group by dimension, data loaded in the way that is predicted
    partition loading
    restrict WX * WY * WZ <= 1024
    set WY = 1, WZ = 1, BY = 1, BZ = 1, CY = 1, CZ = 1
    tune WX BX CX
    tune WY BY CY
    tune WZ BZ CZ
    later tune WX WY WZ keeping WX * WY * WZ
    repeat 2

| line | meaning |
|---|---|
| `partition NAME` | the parameter that splits the space; its value is predicted, or each is tried |
| `restrict CONDITION, ...` | holds for all that is measured |
| `set NAME = VALUE, ...` | values at first; an expression |
| `tune NAME ... [keeping E, ...] [where CONDITION, ...] [sample N]` | a group, `*`: all |
| `first tune`, `later tune` | a group of the first pass, of all passes but the first |
| `repeat R` | all groups again, R times; the last line |

Empty lines and what follows a # are left out. Garvey and Abdelrahman 2018, section 7.3.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.search.grouped.expression import Expression, parse_expression
from fettle.search.grouped.specification import (
    Passes,
    Set,
    Specification,
    Tune,
    checked,
)

MOST_DIGITS = 18
_KEYWORDS = ("partition", "restrict", "set", "tune", "first", "later", "repeat")
_CLAUSE = re.compile(r"\b(keeping|where|sample)\b")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


def read_specification(path: Path) -> Specification:
    """The specification in a file. FettleError where there is none, or as `parse_specification`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FettleError(f"{path}: no specification can be read: {error}") from error
    return parse_specification(text, str(path))


def parse_specification(text: str, name: str = "specification") -> Specification:
    """The specification that a text writes. FettleError naming the line and what is wrong in it."""
    partition: str | None = None
    restrictions: list[Expression] = []
    steps: list[Set | Tune] = []
    repetitions: int | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        words = _without_comment(line).strip()
        if not words:
            continue
        keyword, _, rest = words.partition(" ")
        try:
            if repetitions is not None:
                raise FettleError(f"{words!r} comes after 'repeat', which is the last line")
            if keyword == "partition":
                if partition is not None:
                    raise FettleError("'partition' is there twice; a space is split once")
                partition = _single(keyword, rest)
            elif keyword == "restrict":
                restrictions += _expressions(keyword, rest)
            elif keyword == "set":
                steps.append(Set(_assignments(rest), number))
            elif keyword == "repeat":
                repetitions = _number(keyword, rest, 0)
            else:
                steps.append(_tune(keyword, rest, number))
        except FettleError as error:
            raise FettleError(f"{name}, line {number}: {error}") from error
    if not any(isinstance(step, Tune) for step in steps):
        raise FettleError(f"{name}: no line 'tune NAME ...', so that nothing would be measured")
    return Specification(tuple(steps), partition, tuple(restrictions), repetitions or 0, name)


def _tune(keyword: str, rest: str, line: int) -> Tune:
    passes: Passes = "all"
    if keyword in ("first", "later"):
        passes = "first" if keyword == "first" else "later"
        keyword, _, rest = rest.strip().partition(" ")
    if keyword != "tune" and passes != "all":
        raise FettleError(f"{passes!r} is followed by 'tune', not by {keyword!r}")
    if keyword != "tune":
        near = difflib.get_close_matches(keyword, _KEYWORDS, n=1)
        hint = f" did you mean {near[0]!r}?" if near else ""
        raise FettleError(
            f"{keyword!r} is not a step;{hint} a line begins with {', '.join(_KEYWORDS)}"
        )
    names, clauses = _clauses(rest)
    parameters = tuple(names.replace(",", " ").split())
    sample = clauses.get("sample")
    return checked(
        Tune(
            parameters,
            _expressions("keeping", clauses["keeping"]) if "keeping" in clauses else (),
            _expressions("where", clauses["where"]) if "where" in clauses else (),
            None if sample is None else _number("sample", sample, 1),
            passes,
            line,
        )
    )


def _clauses(text: str) -> tuple[str, dict[str, str]]:
    # What stands before the first of keeping, where and sample, and after each of them.
    hidden = _QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), text)
    headings = [(found[1], found.start(), found.end()) for found in _CLAUSE.finditer(hidden)]
    if not headings:
        return text, {}
    ends = [start for _, start, _ in headings[1:]] + [len(text)]
    clauses: dict[str, str] = {}
    for (name, _, start), end in zip(headings, ends, strict=True):
        if name in clauses:
            raise FettleError(f"{name!r} is there twice; separate what follows by commas")
        clauses[name] = text[start:end]
    return text[: headings[0][1]], clauses


def _assignments(text: str) -> tuple[tuple[str, Expression], ...]:
    found: dict[str, Expression] = {}
    for part in _parts("set", text):
        name, equals, value = part.partition("=")
        if not equals or not value.strip() or not name.strip().isidentifier():
            raise FettleError(f"expected NAME = VALUE, got {part.strip()!r}")
        if name.strip() in found:
            raise FettleError(f"{name.strip()!r} is set twice")
        found[name.strip()] = parse_expression(value)
    return tuple(found.items())


def _expressions(keyword: str, text: str) -> tuple[Expression, ...]:
    return tuple(parse_expression(part) for part in _parts(keyword, text))


def _parts(keyword: str, text: str) -> list[str]:
    """What commas separate, those within brackets and quotes left alone."""
    parts, depth, quote = [""], 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        else:
            depth += (character in "([") - (character in ")]")
        if character == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += character
    if not all(part.strip() for part in parts):
        raise FettleError(f"{keyword!r} is followed by nothing, or by an empty place at a comma")
    return parts


def _single(keyword: str, text: str) -> str:
    words = text.split()
    if len(words) != 1:
        raise FettleError(f"{keyword!r} is followed by one name, not by {text.strip()!r}")
    return words[0]


def _number(keyword: str, text: str, least: int) -> int:
    word = _single(keyword, text)
    number = int(word) if word.isdecimal() and len(word) <= MOST_DIGITS else -1
    if number < least:
        raise FettleError(
            f"{keyword!r} is followed by a whole number from {least}, not {word[:40]!r}"
        )
    return number


def _without_comment(line: str) -> str:
    hidden = _QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), line)
    return line[: hidden.index("#")] if "#" in hidden else line
