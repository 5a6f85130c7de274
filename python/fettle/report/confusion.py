"""The confusion table, cut down to the variants that play a part in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fettle.data.judged_table import Floats, Integers
from fettle.data.summary import Summary


@dataclass(frozen=True)
class ConfusionTable:
    """Rows: the best variant; columns: the chosen one; the last may be "(other)"."""

    names: tuple[str, ...]
    count: Integers
    lost: Floats


def confusion_table(summary: Summary, limit: int = 12) -> ConfusionTable:
    """The confusion of at most `limit` variants: the most frequent ones and "(other)" for the rest.

    Variants that were never best and never chosen are left out. Nothing is lost: the counts add up
    to the number of judged inputs.
    """
    whole = summary.confusion
    involved = whole.count.sum(axis=0) + whole.count.sum(axis=1)
    order = [int(k) for k in np.argsort(-involved, kind="stable") if involved[k]]
    shown = order if len(order) <= limit else order[: limit - 1]
    shown = sorted(shown)
    rest = sorted(set(order) - set(shown))
    groups = [[k] for k in shown] + ([rest] if rest else [])
    names = tuple(summary.variants[k] for k in shown) + (("(other)",) if rest else ())
    size = len(groups)
    count = np.zeros((size, size), dtype=np.int64)
    lost = np.zeros((size, size), dtype=np.float64)
    for row, best in enumerate(groups):
        for column, chosen in enumerate(groups):
            cells = np.ix_(best, chosen)
            count[row, column] = whole.count[cells].sum()
            lost[row, column] = whole.lost[cells].sum()
    return ConfusionTable(names, count, lost)
