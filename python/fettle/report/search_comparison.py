"""Simulations side by side as a table.

What strategies are ranked by over several spaces is the mean of optimum / best found.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fettle.core.wording import printable
from fettle.search.simulate import Simulation


def comparison_text(simulations: Sequence[Simulation]) -> list[str]:
    """One table a space, best mean first, and with several spaces one over all of them."""
    lines: list[str] = []
    width = max(len("strategy"), *(len(one.strategy) for one in simulations))
    for table, group in by_table(simulations).items():
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
    if len(by_table(simulations)) > 1:
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


def by_table(simulations: Sequence[Simulation]) -> dict[str, list[Simulation]]:
    """The simulations of each table, tables in order of first appearance."""
    groups: dict[str, list[Simulation]] = {}
    for one in simulations:
        groups.setdefault(one.table, []).append(one)
    return groups
