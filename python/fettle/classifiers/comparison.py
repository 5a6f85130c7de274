"""Why a classifier took the model that it took, for people."""

from __future__ import annotations

import math

from fettle.classifiers.base import Fit
from fettle.classifiers.constant import Constant
from fettle.classifiers.judging import Judged
from fettle.core.wording import seconds_text
from fettle.data.model_comparison import ComparedModel, ModelComparison

ROBUST = "a forest is mostly better on inputs unlike these"


def comparison_of(fit: Fit) -> ModelComparison:
    """The models of a fit, the one that was taken among them, and why."""
    judged = list(fit.compared)
    if not any(one is fit.chosen for one in judged):
        judged.append(fit.chosen)
    rest = [one for one in judged if one is not fit.chosen]
    models = tuple(
        ComparedModel(
            kind=_kind(one),
            parameters=str(one.recipe),
            mean=math.nan if one.score is None else one.score.mean,
            p5=math.nan if one.score is None else one.score.p5,
            worst=math.nan if one.score is None else one.score.worst,
            net=one.net if len(one.nets) else math.nan,
            seconds=one.seconds,
            is_taken=one is fit.chosen,
            why=_why_taken(one, rest) if one is fit.chosen else _why_not(one, fit.chosen),
        )
        for one in judged
    )
    return ModelComparison(models, fit.calls, fit.left_out)


def _kind(one: Judged) -> str:
    return str(one.recipe) if isinstance(one.recipe, Constant) else one.classifier


def _why_taken(taken: Judged, rest: list[Judged]) -> str:
    if taken.score is None:
        return "taken: too few inputs to judge models by"
    if not rest:
        return "taken: nothing else was trained"
    best = max(rest, key=lambda one: one.net)
    if taken.net >= best.net:
        return "taken: the best net share"
    why = "its selections are faster" if taken.seconds < best.seconds else ROBUST
    return (
        f"taken: {why}, and what {_kind(best)} is better by, {best.net - taken.net:.4f}, may be "
        "chance"
    )


def _why_not(other: Judged, taken: Judged) -> str:
    if other.score is None:
        return "not taken: too few inputs to judge models by"
    gains = taken.nets - other.nets
    gain, error = float(gains.mean()), float(gains.std()) / math.sqrt(max(len(gains), 1))
    if taken.surely_better(other):
        return f"not taken: its net share is {gain:.4f} less"
    what = "less" if gain > 0 else "more"
    pace = (
        f"a selection takes {seconds_text(other.seconds)} instead of {seconds_text(taken.seconds)}"
    )
    if other.seconds < taken.seconds:
        pace += f", but {ROBUST}" if other.classifier == "svm" else ", which spares too little"
    return (
        f"not taken: its net share is {abs(gain):.4f} {what}, which may be chance (standard error "
        f"{error:.4f}), and {pace}"
    )
