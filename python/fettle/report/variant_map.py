"""Where each variant wins: the inputs over the two features that tell most about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from scipy.stats import rankdata
from sklearn.tree import DecisionTreeClassifier

from fettle.core.wording import shortened
from fettle.data.judged_table import Floats, Integers
from fettle.data.summary import Summary
from fettle.report.contents import Report
from fettle.report.figure import BAD, MARKERS, MUTED, SERIES, figure, power_of_ten, svg

DEAR = 0.9
"""Choices below this share of best are ringed; smaller losses may be noise between equals."""


@dataclass(frozen=True)
class Axis:
    """One axis of the map: a feature, or the ratio of two that the model uses."""

    label: str
    values: Floats
    logarithmic: bool


def variant_map(report: Report) -> str | None:
    """The judged inputs coloured by best variant, dear choices ringed; None if no feature varies.

    The axes are the two features, or ratios that the model uses, by which a small decision tree
    tells the best variants apart, whether or not the model uses them: what it misses shows. With a
    single varying feature, the other axis is the best variant's cost.
    """
    summary = report.summary
    if summary is None:
        return None
    candidates = [axis for axis in _candidates(report) if len(np.unique(axis.values)) > 1]
    if not candidates:
        return None
    first = _most_telling([], candidates, summary)
    others = [axis for axis in candidates if axis is not first]
    second = _most_telling([first], others, summary) if others else _best_cost(report)
    with figure(4.0, "map") as (drawn, axes):
        _draw(axes, first, second, summary)
        return svg(drawn, f"Best variant over {first.label} and {second.label}")


def _candidates(report: Report) -> list[Axis]:
    values = report.judged_values
    column = {name: values[:, k] for k, name in enumerate(report.data.features)}
    axes = []
    for entry in report.result.model.inputs:
        if entry.transform in ("fraction", "root_fraction"):  # no axis to see regions along
            continue
        logarithmic = entry.transform in ("log", "log_ratio")
        if entry.divisor is None:
            axes.append(_axis(entry.feature, column[entry.feature], logarithmic))
        else:
            with np.errstate(all="ignore"):
                quotient = column[entry.feature] / column[entry.divisor]
            axes.append(_axis(f"{entry.feature} / {entry.divisor}", quotient, logarithmic))
    seen = {axis.label for axis in axes}
    return axes + [_axis(name, column[name], None) for name in column if name not in seen]


def _axis(label: str, numbers: Floats, logarithmic: bool | None) -> Axis:
    """An axis that can be drawn, logarithmic if asked, or (None) if the values span decades.

    Values that it cannot show go to its lower end, where the model takes them too.
    """
    finite = numbers[np.isfinite(numbers) & (np.abs(numbers) < 1e200)]
    positive = finite[finite > 0]
    if logarithmic is None:
        spread = len(positive) == len(finite) > 0 and positive.max() > 100 * positive.min()
        logarithmic = bool(spread)
    usable = positive if logarithmic else finite
    if not len(usable):
        return Axis(label, np.zeros_like(numbers), False)
    shown = np.isin(numbers, usable)
    return Axis(label, np.where(shown, numbers, usable.min()), logarithmic)


def _best_cost(report: Report) -> Axis:
    assert report.summary is not None
    least = report.data.costs.min(axis=1)
    unit = report.result.unit
    label = f"cost of the best variant ({unit})" if unit else "cost of the best variant"
    return _axis(label, least[np.isfinite(least)], True)


def _most_telling(given: list[Axis], candidates: list[Axis], summary: Summary) -> Axis:
    """The candidate by which, with `given`, a small tree errs least; the first wins ties."""
    weight = 1.0 - summary.fixed_shares.min(axis=1) + 1e-6
    # Ranks: a tree cuts them where it would cut the values, and none is too large for its floats.

    def score(axis: Axis) -> float:
        table = np.column_stack([rankdata(entry.values) for entry in [*given, axis]])
        tree = DecisionTreeClassifier(max_leaf_nodes=8, random_state=0)
        fitted = tree.fit(table, summary.best, sample_weight=weight)
        return float(fitted.score(table, summary.best, sample_weight=weight))

    return max(candidates, key=score)


def _draw(axes: Axes, first: Axis, second: Axis, summary: Summary) -> None:
    wins = np.bincount(summary.best, minlength=len(summary.variants))
    order = [int(k) for k in np.argsort(-wins, kind="stable") if wins[k]]
    named = order if len(order) <= len(SERIES) else order[: len(SERIES) - 1]
    many = summary.count > 1500  # then the points become one picture: a page must stay small
    size = 26 if summary.count <= 200 else 12

    def points(rows: Integers, colour: str, marker: str, label: str) -> None:
        x, y = first.values[rows], second.values[rows]
        axes.scatter(
            x, y, s=size, c=colour, marker=marker, linewidths=0, label=label, rasterized=many
        )

    for variant, colour, marker in zip(named, SERIES, MARKERS, strict=False):
        rows = np.flatnonzero(summary.best == variant)
        points(
            rows, colour, marker, f"{shortened(summary.variants[variant], 20)} ({wins[variant]})"
        )
    rest = np.flatnonzero(~np.isin(summary.best, named))
    if len(rest):
        others = len(order) - len(named)
        points(rest, "#888888" if many else MUTED, ".", f"{others} others ({len(rest)})")
    dear = np.flatnonzero(summary.shares < DEAR)
    if len(dear):
        x, y = first.values[dear], second.values[dear]
        ring = "#d03030" if many else BAD
        label = f"choice loses > {100 * (1 - DEAR):.0f} % ({len(dear)})"
        width = 0.5 if many else 1.1
        rings = axes.scatter(x, y, s=3.0 * size, c="none", edgecolors=ring, linewidths=width)
        rings.set(label=label, rasterized=many)
    axes.set_xlabel(shortened(first.label, 40))
    axes.set_ylabel(shortened(second.label, 40))
    if first.logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(power_of_ten)
    if second.logarithmic:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(power_of_ten)
    axes.grid()
    axes.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, handletextpad=0.3, markerscale=1.2
    )
