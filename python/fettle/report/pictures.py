"""The pictures of the report: how near the best, on how many inputs, what was mixed up."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from fettle.core.wording import seconds_text, shortened
from fettle.data.judged_table import Floats
from fettle.data.score import Score
from fettle.data.summary import Summary
from fettle.data.tuning_result import FeatureCurve, LearningStep
from fettle.report.confusion import confusion_table
from fettle.report.figure import ACCENT, BAD, GRID, MUTED, SERIES, TEXT, figure, svg


def share_bars(tuned: Score | None, fixed: tuple[Score, ...], limit: int = 16) -> str:
    """Mean share of best of the tuned function and of the first `limit` variants; p5 and worst."""
    scores = ([] if tuned is None else [tuned]) + list(fixed[:limit])
    rows = list(range(len(scores)))
    with figure(0.9 + 0.27 * len(scores), "bars") as (drawn, axes):
        colours = [ACCENT if score is tuned else MUTED for score in scores]
        axes.barh(rows, [score.mean for score in scores], height=0.62, color=colours)
        axes.scatter([score.p5 for score in scores], rows, marker="|", s=90, color=TEXT, zorder=3)
        axes.scatter([score.worst for score in scores], rows, s=16, color=BAD, zorder=3)
        for row, score in zip(rows, scores, strict=True):
            axes.text(1.02, row, f"{score.mean:.3f}", va="center")
        axes.set_yticks(rows, [shortened(score.name, 22) for score in scores])
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(len(scores) - 0.5, -0.5)
        axes.set_xlim(0, 1.16)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
        axes.grid(axis="x")
        axes.set_xlabel("share of best:  bar mean,  | 5th percentile,  • worst")
        return svg(drawn, "Share of best of the tuned function and of each fixed variant")


def share_curve(summary: Summary) -> str:
    """Share of best over the inputs, worst first: the whole distribution (compare figure 2.5)."""
    columns = {score.name: k for k, score in enumerate(summary.fixed)}
    rivals = sorted(summary.fixed, key=lambda score: -score.mean)[:3]
    with figure(2.9, "curve") as (drawn, axes):
        for rival, colour in zip(rivals, SERIES[1:], strict=False):
            shares = np.sort(summary.fixed_shares[:, columns[rival.name]])
            axes.plot(*_steps(shares), color=colour, linewidth=1.2, label=shortened(rival.name, 24))
        axes.plot(
            *_steps(np.sort(summary.shares)), color=ACCENT, linewidth=2.4, label=summary.tuned.name
        )
        axes.set_xlim(0, 100)
        axes.set_ylim(0, 1.04)
        axes.grid()
        axes.set_xlabel("% of the inputs, worst first")
        axes.set_ylabel("share of best")
        axes.legend(loc="lower right")
        return svg(drawn, "Share of best over the inputs, sorted")


def _steps(shares: Floats) -> tuple[Floats, Floats]:
    # At most 400 points: a page with 5000 inputs must not carry every one of them four times.
    if len(shares) > 400:
        shares = shares[np.linspace(0, len(shares) - 1, 400).round().astype(int)]
    edges = np.linspace(0, 100, len(shares) + 1)
    return np.repeat(edges, 2)[1:-1], np.repeat(shares, 2)


def confusion_map(summary: Summary) -> str:
    """Best variant against chosen variant; the darker a wrong cell, the more it costs."""
    table = confusion_table(summary)
    size = len(table.names)
    wrong = ~np.eye(size, dtype=bool)
    dearest = max(float(table.lost[wrong].max(initial=0.0)), 1e-12)
    names = [shortened(name, 16) for name in table.names]
    with figure(1.3 + 0.32 * size, "confusion") as (drawn, axes):
        for row in range(size):
            for column in range(size):
                count, lost = int(table.count[row, column]), float(table.lost[row, column])
                if not count:
                    continue
                # "(other)" against itself may hold wrong choices too: its loss gives its colour.
                good = row == column and lost == 0
                alpha = 0.35 if good else 0.10 + 0.55 * min(1.0, lost / dearest)
                cell = Rectangle((column - 0.48, row - 0.48), 0.96, 0.96, linewidth=0)
                cell.set_facecolor(ACCENT if good else BAD)
                cell.set_alpha(alpha)
                axes.add_patch(cell)
                axes.text(column, row, str(count), ha="center", va="center")
        axes.set_xlim(-0.5, size - 0.5)
        axes.set_ylim(size - 0.5, -0.5)
        steep = size > 4 or max(map(len, names)) > 9
        turn, side = (35, "right") if steep else (0, "center")
        axes.set_xticks(range(size), names, rotation=turn, ha=side)
        axes.set_yticks(range(size), names)
        axes.tick_params(length=0)
        axes.set_xlabel("chosen")
        axes.set_ylabel("best")
        return svg(drawn, "How often each variant was best, and which one was chosen")


def feature_cost_curve(curve: FeatureCurve) -> str:
    """Share of best as dearer features are added, cheapest first (compare figure 2.7)."""
    steps = curve.points
    shares = [step.share_of_best for step in steps]
    net = [step.net_share_of_best for step in steps]
    names = [f"+ {shortened(step.added, 18)}\n({seconds_text(step.seconds)})" for step in steps]
    rows = np.arange(len(steps))
    with figure(0.9 + 0.42 * len(steps), "features") as (drawn, axes):
        axes.plot(shares, rows, color=MUTED, marker="o", markersize=5, label="not charged")
        axes.plot(net, rows, color=ACCENT, marker="o", markersize=5, label="features charged")
        low, high = min(shares + net), max(shares + net)
        room = max(high - low, 0.02)
        axes.set_xlim(low - 0.15 * room, high + 0.15 * room)
        axes.set_ylim(len(steps) - 0.5, -0.5)
        axes.set_yticks(rows, names)
        axes.grid(axis="x")
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.set_xlabel("mean share of best")
        axes.legend(loc="upper left", bbox_to_anchor=(0, -0.16), ncols=2)
        return svg(drawn, "Share of best as features are added, cheapest first")


def learning_curve(steps: tuple[LearningStep, ...]) -> str:
    """Share of best against the number of inputs measured (compare figure 2.6)."""
    shares = [step.share_of_best for step in steps]
    with figure(2.6, "learning") as (drawn, axes):
        axes.plot([step.inputs for step in steps], shares, color=ACCENT, linewidth=1.8, marker=".")
        axes.axhline(1, color=GRID, linewidth=0.8)
        axes.set_ylim(max(0.0, min(shares) - 0.05), 1.01)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.grid()
        axes.set_xlabel("inputs measured")
        axes.set_ylabel("mean share of best")
        return svg(drawn, "Share of best against the number of inputs measured")
