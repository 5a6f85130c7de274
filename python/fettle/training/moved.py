"""Whether variants still take what they took: two measurements of one call, compared.

The machine may be busier now than it was then. That is a common factor of all variants, which is
taken out, as store/starts.py takes it out of several starts of a program; what is left is the
change of the variant itself. A variant has changed if it differs in two starts of the program.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Two starts of an unchanged program differ by up to this factor, by where its memory is placed.
NOISE = 1.3
# A machine that is used otherwise is slower or faster by less than this.
PACE = 2.0
# Stands for a factor that is not defined, because one of the metrics is not positive.
NO_FACTOR = math.inf


@dataclass(frozen=True)
class Move:
    """A variant's metric before and now; `factor` is its own share in the change."""

    before: float
    now: float
    factor: float

    def confirmed_by(self, other: Move | None) -> bool:
        """Whether another start of the program says the same."""
        return other is not None and (self.factor > 1) == (other.factor > 1)


def moves(
    before: Mapping[str, Sequence[float]], now: Mapping[str, Sequence[float]], *, timed: bool
) -> tuple[float, dict[str, Move]]:
    """The common factor of all variants on a call, and the variants that moved besides.

    Where metrics are not `timed`, one whose samples are all equal is exact: any change counts.
    """
    found: dict[str, Move] = {}
    factors: dict[str, float] = {}
    for name in before.keys() & now.keys():
        then, later = statistics.median(before[name]), statistics.median(now[name])
        exact = not timed and _are_equal(before[name]) and _are_equal(now[name])
        if then > 0 and later > 0 and math.isfinite(then) and math.isfinite(later) and not exact:
            factors[name] = later / then
        elif then != later:
            found[name] = Move(then, later, NO_FACTOR if later > then else 1 / NO_FACTOR)
    tolerances = {name: tolerance(before[name], now[name]) for name in factors}
    common = common_factor(factors, tolerances)
    for name, factor in factors.items():
        if not _is_near(factor, common, tolerances[name]):
            then, later = statistics.median(before[name]), statistics.median(now[name])
            found[name] = Move(then, later, factor / common)
    return common, {name: found[name] for name in before if name in found}


def tolerance(*measurements: Sequence[float]) -> float:
    """By which factor medians of these may differ for no reason."""
    return NOISE * math.prod(map(_spread, measurements))


def common_factor(factors: Mapping[str, float], tolerances: Mapping[str, float]) -> float:
    """The factor by which the machine, or all the program, is slower now.

    Any, where all variants have moved alike. Else the one that most variants moved by, among those
    that a machine can be slower by; of several the nearest to 1.
    """
    if not factors:
        return 1.0
    if _is_near(max(factors.values()), min(factors.values()), max(tolerances.values())):
        return statistics.median(factors.values())
    best, most = 1.0, (-1, 0.0)
    for one in (1.0, *(factor for factor in factors.values() if 1 / PACE <= factor <= PACE)):
        near = [
            factor for name, factor in factors.items() if _is_near(factor, one, tolerances[name])
        ]
        if (rank := (len(near), -abs(math.log(one)))) > most:
            most, best = rank, statistics.median(near) if near else one
    return best


def _is_near(factor: float, other: float, within: float) -> bool:
    return abs(math.log(factor / other)) <= math.log(within)


def _are_equal(samples: Sequence[float]) -> bool:
    return len(samples) > 1 and len(set(samples)) == 1


def _spread(samples: Sequence[float]) -> float:
    """The upper quartile over the lower one; of few samples the largest over the smallest."""
    low, high = min(samples), max(samples)
    if len(samples) >= 4:
        low, _, high = statistics.quantiles(samples, method="inclusive")
    return high / low if low > 0 else 1.0
