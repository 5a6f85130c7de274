"""The headline of a report: what the deployed program gains over the untuned one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fettle.core.wording import counted, printable
from fettle.data.tuning_result import Delivered, Gain, TuningResult


def delivered_sentence(result: TuningResult) -> str | None:
    """The gain in one sentence; None where no tuning run has made the result."""
    delivered = result.delivered
    if delivered is None:
        return None
    name, faster = printable(result.function), _faster(result)
    if delivered.gain is None:
        if delivered.deployed == "default":
            default = printable(result.model.default)
            return f"{name}: no gain worth having: {delivered.reason}, {default}"
        if delivered.deployed == "kept":
            return (
                f"{name}: the model that was deployed before stays, because {delivered.reason}; "
                "fettle tune --fresh or tune(fresh=True) replaces it"
            )
        return f"{name}: {_estimate(result)}"
    said = f"{gain_text(delivered.gain)} times as {faster} as untuned on {_inputs(delivered)}"
    said += f" ({_how_sure(delivered.gain)}), measured alternately"
    if delivered.deployed == "default":
        default = printable(result.model.default)
        if delivered.is_unclear:
            return (
                f"{name}: this machine is too busy to tell whether tuning gains anything, so the "
                f"default variant {default} is deployed; tune again while nothing else runs: {said}"
            )
        return f"{name}: no gain worth having, so the default variant {default} is deployed: {said}"
    if delivered.deployed == "kept" and delivered.over_former is not None:
        contest = delivered.over_former
        return (
            f"{name}: {said}; the model that was deployed before stays, because the new one is not "
            f"surely better: {gain_text(contest)} times as {faster} as it"
        )
    return f"{name}: {said}"


def gain_text(gain: Gain) -> str:
    """A factor as people read it."""
    return f"{gain.mean:.3f}" if gain.mean < 1.1 else f"{gain.mean:.3g}"


def delivered_record(result: TuningResult) -> dict[str, Any] | None:
    """The same for programs."""
    delivered = result.delivered
    if delivered is None:
        return None
    gains = {"gain": delivered.gain, "over_former": delivered.over_former}
    return {
        "deployed": delivered.deployed,
        "inputs": delivered.inputs,
        "trained_on": delivered.trained_on,
        **{what: None if of is None else of.__dict__ for what, of in gains.items()},
        "estimate": None if delivered.gain is not None else estimated_gain(result),
        "reason": delivered.reason,
        "is_unclear": delivered.is_unclear,
        "seconds": delivered.seconds,
        "program_starts": delivered.program_starts,
    }


def estimated_gain(result: TuningResult) -> float | None:
    """Default over chosen variant, geometric mean by the training measurements; None: unknown."""
    evaluation = result.evaluation
    if evaluation is None or evaluation.data.default not in evaluation.data.variants:
        return None
    data = evaluation.data
    paid = data.costs[np.arange(len(data)), evaluation.chosen]
    default = data.costs[:, data.variants.index(data.default)]
    both = np.isfinite(default) & np.isfinite(paid)
    return float(np.exp(np.log(default[both] / paid[both]).mean())) if both.any() else None


def _estimate(result: TuningResult) -> str:
    delivered, gain = result.delivered, estimated_gain(result)
    assert delivered is not None
    reason = f"the program did not run with its model: {delivered.reason}"
    if gain is None or result.evaluation is None:
        return f"gain over untuned not known, {reason}"
    how, count = result.evaluation.how, len(result.evaluation.data)
    return (
        f"an estimated {gain:.3g} times as {_faster(result)} as untuned by the training "
        f"measurements of {counted(count, f'{how} input')}, without what features and the choice "
        "take, not measured, because " + reason
    )


def _faster(result: TuningResult) -> str:
    return "fast" if result.unit == "s" else "good (by its metric)"


def _inputs(delivered: Delivered) -> str:
    count = len(delivered.inputs)
    if delivered.trained_on:
        return counted(count, "training input")
    return f"{counted(count, 'input')} not trained on"


def _how_sure(gain: Gain) -> str:
    least = f"{gain.least:.3g} at least, {gain.greatest:.3g} at most"
    if math.isnan(gain.low):
        return least
    return f"95 % confidence {gain.low:.3g} to {gain.high:.3g}; {least}"
