"""A matplotlib figure as SVG that follows the page: its text, its colours, light and dark.

Colours that depend on the theme are drawn as sentinels and replaced by CSS variables of the page;
text stays text, so any script is rendered by the browser's fonts.
"""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from fettle.core.wording import printable

WIDTH = 5.2
"""Inches. Narrow, so that the text is readable when a phone shows it 360 pixels wide."""

TEXT, GRID, MUTED, ACCENT, BAD = "#010203", "#040506", "#070809", "#0a0b0c", "#0d0e0f"
_THEME = {
    TEXT: "currentColor",
    GRID: "var(--line)",
    MUTED: "var(--muted)",
    ACCENT: "var(--accent)",
    BAD: "var(--bad)",
}

SERIES = ("#0b7fc4", "#e08a00", "#0a9a72", "#cc6fa4", "#d4541b", "#7a6fd0", "#8a8f1f", "#35b0d8")
"""Distinguishable for most colour-blind readers (Okabe and Ito); readable on white and on black."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")


@contextmanager
def figure(height: float, salt: str) -> Iterator[tuple[Figure, Axes]]:
    """A figure of `WIDTH` x `height` inches with one pair of axes in the page's style."""
    settings: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": salt,
        "text.parse_math": False,
        "font.size": 9.5,
        "text.color": TEXT,
        "axes.edgecolor": GRID,
        "axes.labelcolor": TEXT,
        "axes.facecolor": "none",
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": GRID,
        "grid.linewidth": 0.6,
        "xtick.color": GRID,
        "ytick.color": GRID,
        "xtick.labelcolor": TEXT,
        "ytick.labelcolor": TEXT,
        "legend.frameon": False,
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        # The browser has the glyphs that matplotlib's own font lacks; only its widths are guesses.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        drawn = Figure(figsize=(WIDTH, height), facecolor="none", layout="constrained")
        FigureCanvasSVG(drawn)
        yield drawn, drawn.add_subplot()


def svg(drawn: Figure, description: str) -> str:
    """`drawn` as an SVG element to be put into the page; call inside `figure`'s block."""
    buffer = io.StringIO()
    drawn.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None}, dpi=160)
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r' (?:width|height)="[\d.]+pt"', "", text, count=2)
    text = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px", text)
    # Ids serve references only; the unused ones would repeat from picture to picture.
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', text))
    text = re.sub(r' id="([^"]*)"', lambda match: match[0] if match[1] in used else "", text)
    for sentinel, colour in _THEME.items():
        text = text.replace(sentinel, colour)
    return text.replace("<svg", f'<svg role="img" aria-label="{_attribute(description)}"', 1)


def power_of_ten(value: float, position: float | None = None) -> str:
    """The label of a tick on a logarithmic axis, 10⁴; matplotlib's own would need its mathtext."""
    if value <= 0:
        return ""
    exponent = round(math.log10(value))
    if not math.isclose(value, 10.0**exponent, rel_tol=1e-6):
        return f"{value:g}"
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _attribute(text: str) -> str:
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(character, entity)
    return printable(text)
