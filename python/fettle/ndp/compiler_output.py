"""What compilers leave behind: lists of the files that they read, and messages."""

from __future__ import annotations

import re
from pathlib import Path

LINES_SHOWN = 40

_FULL = re.compile(
    r"No space left on device|Disk quota exceeded|File (?:too large|size limit exceeded)|"
    r"Read-only file system"
)
_OUT_OF_MEMORY = re.compile(
    r"Killed signal|(?:error|command): Killed|signal 9|out of memory|[Mm]emory exhausted|"
    r"Cannot allocate memory|Memory allocation failure"
)


def listed_files(path: Path, folder: Path) -> list[Path]:
    """The files that a compiler's list of dependencies names, its output aside.

    Some are relative to the `folder` that it ran in: ccache makes them so if CCACHE_BASEDIR is set.
    """
    text = path.read_text().replace("\\\n", " ")
    _, _, listed = text.partition(": ")
    words = re.findall(r"(?:\\ |\S)+", listed.split("\n")[0])
    return [folder / word.replace("\\ ", " ").replace("$$", "$") for word in words]


def reason_of(log: str) -> str:
    """The errors in what a compiler printed, in a few lines."""
    lines = [re.sub(r"'[^']{80,}'", "'...'", line.strip()) for line in log.splitlines()]
    errors = [line for line in lines if re.search(r"\b(error|undefined reference)\b", line)]
    some = [line[:400] for line in (errors or lines)[:3]]
    return "\n".join(some) or "the compiler failed and said nothing"


def is_full(log: str) -> bool:
    """Whether a compiler, its assembler or linker could not write."""
    return _FULL.search(log) is not None


def is_out_of_memory(log: str) -> bool:
    """Whether a compiler got no memory, or was killed for taking it."""
    return _OUT_OF_MEMORY.search(log) is not None


def head_of(log: str) -> str:
    """The beginning of what a compiler printed, indented."""
    lines = log.splitlines()
    more = [f"... and {len(lines) - LINES_SHOWN} lines more"] if len(lines) > LINES_SHOWN else []
    return "\n".join(f"  {line}" for line in [*lines[:LINES_SHOWN], *more]) or "  (no output)"
