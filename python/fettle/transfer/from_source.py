"""Models for this machine from what other machines measured (dissertation, listing 3.2).

The chosen method scores the variants for this machine on the inputs of the sources; the function's
own classifier learns from these scores, so that the program selects by a model like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet
from fettle.model.model_directory import check_model_directory, write_model
from fettle.model.never_chosen import never_choosing
from fettle.store.sqlite import SqliteStore
from fettle.training.code_variant import CodeVariant
from fettle.training.settings import Settings
from fettle.training.subject import machine_name
from fettle.transfer.guard import unlike
from fettle.transfer.methods import AUTO, METHODS, compare
from fettle.transfer.stored_sources import StoredSources, stored_sources
from fettle.transfer.this_machine import known_machines, this_machine


@dataclass(frozen=True)
class FromSource:
    """A model that was made without a run on this machine, and what to expect of it."""

    function: str
    directory: Path
    method: str
    machine: str
    sources: tuple[str, ...]
    expected: float | None
    """Mean share of best with each source in turn as the target; None with one source."""
    unlike: str
    """Why the sources say nothing of this machine: the model is the default. Empty otherwise."""
    left_out: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"{self.function} on {self.machine}, from {', '.join(self.sources)}:"]
        if self.unlike:
            lines.append(f"  too unlike the sources ({self.unlike}): the default variant runs")
        elif self.expected is None:
            lines.append("  one source: what to expect here cannot be judged")
        else:
            lines.append(
                f"  expected share of best {self.expected:.3f} ({self.method}; each source in turn "
                "as the target, inputs held out)"
            )
        lines += [f"  left out: {why}" for why in self.left_out]
        lines.append(f"  model: {self.directory}")
        return "\n".join(lines)


def tune_from_source(
    settings: Settings, functions: list[CodeVariant], method: str = AUTO
) -> list[FromSource]:
    """A model for each function from the store's other machines; the program is not started.

    Raises FettleError where there is no source, and for a method that does not exist.
    """
    if method not in (AUTO, *METHODS):
        raise FettleError(
            f"tune_from_source has no method {method!r}; it has {AUTO}, {', '.join(METHODS)}"
        )
    with SqliteStore(settings.place(settings.database)) as store:
        known = known_machines(store)
        target = settings.machine or machine_name()
        if target not in known:
            if settings.machine:
                raise FettleError(
                    f"the database has no device features of {target!r}; it has those of "
                    f"{', '.join(known) or 'no machine'}"
                )
            known |= this_machine(store)
        return [_one(settings, store, function, target, known, method) for function in functions]


def _one(
    settings: Settings,
    store: SqliteStore,
    function: CodeVariant,
    target: str,
    known: dict[str, dict[str, float]],
    method: str,
) -> FromSource:
    directory = settings.place(settings.model_directory) / function.name
    check_model_directory(directory)
    named = function.variants if isinstance(function.variants, tuple) else None
    sources = stored_sources(store, function.name, target, known, named)
    reason = unlike(sources.target, sources.machines)
    expected: float | None = None
    if reason:
        chosen, gains = "default", _always_default(sources)
    else:
        found = compare(method, sources.data, sources.machines, settings.seed)
        chosen = found.name
        expected = found.expected[chosen].mean if len(sources.machines.names) > 1 else None
        chooser = METHODS[chosen]().fit(sources.data, sources.machines, settings.seed)
        gains = chooser.gains(sources.target, sources.data.values)
    allowed = set(function.allow_failures)
    withheld = {name for name in sources.failed if name not in allowed}
    data = _training_set(function.name, sources, gains, withheld)
    model = never_choosing(function.classifier.fit(data), withheld)
    provenance = {
        **model.provenance,
        "transferred_to": target,
        "transferred_from": ", ".join(sources.machines.names),
        "transferred_by": chosen,
    }
    write_model(directory, replace(model, provenance=provenance))
    return FromSource(
        function.name,
        directory,
        chosen,
        target,
        sources.machines.names,
        expected,
        reason,
        sources.left_out,
    )


def _always_default(sources: StoredSources) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    gains = np.full(sources.data.costs.shape, -1.0)
    gains[:, sources.data.variants.index(sources.default)] = 0.0
    return gains


def _training_set(
    function: str,
    sources: StoredSources,
    gains: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    withheld: set[str],
) -> TrainingSet:
    """An input once, with costs that have the predicted shares of best."""
    data = sources.data
    _, once = np.unique(data.input, return_index=True)
    once = once[np.isfinite(data.values[once]).all(axis=1)]
    best = gains[once].max(axis=1, keepdims=True)
    costs = np.exp(np.minimum(best - gains[once], 20.0))
    costs[:, [data.variants.index(name) for name in withheld]] = np.inf
    return TrainingSet(
        function=function,
        features=data.features,
        variants=data.variants,
        inputs=tuple(f"input {one}" for one in data.input[once].tolist()),
        values=data.values[once],
        costs=costs,
        feature_seconds=np.zeros(len(data.features)),
        default=sources.default,
        cost_seconds=None,
    )
