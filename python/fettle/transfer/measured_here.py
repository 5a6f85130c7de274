"""Measures on this machine the few inputs that say most of how it differs from the sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from fettle.core.errors import FettleError
from fettle.core.progress import Display
from fettle.core.wording import counted
from fettle.data.training_set import Floats
from fettle.training.code_variant import CodeVariant
from fettle.training.collect import collect
from fettle.training.failed import NONE_FAILED
from fettle.training.measure import Measurer
from fettle.training.program import Input
from fettle.training.session import measuring_session
from fettle.training.settings import Settings
from fettle.training.tables import Tables
from fettle.transfer.sources import Measured

# Which of the inputs to measure: from their feature values, those known, and how many.
Choose = Callable[[Floats, Sequence[int], int], Sequence[int]]


@dataclass(frozen=True)
class MeasuredHere:
    """What the program says on this machine; rows and columns as those of the sources."""

    data: Measured
    """The measured inputs."""
    values: Floats
    """The features of all inputs that were not measured, (n, d)."""
    failed: tuple[str, ...]


def measure_here(
    settings: Settings,
    function: CodeVariant,
    sources: Measured,
    machine: str,
    count: int,
    choose: Choose,
    display: Display,
) -> MeasuredHere:
    """Builds the program, evaluates the features of all inputs and measures `count` of them.

    Inputs that the database has already are among the `count`. Raises FettleError where the program
    offers other variants or features than the sources measured.
    """
    with measuring_session(settings, [function], display) as open_measurer:
        measurer = open_measurer(function)
        inputs = settings.training_inputs
        found = collect(measurer, inputs, "features")
        _check_offer(measurer, function, sources)
        tables = Tables(settings, function, measurer)
        points = {one: tables.points(one) for one in found.complete(inputs)}
        usable = [one for one, rows in points.items() if len(rows)]
        order = _order(measurer, sources)
        values = np.array([points[one][0] for one in usable]).reshape(len(usable), -1)[:, order]
        known = [i for i, one in enumerate(usable) if measurer.is_complete(one)]
        asked = [usable[i] for i in choose(values, known, max(0, count - len(known)))]
        display.say(
            f"{function.name}: measuring {counted(len(asked), 'input')} of {len(usable)} here"
            + (f", {len(known)} are known already" if known else "")
        )
        if asked:
            done = collect(measurer, asked)
            asked = done.complete(asked)
        here = [*(usable[i] for i in known), *asked]
        failed = tables.failed(here).withheld
        measurer.rebuilt()
        data = _measured(tables, here, sources, order, machine)
    rest = [i for i, one in enumerate(usable) if one not in here]
    return MeasuredHere(data, values[rest], tuple(sorted(failed)))


def _check_offer(measurer: Measurer, function: CodeVariant, sources: Measured) -> None:
    offer = measurer.offer
    assert offer is not None
    for what, here, there in (
        ("variants", offer.variants, sources.variants),
        ("features", offer.features, sources.features),
    ):
        if set(here) != set(there):
            raise FettleError(
                f"{function.name}: the program has the {what} {', '.join(here)}, but the sources "
                f"measured {', '.join(there)}; tune again on a source, or here with tune()"
            )


def _order(measurer: Measurer, sources: Measured) -> list[int]:
    assert measurer.offer is not None
    return [measurer.offer.features.index(name) for name in sources.features]


def _measured(
    tables: Tables, inputs: Sequence[Input], sources: Measured, order: list[int], machine: str
) -> Measured:
    """The rows of these inputs, numbered apart from those of the sources."""
    table = tables.table(inputs, NONE_FAILED).data
    columns = [table.variants.index(name) for name in sources.variants]
    first = int(sources.input.max(initial=-1)) + 1
    return Measured(
        sources.variants,
        sources.features,
        (machine,),
        np.zeros(len(table), dtype=np.intp),
        np.arange(first, first + len(table), dtype=np.intp),
        table.values[:, order],
        table.costs[:, columns],
    )
