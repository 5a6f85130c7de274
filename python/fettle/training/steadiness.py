"""Whether a machine was steady enough to tell the variants of a function apart.

What decides is whether something is better than the default. Of each input and each other variant
it is known how much more than the default it costs, d (a difference of logarithms), and what the
standard error of that is, e (`TrainingSet.spread`). With z, the quantile of the normal distribution
that leaves 2.5 % beyond it for all the k other variants together, a variant is faster where
d < -z e, slower where d > z e, and else open.

The machine was too busy where all hold:

- On half of the inputs or more no variant is faster, and the error of those that are open (its
  median) exceeds what may count as a tie at all: 2 e > 3 %. Repetitions of one variant then differ
  by more than variants do. Variants that are equal on a quiet machine are open, too, but their
  error is small.
- Nothing differs over all inputs together either: for no variant is the mean of d below -z times
  its error, and not for all of them is it above z times that. Many inputs together can show a
  difference that one input does not.
- Variants are clearly faster, d < -2 z e, on no more inputs than chance would have it: the binomial
  distribution of 2.5 % of the inputs leaves 2.5 % beyond them. Where variants are equal on most
  inputs, the others decide.

And it was too busy where the variants chosen are faster than an exhaustive search, which cannot be:
where the geometric mean of exhaustive over chosen cost is more than a tenth above 1, and by more
than twice its standard error. (A search whose two halves differ, as where a machine warms up, costs
the mean of both, which is a little more than the median of all.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np

from fettle.core.wording import counted
from fettle.data.preference import Indices
from fettle.data.ties import WIDEST, Flags
from fettle.data.training_set import Floats, TrainingSet

IMPOSSIBLE = 0.1
BEYOND = 0.025  # of the normal distribution, on one side
MOST_UNCLEAR = 0.5
SURE = 2.0  # standard errors
CLEARLY = 2.0  # times what is sure
BUSY = "this machine is too busy to tell these apart"
REMEDY = (
    "tune anew (--fresh) while nothing else runs there, "
    "or with more samples (Measuring, SecondRound)"
)


@dataclass(frozen=True)
class Unsteady:
    """Why a machine is too busy; `str` is a sentence without a full stop."""

    inputs: int
    unclear: int = 0
    spread: float = 0.0  # of a difference on the unclear inputs, 2 standard errors: the median
    gap: float = 0.0  # between default and best there, as a fraction: the median
    impossible: float = 0.0  # exhaustive over chosen cost, geometric mean; 0: it is possible

    def __str__(self) -> str:
        if self.impossible:
            return (
                f"{BUSY}: what was chosen would be {self.impossible:.2f} times as fast as the best "
                f"of all variants on {counted(self.inputs, 'input')}, which cannot be"
            )
        return (
            f"{BUSY}: on {self.unclear} of {counted(self.inputs, 'input')} repetitions of a "
            "variant disagree "
            f"by {100 * self.spread:.0f} %, default and best by {100 * self.gap:.0f} %"
        )


def why_not_deployed(
    data: TrainingSet, judged: tuple[TrainingSet, Indices] | None, model: Path
) -> str:
    """Why a new model is not deployed, what is instead, and what to do; empty where it is.

    `data` is what was measured, `judged` what was chosen on inputs that the model was not fitted
    on, and `model` the directory of the model that was deployed before, if any.
    """
    found = unsteadiness(data)
    if found is None and judged is not None:
        found = impossible_choice(*judged)
    if found is None:
        return ""
    instead = (
        f"the model of before stays in {model}"
        if (model / "model.txt").exists()
        else "no model is written, so the default runs always"
    )
    return f"{found}. {instead[0].upper()}{instead[1:]}; {REMEDY}"


def unsteadiness(data: TrainingSet) -> Unsteady | None:
    """Why the default and the other variants cannot be distinguished; None where they can.

    None, too, where costs have no spread, or where there is nothing to compare.
    """
    if data.spread is None or len(data.variants) < 2:
        return None
    default = data.preference[0] if data.default is None else data.variants.index(data.default)
    others = np.arange(len(data.variants)) != default
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = (np.log(data.costs) - np.log(data.costs[:, [default]]))[:, others]
    error = np.hypot(data.spread, data.spread[:, [default]])[:, others]
    known = np.isfinite(gap) & np.isfinite(error)
    rows = known.any(axis=1)
    if not rows.any():
        return None
    gap, error, known = gap[rows], error[rows], known[rows]
    sure = NormalDist().inv_cdf(1 - BEYOND / gap.shape[1])
    faster = known & (gap < -sure * error)
    is_open = known & (np.abs(gap) <= sure * error)
    spread = np.array(
        [SURE * np.median(e[o]) if o.any() else 0.0 for e, o in zip(error, is_open, strict=True)]
    )
    unclear = (spread > math.log1p(WIDEST)) & ~faster.any(axis=1)
    if unclear.mean() < MOST_UNCLEAR or _differ_on_the_whole(gap, error, known, sure):
        return None
    clearly = known & (gap < -CLEARLY * sure * error)
    if _probability_of_more(int(clearly.any(axis=1).sum()), len(gap)) < BEYOND:
        return None
    best = np.minimum(np.where(known, gap, np.inf).min(axis=1), 0.0)
    return Unsteady(
        inputs=len(gap),
        unclear=int(unclear.sum()),
        spread=math.expm1(float(np.median(spread[unclear]))),
        gap=math.expm1(-float(np.median(best[unclear]))),
    )


def _probability_of_more(faster: int, inputs: int) -> float:
    """That chance makes variants look faster on so many inputs or more: the binomial's tail."""
    tail, term = 1.0, (1 - BEYOND) ** inputs
    for i in range(faster):
        tail -= term
        term *= (inputs - i) / (i + 1) * BEYOND / (1 - BEYOND)
    return tail


def _differ_on_the_whole(gap: Floats, error: Floats, known: Flags, sure: float) -> bool:
    """Whether some variant is surely faster than the default over all inputs, or all slower."""
    count = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, gap, 0.0).sum(axis=0) / count
    limit = sure * np.sqrt(np.where(known, error**2, 0.0).sum(axis=0)) / count
    compared = known.any(axis=0)
    return bool((compared & (mean < -limit)).any() or (mean > limit)[compared].all())


def impossible_choice(data: TrainingSet, chosen: Indices) -> Unsteady | None:
    """Why the costs of what was chosen on each input of `data` cannot be; None where they can."""
    if data.exhaustive is None or data.spread is None or not len(data):
        return None
    rows = np.arange(len(data))
    with np.errstate(invalid="ignore"):  # no variant works there
        ratio = np.log(data.exhaustive) - np.log(data.costs[rows, chosen])
    spread = data.spread[rows, chosen]
    known = np.isfinite(ratio) & np.isfinite(spread)
    if not known.any():
        return None
    mean = float(ratio[known].mean())
    error = math.sqrt(float((spread[known] ** 2).sum())) / int(known.sum())
    if mean <= max(math.log1p(IMPOSSIBLE), SURE * error):
        return None
    return Unsteady(inputs=int(known.sum()), impossible=math.exp(mean))
