"""Simulations side by side as a picture: best-so-far curves with bands.

A curve is the median slowdown over the repetitions after each measurement, its band reaches from
the 10th to the 90th percentile. Tables of several spaces get a panel each.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from fettle.core.picture_file import check_picture, write_picture
from fettle.core.wording import printable, shortened
from fettle.report.figure import SERIES
from fettle.report.search_comparison import by_table
from fettle.search.simulate import Simulation

_PANEL = (4.6, 3.2)
_STYLES = ("-", "--", ":", "-.")


def draw_comparison(simulations: Sequence[Simulation], path: Path) -> None:
    """Write the curves as .svg, .png or .pdf.

    Raises FettleError for another suffix and for a file that cannot be written.
    """
    check_picture(path)
    groups = by_table(simulations)
    strategies = list(dict.fromkeys(one.strategy for one in simulations))
    columns = min(3, len(groups))
    rows = math.ceil(len(groups) / columns)
    settings: dict[Any, Any] = {"svg.hashsalt": "compare", "text.parse_math": False, "font.size": 9}
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        drawn = Figure(figsize=(_PANEL[0] * columns, _PANEL[1] * rows), layout="constrained")
        FigureCanvasAgg(drawn)
        for index, (table, group) in enumerate(groups.items()):
            axes = drawn.add_subplot(rows, columns, index + 1)
            for one in group:
                _draw(axes, one, strategies.index(one.strategy))
            axes.set_title(shortened(Path(table).name, 40), fontsize=9)
            axes.set_yscale("log")
            axes.yaxis.set_major_formatter("{x:g}")
            axes.yaxis.set_minor_formatter("{x:g}")
            axes.tick_params(axis="y", which="minor", labelsize=7)
            axes.set_xlabel("measurements")
            axes.set_ylabel("slowdown")
            axes.grid(linewidth=0.4)
            if index == 0:
                axes.legend(frameon=False, fontsize=8)
        write_picture(drawn, path, dpi=160)


def _draw(axes: Axes, one: Simulation, series: int) -> None:
    curves = one.curves(max(repetition.measurements for repetition in one.repetitions))
    # Order statistics, not interpolated: infinite slowdowns have no mean with finite ones.
    low, middle, high = np.quantile(curves, (0.1, 0.5, 0.9), axis=0, method="nearest")
    colour = SERIES[series % len(SERIES)]
    counts = np.arange(1, curves.shape[1] + 1)
    shown = np.isfinite(middle)
    ceiling = np.where(np.isfinite(high), high, np.nanmax(np.where(shown, middle, np.nan)))
    axes.fill_between(
        counts[shown], low[shown], ceiling[shown], color=colour, alpha=0.15, linewidth=0
    )
    style = _STYLES[series // len(SERIES) % len(_STYLES)]
    axes.plot(counts[shown], middle[shown], style, color=colour, label=printable(one.strategy))
