"""Simulations side by side: best-so-far curves with bands, and a table.

A curve is the median slowdown over the repetitions after each measurement, its band reaches from
the 10th to the 90th percentile. Tables of several spaces get a panel each; what strategies are
ranked by over all of them is the mean of optimum / best found.
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
from fettle.search.simulate import Simulation

_PANEL = (4.6, 3.2)
_STYLES = ("-", "--", ":", "-.")


def comparison_text(simulations: Sequence[Simulation]) -> list[str]:
    """One table a space, best mean first, and with several spaces one over all of them."""
    lines: list[str] = []
    width = max(len("strategy"), *(len(one.strategy) for one in simulations))
    for table, group in _by_table(simulations).items():
        lines.append(f"{printable(Path(table).name)}: slowdown against the table's optimum")
        lines.append(
            f"{'strategy':<{width}}  {'mean':>8} {'min':>8} {'max':>8}  {'mean budget':>11} "
            f"{'max budget':>10}"
        )
        for one in sorted(group, key=lambda one: -one.mean_share):
            spent = [repetition.measurements for repetition in one.repetitions]
            numbers = (one.slowdowns.mean(), one.slowdowns.min(), one.slowdowns.max())
            lines.append(
                f"{one.strategy:<{width}}  {' '.join(f'{number:>8.4f}' for number in numbers)}  "
                f"{np.mean(spent):>11.2f} {max(spent):>10}"
            )
        lines.append("")
    if len(_by_table(simulations)) > 1:
        lines.append(f"{'strategy':<{width}}  mean over the spaces of optimum / best found")
        for name, share in mean_shares(simulations):
            lines.append(f"{name:<{width}}  {share:.4f}")
    return lines


def mean_shares(simulations: Sequence[Simulation]) -> list[tuple[str, float]]:
    """Each strategy's mean over the spaces of optimum / best found, the best strategy first."""
    shares: dict[str, list[float]] = {}
    for one in simulations:
        shares.setdefault(one.strategy, []).append(one.mean_share)
    means = [(name, float(np.mean(found))) for name, found in shares.items()]
    return sorted(means, key=lambda item: -item[1])


def draw_comparison(simulations: Sequence[Simulation], path: Path) -> None:
    """Write the curves as .svg, .png or .pdf.

    Raises FettleError for another suffix and for a file that cannot be written.
    """
    check_picture(path)
    groups = _by_table(simulations)
    strategies = list(dict.fromkeys(one.strategy for one in simulations))
    columns = min(3, len(groups))
    rows = math.ceil(len(groups) / columns)
    settings: dict[Any, Any] = {"svg.hashsalt": "compare", "text.parse_math": False, "font.size": 9}
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        drawn = Figure(figsize=(_PANEL[0] * columns, _PANEL[1] * rows), layout="constrained")
        FigureCanvasAgg(drawn)
        for place, (table, group) in enumerate(groups.items()):
            axes = drawn.add_subplot(rows, columns, place + 1)
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
            if place == 0:
                axes.legend(frameon=False, fontsize=8)
        write_picture(drawn, path, dpi=160)


def _draw(axes: Axes, one: Simulation, place: int) -> None:
    curves = one.curves(max(repetition.measurements for repetition in one.repetitions))
    # Order statistics, not interpolated: infinite slowdowns have no mean with finite ones.
    low, middle, high = np.quantile(curves, (0.1, 0.5, 0.9), axis=0, method="nearest")
    colour = SERIES[place % len(SERIES)]
    counts = np.arange(1, curves.shape[1] + 1)
    shown = np.isfinite(middle)
    ceiling = np.where(np.isfinite(high), high, np.nanmax(np.where(shown, middle, np.nan)))
    axes.fill_between(
        counts[shown], low[shown], ceiling[shown], color=colour, alpha=0.15, linewidth=0
    )
    style = _STYLES[place // len(SERIES) % len(_STYLES)]
    axes.plot(counts[shown], middle[shown], style, color=colour, label=printable(one.strategy))


def _by_table(simulations: Sequence[Simulation]) -> dict[str, list[Simulation]]:
    groups: dict[str, list[Simulation]] = {}
    for one in simulations:
        groups.setdefault(one.table, []).append(one)
    return groups
