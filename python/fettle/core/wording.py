"""Names, numbers and durations as people read them.

Names may be of any bytes: they come from files and programs.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection


def printable(name: str) -> str:
    r"""`name` with what cannot be shown as escapes: names come from files and programs.

    That is control characters, and bytes that are not UTF-8, which Python keeps as surrogates
    (`os.fsdecode`): they are shown as \xff.
    """
    return "".join(c if c.isprintable() else _escaped(c) for c in name)


def printable_lines(text: str) -> str:
    """`text`, each of its lines printable."""
    return "\n".join(map(printable, text.split("\n")))


def _escaped(character: str) -> str:
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode()


def shortened(name: str, length: int = 28) -> str:
    """`name`, printable, cut in its middle to `length` characters: the ends tell names apart."""
    text = printable(name)
    if len(text) <= length:
        return text
    tail = (length - 1) // 2
    return f"{text[: length - 1 - tail]}…{text[-tail:]}"


def near_names(name: str, known: Collection[str], what: str) -> str:
    """What a misspelt name may have been, and which there are."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}{what} are {', '.join(known)}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun: "1 input", "2 inputs"; `plural` where an s is not enough."""
    return f"{count} {noun}" if count == 1 else f"{count} {plural or noun + 's'}"


def counted_are(count: int, noun: str) -> str:
    """As a subject with its verb: "1 input is", "2 inputs are"."""
    return f"{counted(count, noun)} {'is' if count == 1 else 'are'}"


def any_of(count: int, noun: str) -> str:
    """ "the only input", "any of the 3 inputs": after "nothing is known of"."""
    return f"the only {noun}" if count == 1 else f"any of the {count} {noun}s"


def seconds_text(seconds: float) -> str:
    """A duration with three figures and a unit that people read: 35 ns, 1.2 ms, 340 s."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}" if seconds < 1000 else f"{seconds:.0f} s"
    return f"{seconds * 1e9:.3g} ns"
