"""Pieces of HTML that the report's page is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from fettle.core.wording import printable

ROWS = 200
"""How many rows a table on the page has at most; the JSON file beside it has all of them."""


def text_of(text: str) -> str:
    """A text for people, escaped."""
    return escape(printable(text))


def section(title: str, *parts: str) -> str:
    """A heading with what follows it; nothing where that is empty."""
    body = "\n".join(part for part in parts if part)
    return f"<h2>{text_of(title)}</h2>\n{body}" if body else ""


def html_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: int, marked: int = 0
) -> str:
    """A table; its last `numbers` columns are set right, its first `marked` rows stand out."""
    rows = list(rows)

    def row(cells: Sequence[str], tag: str) -> str:
        right = [index >= len(cells) - numbers for index in range(len(cells))]
        kinds = [' class="n"' if number else "" for number in right]
        return "".join(
            f"<{tag}{kind}>{text_of(cell)}</{tag}>" for kind, cell in zip(kinds, cells, strict=True)
        )

    lines = [f"<tr>{row(head, 'th')}</tr>"] if head else []
    for index, cells in enumerate(rows[:ROWS]):
        kind = ' class="tuned"' if index < marked else ""
        lines.append(f"<tr{kind}>{row(cells, 'td')}</tr>")
    table = f'<div class="scroll"><table>{"".join(lines)}</table></div>'
    if len(rows) > ROWS:
        table += f'<p class="soft">and {len(rows) - ROWS} more, in report.json</p>'
    return table
