"""The provenance of a model: the facts in its description that say where it comes from."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from fettle.core.version import __version__
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import Delivered
from fettle.store.subject import Offer
from fettle.training.failed import FailedVariants
from fettle.training.settings import Settings
from fettle.training.train import Trained
from fettle.training.trainer import Judged

MOST_NAMES = 5  # of variants that are never chosen; the others are counted


def provenance_of(
    trained: Trained,
    judged: Judged | None,
    data: TrainingSet,
    failed: FailedVariants,
    settings: Settings,
    offer: Offer,
    *,
    machine: str,
    started: datetime,
) -> dict[str, str]:
    """The facts about a trained model, in the order in which they are written.

    `judged` are its choices judged against all variants that were measured, `data` is what it was
    trained on, and `started` when tuning began.
    """
    facts = dict(trained.model.provenance) | _score_facts(trained, judged)
    if data.spread is not None and np.isfinite(data.spread).any():
        facts["spread_of_costs"] = f"{np.nanmedian(data.spread):.4f}"
    macros = [f"{name}={value}" for name, value in settings.built_with.items()]
    if macros:
        facts["compiled_with"] = " ".join(macros)
    return (
        facts
        | _failure_facts(failed)
        | {
            "trained": started.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "machine": machine,
            "compiler": offer.machine.get("compiler", "unknown"),
            "inputs": str(len(data)),
            "tool": f"fettle {__version__}",
        }
    )


def gain_facts(delivered: Delivered) -> dict[str, str]:
    """The facts about what a user gains by a model, over the default variant."""
    facts = {}
    if delivered.deployed == "default":
        why = "the machine was too busy to tell" if delivered.is_unclear else "no gain worth having"
        facts["deployed"] = f"the default variant always: {why}"
    if delivered.gain is not None:
        what = "gain_refused" if delivered.deployed == "default" else "gain"
        facts |= {
            what: f"{delivered.gain.mean:.4f}",
            f"{what}_least": f"{delivered.gain.least:.4f}",
            f"{what}_inputs": str(len(delivered.inputs)),
        }
    return facts


def _score_facts(trained: Trained, judged: Judged | None) -> dict[str, str]:
    if judged is None or trained.evaluation is None:
        return {}
    score = judged.score()
    return {
        "judged": trained.evaluation.how,
        "share_of_best": f"{score.mean:.4f}",
        "share_of_best_p5": f"{score.p5:.4f}",
        "share_of_best_worst": f"{score.worst:.4f}",
        "accuracy": f"{score.accuracy:.4f}",
    }


def _failure_facts(failed: FailedVariants) -> dict[str, str]:
    withheld = [one.variant for one in failed.variants if not one.allowed]
    if not withheld:
        return {}
    others = len(withheld) - MOST_NAMES
    more = f" and {others} more" if others > 0 else ""
    return {"never_chosen": ", ".join(withheld[:MOST_NAMES]) + more}
