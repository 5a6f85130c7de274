"""The errors of approximate variants in a portable model.

An error is that of an input, on whatever machine: of several measurements the largest counts. Where
the errors keep the bound is learned from the sources' inputs, but for the script's test inputs,
which prove it, each with the device features of one of the machines that measured it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from fettle.core.wording import printable
from fettle.data.approximation import Approximation
from fettle.data.training_set import TrainingSet
from fettle.model.model import Model
from fettle.store.base import Store
from fettle.store.subject import Offer, Subject
from fettle.training.approximation import admit
from fettle.training.code_variant import CodeVariant
from fettle.training.errors import errors_of
from fettle.training.examples import distinct_calls
from fettle.training.trainer import Trainer
from fettle.transfer.machines import Machines
from fettle.transfer.sources import Measured


@dataclass(frozen=True)
class SourceErrors:
    """What the sources know of the errors of approximate variants."""

    offer: Offer
    largest: Mapping[str, tuple[float, ...]]
    """Of each variant of `offer`, by the input's name; not a number where it is not known."""


def source_errors(store: Store, subjects: Iterable[Subject], offer: Offer) -> SourceErrors | None:
    """The errors that the subjects' machines have measured; None without approximate variants."""
    if not offer.approximate:
        return None
    largest: dict[str, tuple[float, ...]] = {}
    for subject in subjects:
        inputs = [
            (printable(one.arguments), store.examples(subject, one))
            for one in store.inputs(subject)
        ]
        for name, example in distinct_calls(offer, inputs):
            found = errors_of(example, offer)
            before = largest.get(name, found)
            largest[name] = tuple(np.maximum(before, found).tolist())
    return SourceErrors(offer, largest)


def is_held_out(name: str, test_inputs: Collection[str]) -> bool:
    """Whether a row of this name is of a test input."""
    return name in test_inputs or name.rpartition(" #")[0] in test_inputs


def admit_portable(
    function: CodeVariant,
    known: SourceErrors,
    model: Model,
    data: Measured,
    machines: Machines,
    names: tuple[str, ...],
    test_inputs: Collection[str],
    seed: int,
) -> tuple[Model, Approximation]:
    """The model with what it admits, and what is proven; `names` are those of the input numbers."""
    device = [machines.features.index(name) for name in model.device]
    order = [known.offer.variants.index(name) for name in data.variants]

    def table(numbers: list[int]) -> TrainingSet:
        rows = []
        for count, number in enumerate(numbers):
            measured = np.flatnonzero(data.input == number)
            rows.append(int(measured[count % len(measured)]))
        errors = [[known.largest[names[number]][k] for k in order] for number in numbers]
        return TrainingSet(
            function=function.name,
            features=(*data.features, *model.device),
            variants=data.variants,
            inputs=tuple(names[number] for number in numbers),
            values=np.hstack([data.values[rows], machines.values[data.machine[rows]][:, device]]),
            costs=data.costs[rows],
            feature_seconds=np.zeros(len(data.features) + len(device)),
            default=known.offer.default,
            device=model.device,
            errors=np.array(errors).reshape(len(numbers), len(order)),
        )

    numbers = sorted({*data.input.tolist()} & {*range(len(names))})
    numbers = [number for number in numbers if names[number] in known.largest]
    held_out = [number for number in numbers if is_held_out(names[number], test_inputs)]
    learned = [number for number in numbers if number not in held_out]
    trainer = Trainer(function.classifier, seed=seed)
    whole = replace(model, device=())
    test = table(held_out) if held_out else None
    admitted, found = admit(trainer, function, known.offer, whole, table(learned), test)
    return replace(admitted, device=model.device), found
