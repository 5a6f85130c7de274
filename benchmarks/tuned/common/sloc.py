"""Source lines of code: lines that hold more than space and comments."""

from collections.abc import Sequence

from suite import ROOT, Code


def lines_of(code: Sequence[Code]) -> int | None:
    """The lines of all parts together; None where there are none: a library's."""
    return sum(_lines(part) for part in code) if code else None


def _lines(part: Code) -> int:
    lines = (ROOT / part.file).read_text(encoding="utf-8").splitlines()
    first = _index_of(lines, part.begin, 0, part) if part.begin else 0
    last = _index_of(lines, part.end, first + 1, part) if part.end else len(lines)
    # Templates' heads belong to what they begin.
    while first > 0 and lines[first - 1].lstrip().startswith("template"):
        first -= 1
    texts = (line.split("//")[0].strip() for line in lines[first:last])
    return sum(1 for text in texts if text)


def _index_of(lines: Sequence[str], text: str, start: int, part: Code) -> int:
    for index in range(start, len(lines)):
        if text in lines[index]:
            return index
    raise SystemExit(f"{part.file} has no line with {text!r} behind line {start}")
