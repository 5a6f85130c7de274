"""Draws charts as SVG: text, marks and axes in the colours of a light and of a dark page.

A chart is drawn once, with names for colours; `text(theme)` gives the file of one theme. Numbers
are written with one decimal, so that the same records give the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

WIDTH = 380
"""Of every chart: two of them fill a page, and one a phone without being made smaller."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Helvetica, Arial, sans-serif"

# The series' colours are Okabe and Ito's, which colour-blind readers tell apart; on a dark page
# the lighter ones of the same hues. Each series has another shape of mark, too.
SERIES = ("first", "second", "third", "fourth", "fifth")
THEMES = {
    "light": {
        "page": "#ffffff",
        "ink": "#1f2328",
        "muted": "#59636e",
        "grid": "#d9dee4",
        "first": "#0072b2",
        "second": "#d55e00",
        "third": "#00805f",
        "fourth": "#a6528a",
        "fifth": "#8a6d00",
    },
    "dark": {
        "page": "#0d1117",
        "ink": "#f0f6fc",
        "muted": "#9da7b3",
        "grid": "#30363d",
        "first": "#56b4e9",
        "second": "#f5a65b",
        "third": "#35c79a",
        "fourth": "#e59fce",
        "fifth": "#f0e442",
    },
}

# The corners of a series' mark, for a size of 1; the others' marks are circles.
CORNERS = {
    "second": [(0.9, 0.9), (-0.9, 0.9), (-0.9, -0.9), (0.9, -0.9)],
    "third": [(0, -1.25), (1.1, 0.7), (-1.1, 0.7)],
    "fourth": [(1.25, 0), (0, 1.25), (-1.25, 0), (0, -1.25)],
}

Scale = Callable[[float], float]


def linear(low: float, high: float, left: float, right: float) -> Scale:
    """Maps low..high to left..right."""
    return lambda value: left + (value - low) / (high - low) * (right - left)


def logarithmic(low: float, high: float, left: float, right: float) -> Scale:
    """Maps low..high to left..right by their logarithms."""
    scale = linear(math.log(low), math.log(high), left, right)
    return lambda value: scale(math.log(value))


def number(value: float) -> str:
    """A coordinate."""
    return f"{value:.1f}".removesuffix(".0")


@dataclass
class Chart:
    """The elements of a chart, with `{name}` where a theme's colour goes."""

    title: str
    subtitle: str
    elements: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    """What the elements cover: grids."""

    def __post_init__(self) -> None:
        """Write the title and what the figures are."""
        self.label(10, 22, self.title, size=15, weight=600)
        self.label(10, 39, self.subtitle, color="muted")

    def label(
        self,
        x: float,
        y: float,
        text: str,
        *,
        color: str = "ink",
        size: float = 11.5,
        anchor: str = "start",
        weight: int = 400,
    ) -> None:
        """A text whose baseline begins, has its middle, or ends at a point."""
        self.elements.append(
            f'<text x="{number(x)}" y="{number(y)}" fill="{{{color}}}" font-size="{size}" '
            f'text-anchor="{anchor}" font-weight="{weight}">{escape(text)}</text>'
        )

    def line(
        self,
        points: Sequence[tuple[float, float]],
        color: str = "grid",
        width: float = 1,
        dashes: str = "",
        opacity: float = 1,
    ) -> None:
        """A line through points."""
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        more = f' stroke-dasharray="{dashes}"' if dashes else ""
        more += f' stroke-opacity="{opacity}"' if opacity < 1 else ""
        self.elements.append(
            f'<polyline points="{path}" fill="none" stroke="{{{color}}}" '
            f'stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"{more}/>'
        )

    def mark(
        self, x: float, y: float, color: str, *, size: float = 4, hollow: bool = False
    ) -> None:
        """A mark of the shape that belongs to the colour."""
        fill = (
            f'fill="{{page}}" stroke="{{{color}}}" stroke-width="1.6"'
            if hollow
            else f'fill="{{{color}}}" stroke="{{page}}" stroke-width="0.6"'
        )
        if color in CORNERS:
            corners = [(x + size * dx, y + size * dy) for dx, dy in CORNERS[color]]
            path = " ".join(f"{number(right)},{number(down)}" for right, down in corners)
            self.elements.append(f'<polygon points="{path}" {fill}/>')
        else:
            at = f'cx="{number(x)}" cy="{number(y)}"'
            self.elements.append(f'<circle {at} r="{number(size)}" {fill}/>')

    def bar(self, left: float, right: float, top: float, bottom: float, color: str) -> None:
        """A filled rectangle, with a seam to its neighbours."""
        self.elements.append(
            f'<rect x="{number(left)}" y="{number(top)}" width="{number(right - left)}" '
            f'height="{number(bottom - top)}" fill="{{{color}}}" stroke="{{page}}" '
            'stroke-width="0.8"/>'
        )

    def dot(self, x: float, y: float, color: str) -> None:
        """One of many small dots, through which the others are seen."""
        self.elements.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="2.6" fill="{{{color}}}" '
            'fill-opacity="0.6"/>'
        )

    def grid(
        self,
        scale: Scale,
        ticks: Sequence[float],
        top: float,
        bottom: float,
        *,
        names: Callable[[float], str] = "{:g}".format,
        at_one: bool = False,
    ) -> None:
        """Vertical lines behind all else, with their values below; a line at 1 may stand out."""
        self.elements, self.behind = self.behind, self.elements
        for tick in ticks:
            one = at_one and tick == 1
            ends = [(scale(tick), top), (scale(tick), bottom)]
            self.line(ends, "ink" if one else "grid", 1.4 if one else 1)
            self.label(
                scale(tick),
                bottom + 13,
                names(tick),
                color="ink" if one else "muted",
                size=11,
                anchor="middle",
                weight=600 if one else 400,
            )
        self.elements, self.behind = self.behind, self.elements

    def legend(
        self, x: float, y: float, entries: Sequence[tuple[str, str]], *, hollow: str = ""
    ) -> None:
        """Marks with their names, two in a line; those of one colour may be hollow."""
        for index, (name, color) in enumerate(entries):
            left, baseline = x + index % 2 * (WIDTH / 2), y + index // 2 * 16
            self.mark(left + 4, baseline - 4, color, hollow=color == hollow)
            self.label(left + 14, baseline, name)

    def text(self, theme: str, height: float) -> str:
        """The file of a theme."""
        body = "\n".join(self.behind + self.elements)
        for name, color in THEMES[theme].items():
            body = body.replace(f"{{{name}}}", color)
        page = THEMES[theme]["page"]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {number(height)}" '
            f'width="{WIDTH}" height="{number(height)}" role="img" font-family="{FONT}">\n'
            f"<title>{escape(self.title)}: {escape(self.subtitle)}</title>\n"
            f'<rect width="{WIDTH}" height="{number(height)}" rx="6" fill="{page}"/>\n'
            f"{body}\n</svg>\n"
        )
