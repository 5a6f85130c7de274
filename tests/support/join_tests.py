"""Joins test files into one translation unit, so that what they all include is compiled once.

Usage: join_tests.py OUTPUT FILE...

The preprocessor directives of all files come first: headers are included outside of any namespace.
Each file follows in a namespace, so that equal names in two files do not collide.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HOISTED = re.compile(
    r"^[ \t]*#[ \t]*(?:include|if|ifdef|ifndef|elif|else|endif|define|undef)\b(?:.*\\\n)*.*$",
    re.MULTILINE,
)


def directives(source: Path) -> list[str]:
    """The directives of a file that decide what is included, with paths that hold elsewhere."""

    def absolute(match: re.Match[str]) -> str:
        path = source.parent / match[1]
        return f'"{path}"' if path.exists() else match[0]

    lines = HOISTED.findall(source.read_text(encoding="utf-8"))
    return [re.sub(r'"(.*?)"', absolute, line) for line in lines]


def joined(sources: list[Path]) -> str:
    lines = [line for source in sources for line in directives(source)]
    for source in sources:
        name = re.sub(r"\W", "_", source.stem)
        lines += [f"namespace {name} {{", f'#include "{source}"', "}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    output, *files = sys.argv[1:]
    text = joined([Path(file) for file in files])
    if not Path(output).exists() or Path(output).read_text(encoding="utf-8") != text:
        Path(output).write_text(text, encoding="utf-8")  # else what was compiled of it stays valid
