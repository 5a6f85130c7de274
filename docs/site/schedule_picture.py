"""Draws docs/pictures/schedules.svg: which thread computes which element, and when.

    python docs/site/schedule_picture.py

The picture follows the colours that the reader's system prefers. What a panel shows is computed:
each schedule assigns the elements of the rows to threads, and a thread's elements count its steps.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

PICTURE = Path(__file__).resolve().parents[1] / "pictures" / "schedules.svg"
ROWS = (7, 2, 1, 4, 2)
THREADS = 4
WIDTH, CELL = 380, 17

STYLE = """
text { fill: #1f2328; font: 11px system-ui, -apple-system, 'Segoe UI', Helvetica, sans-serif }
.name { font-weight: 600; font-size: 12px } .muted { fill: #59636e } .page { fill: #ffffff }
.step { fill: #ffffff; text-anchor: middle; font-size: 10px }
.t0 { fill: #0072b2 } .t1 { fill: #b84f00 } .t2 { fill: #00735a } .t3 { fill: #9a4580 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .muted { fill: #9da7b3 } .page { fill: #0d1117 } .step { fill: #0d1117 }
  .t0 { fill: #56b4e9 } .t1 { fill: #f5a65b } .t2 { fill: #35c79a } .t3 { fill: #e59fce }
}
"""

Assignment = Callable[[int, int, int], int]
"""The thread of an element: of its row, its index in the row and its index in all rows."""

PANELS: tuple[tuple[str, str, Assignment], ...] = (
    ("independent>sequential", "a thread takes a row", lambda row, i, all_: row % THREADS),
    ("flattened", "equal tiles", lambda row, i, all_: all_ * THREADS // sum(ROWS)),
    (
        "independent>cooperative",
        "two threads on a row",
        lambda row, i, all_: 2 * (row % 2) + i % 2,
    ),
    ("sequential>cooperative", "all threads on each row", lambda row, i, all_: i % THREADS),
    ("sequential>sequential", "one thread takes all", lambda row, i, all_: 0),
)


def panel(x: float, y: float, name: str, what: str, thread_of: Assignment) -> tuple[list[str], int]:
    """One schedule, and how many steps it takes."""
    one_after_another = name.startswith("sequential")
    elements: list[str] = []
    taken = [0] * THREADS
    everyone = 0
    done = 0
    for row, length in enumerate(ROWS):
        if one_after_another:
            taken = [everyone] * THREADS
        for i in range(length):
            thread = thread_of(row, i, done)
            taken[thread] += 1
            done += 1
            left, top = x + i * CELL, y + 36 + row * (CELL + 3)
            elements.append(
                f'<rect class="t{thread}" x="{left:g}" y="{top:g}" width="{CELL - 2}" '
                f'height="{CELL - 2}" rx="2"/>'
                f'<text class="step" x="{left + (CELL - 2) / 2:g}" y="{top + 11:g}">'
                f"{taken[thread]}</text>"
            )
        everyone = max(taken)
    steps = max(taken)
    elements += [
        f'<text class="name" x="{x:g}" y="{y + 12:g}">{name.replace(">", "&gt;")}</text>',
        f'<text class="muted" x="{x:g}" y="{y + 27:g}">{what}: {steps} steps</text>',
    ]
    return elements, steps


def picture() -> str:
    """The whole file."""
    elements = []
    for index, (name, what, thread_of) in enumerate(PANELS):
        elements += panel(10 + index % 2 * 188, 8 + index // 2 * 152, name, what, thread_of)[0]
    x, y = 198, 8 + 2 * 152
    elements.append(f'<text class="name" x="{x}" y="{y + 12}">how to read it</text>')
    for thread in range(THREADS):
        left = x + thread * 42
        elements.append(
            f'<rect class="t{thread}" x="{left}" y="{y + 22}" width="15" height="15" rx="2"/>'
            f'<text x="{left + 19}" y="{y + 34}">T{thread}</text>'
        )
    for line, text in enumerate(
        (
            "A line is a row, a square an",
            "element. Its colour is the thread,",
            "its number the step.",
        )
    ):
        elements.append(f'<text class="muted" x="{x}" y="{y + 56 + 15 * line}">{text}</text>')
    height = 8 + 3 * 152
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img">\n<title>Which thread computes which element of five rows'
        f"</title>\n<style>{STYLE}</style>\n"
        f'<rect class="page" width="{WIDTH}" height="{height}" rx="6"/>\n'
        + "\n".join(elements)
        + "\n</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(), encoding="utf-8")
