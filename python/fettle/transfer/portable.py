"""Portable models: one model for all machines, which has device features among its features.

The function's own classifier learns from all sources at once (feature concatenation, dissertation
3.2.1). A program takes the features of the machine that it runs on when it loads the model, and
specialises it: selection costs what it costs without them (include/fettle/model/portable.hpp).
"""

from __future__ import annotations

import warnings
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from fettle.data.training_set import Floats, TrainingSet, TrainingWarning
from fettle.model.model import Model
from fettle.model.never_chosen import never_choosing
from fettle.training.code_variant import CodeVariant
from fettle.training.search_limits import SearchLimits
from fettle.training.trainer import Trainer
from fettle.transfer.concatenate import without
from fettle.transfer.cross_validated_selection import CrossValidatedSelection
from fettle.transfer.machines import Machines
from fettle.transfer.method import masked_share
from fettle.transfer.sources import Measured

KEPT = 3  # device features, at most: more tell few machines apart without saying how they differ


@dataclass(frozen=True)
class Portable:
    """A model for all machines, and what to expect of it on one that is not a source."""

    model: Model
    expected: float | None
    """Mean share of best with each source in turn left out; None with one source."""


def portable_model(
    function: CodeVariant,
    data: Measured,
    machines: Machines,
    default: str,
    withheld: Collection[str],
    seed: int,
) -> Portable:
    """Trains on all sources, with the device features that CV-DFS finds, at most three.

    Takes the training of a model, and one more for each source.
    """
    data = _without(data, withheld)
    chosen = _device_features(data, machines, function.search_limits, seed)
    model = _trained(function, data, machines, chosen, default, withheld)
    if len(machines.names) < 2:
        return Portable(model, None)
    shares = []
    trainer = Trainer(function.classifier, guarded=False, seed=seed)
    for index in range(len(machines.names)):
        rest, others = without(data, machines, index)
        own = data.rows(data.of_machine(index))
        if not len(own) or not len(rest):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TrainingWarning)  # of models that are not kept
            there = _trained(function, rest, others, chosen, default, withheld)
        values = _with_device(own, machines.values[[index]], chosen, np.zeros(len(own), dtype=int))
        choice = trainer.choose(replace(there, device=()), values)
        scores = np.eye(len(data.variants))[choice]
        scores[:, data.variants.index(default)] += 0.5  # runs where the choice does not work
        shares.append(float(masked_share(scores, own.costs).mean()))
    return Portable(model, float(np.mean(shares)) if shares else None)


def _without(data: Measured, withheld: Collection[str]) -> Measured:
    """The rows on which a variant works that may be chosen; others have no finite cost."""
    costs = data.costs.copy()
    costs[:, [data.variants.index(name) for name in withheld]] = np.inf
    return replace(data, costs=costs).rows(np.flatnonzero(np.isfinite(costs).any(axis=1)))


def _device_features(
    data: Measured, machines: Machines, limits: SearchLimits, seed: int
) -> tuple[int, ...]:
    """Those that all sources have a value of, and no feature of the inputs is called like."""
    known = np.flatnonzero(np.isfinite(machines.values).all(axis=0)).tolist()
    usable = [j for j in known if machines.features[j] not in data.features]
    few = machines.names, tuple(machines.features[j] for j in usable), machines.values[:, usable]
    if len(usable) > KEPT and len(machines.names) > 2:
        kept = replace(limits, kept=max(KEPT, limits.kept))
        found = CrossValidatedSelection(kept).select(data, Machines(*few, machines.words), seed)
        usable = [usable[j] for j in found]
    return tuple(usable[: max(KEPT, limits.kept)])


def _trained(
    function: CodeVariant,
    data: Measured,
    machines: Machines,
    chosen: tuple[int, ...],
    default: str,
    withheld: Collection[str],
) -> Model:
    device = tuple(machines.features[j] for j in chosen)
    kept = data.rows(np.flatnonzero(np.isfinite(data.values).all(axis=1)))
    costs = kept.costs / kept.costs.min(axis=1, keepdims=True)  # machines' units may differ
    learned = TrainingSet(
        function=function.name,
        features=(*data.features, *device),
        variants=data.variants,
        inputs=_names(kept),
        values=_with_device(kept, machines.values, chosen, kept.machine),
        costs=costs,
        feature_seconds=np.zeros(len(data.features) + len(device)),
        default=default,
        cost_seconds=None,
        device=device,
    )
    return replace(never_choosing(function.classifier.fit(learned), withheld), device=device)


def _with_device(
    data: Measured,
    values: Floats,
    chosen: tuple[int, ...],
    machine: np.ndarray[tuple[int], np.dtype[np.intp]],
) -> Floats:
    return np.hstack([data.values, values[:, list(chosen)][machine]])


def _names(data: Measured) -> tuple[str, ...]:
    """Rows of one input have one name, so that they are in one fold of cross-validation."""
    seen: dict[int, int] = {}
    names = []
    for one in data.input.tolist():
        seen[one] = seen.get(one, -1) + 1
        names.append(f"input {one} #{seen[one]}" if seen[one] else f"input {one}")
    return tuple(names)
