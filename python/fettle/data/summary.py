"""How near a choice of variants comes to the best one: the numbers behind every report.

Used by the report after tuning and by `fettle evaluate`. It works on plain arrays: a cost for every
(input, variant) pair, smaller is better, and one chosen variant for every input.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fettle.core.errors import FettleError
from fettle.core.wording import any_of
from fettle.data.judged_table import Floats, Integers, charge_of, checked_table
from fettle.data.score import Score, share_of_best


@dataclass(frozen=True)
class WrongChoice:
    """An input on which a cheaper variant was passed over."""

    input: str
    chosen: str
    best: str
    slowdown: float
    """Cost of the chosen variant over that of the best one; infinite if the chosen one failed."""
    spread: float = math.nan
    """The standard error of `slowdown`; not a number where it is not known."""

    def times(self) -> str:
        """The slowdown and its standard error, for people."""
        if not math.isfinite(self.slowdown):
            return "failed"
        error = f" ±{self.spread:.2f}" if math.isfinite(self.spread) else ""
        return f"{self.slowdown:.2f}x{error}"

    def __str__(self) -> str:
        cost = f"{self.slowdown:.2f}x slower" if math.isfinite(self.slowdown) else "which failed"
        return f"chosen {self.chosen}, best {self.best}, {cost}"


@dataclass(frozen=True)
class Confusion:
    """How often each variant was best (row) and which one was chosen instead (column)."""

    count: Integers
    """Number of inputs, (best, chosen)."""
    lost: Floats
    """What each cell takes off the mean share of best; the sum is 1 - mean. (best, chosen)."""


@dataclass(frozen=True)
class Summary:
    """How good one set of choices is. Made by `summarise`."""

    tuned: Score
    net: Score | None
    """`tuned` with the overhead of selecting charged to it; None where no overhead was given."""
    calls: int
    """Over how many calls of the function one selection was spread in `net`."""
    fixed: tuple[Score, ...]
    """Always the same variant: one score a variant, in the order of `variants`."""
    variants: tuple[str, ...]
    inputs: tuple[str, ...]
    """The inputs judged, in their order in the table."""
    left_out: tuple[str, ...]
    """Inputs on which no variant worked: nothing can be chosen there, so they are not judged."""
    shares: Floats
    """Share of best of the choice, one a judged input."""
    fixed_shares: Floats
    """Share of best of every variant, (judged input, variant)."""
    chosen: Integers
    best: Integers
    """Index of the best variant of each judged input; the chosen one where it is as good."""
    confusion: Confusion
    wrong: tuple[WrongChoice, ...]
    """Dearest first."""

    @property
    def count(self) -> int:
        """Number of judged inputs."""
        return len(self.inputs)

    @property
    def best_fixed(self) -> Score:
        """The fixed variant with the highest mean share of best: what tuning has to beat."""
        return max(self.fixed, key=lambda score: score.mean)

    def line(self) -> str:
        """The summary as one line, the last line of `fettle evaluate`."""
        score = self.net or self.tuned
        return (
            f"share of best: mean {score.mean:.4f} p5 {score.p5:.4f} worst {score.worst:.4f} "
            f"accuracy {score.accuracy:.4f} n {self.count}"
        )


def fixed_scores(costs: ArrayLike, variants: Sequence[str]) -> tuple[Score, ...]:
    """The score of always taking the same variant, one a variant, over the inputs where one works.

    Raises FettleError if there is no such input.
    """
    table = np.asarray(costs, dtype=np.float64)
    return summarise(table, np.zeros(len(table), dtype=np.int64), variants).fixed


def summarise(
    costs: ArrayLike,
    choices: ArrayLike,
    variants: Sequence[str],
    inputs: Sequence[str] | None = None,
    *,
    overhead: ArrayLike | None = None,
    spread: Floats | None = None,
    calls: int = 1,
    name: str = "tuned",
) -> Summary:
    """Judge `choices` (one variant index an input) against `costs` (input, variant).

    `costs` are positive, smaller is better, infinite where a variant failed or was excluded; inputs
    whose costs are all infinite are left out. `overhead` is what choosing costs, features and
    selection, in the unit of `costs`: one number or one an input; it is spread over `calls` calls
    and charged in `Summary.net`. `spread` is that of the costs (`TrainingSet.spread`). Raises
    FettleError, naming the input and the variant, for invalid
    costs and choices. Time and memory: proportional to the table.
    """
    names = tuple(variants)
    table, chosen, labels = checked_table(costs, choices, names, inputs)
    usable: NDArray[np.bool_] = np.isfinite(table.min(axis=1, initial=np.inf))
    if not usable.any():
        raise FettleError(
            f"no variant worked on {any_of(len(table), 'input')}: there is nothing to "
            "judge; the training log says why the variants failed"
        )
    judged = tuple(labels[i] for i in np.flatnonzero(usable))
    left_out = tuple(labels[i] for i in np.flatnonzero(~usable))
    charge = charge_of(overhead, len(table), calls)
    table, chosen = table[usable], chosen[usable]

    row = np.arange(len(table))
    least = table.min(axis=1)
    paid = table[row, chosen]
    hits = paid == least
    best = np.where(hits, chosen, table.argmin(axis=1))
    fixed_shares = share_of_best(table)
    shares = fixed_shares[row, chosen]
    net = None
    if charge is not None:
        net = Score.of(name, least / (paid + charge[usable]), hits)
    return Summary(
        tuned=Score.of(name, shares, hits),
        net=net,
        calls=calls,
        fixed=tuple(
            Score.of(variant, fixed_shares[:, k], table[:, k] == least)
            for k, variant in enumerate(names)
        ),
        variants=names,
        inputs=judged,
        left_out=left_out,
        shares=shares,
        fixed_shares=fixed_shares,
        chosen=chosen,
        best=best,
        confusion=_confusion(best, chosen, shares, len(names)),
        wrong=_wrong_choices(
            table,
            np.full(table.shape, np.nan) if spread is None else spread[usable],
            chosen,
            best,
            names,
            judged,
        ),
    )


def _confusion(best: Integers, chosen: Integers, shares: Floats, size: int) -> Confusion:
    count = np.zeros((size, size), dtype=np.int64)
    lost = np.zeros((size, size), dtype=np.float64)
    np.add.at(count, (best, chosen), 1)
    np.add.at(lost, (best, chosen), (1.0 - shares) / len(shares))
    return Confusion(count, lost)


def _wrong_choices(
    table: Floats,
    spread: Floats,
    chosen: Integers,
    best: Integers,
    names: tuple[str, ...],
    inputs: tuple[str, ...],
) -> tuple[WrongChoice, ...]:
    found = []
    for i, (c, b) in enumerate(zip(chosen.tolist(), best.tolist(), strict=True)):
        if c != b:
            least = float(table[i, b])
            slowdown = float(table[i, c]) / least if least else math.inf
            error = slowdown * math.hypot(float(spread[i, c]), float(spread[i, b]))
            found.append(WrongChoice(inputs[i], names[c], names[b], slowdown, error))
    return tuple(sorted(found, key=lambda wrong: -wrong.slowdown))
