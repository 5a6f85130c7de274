"""Measurements of one function on the other machines that a store knows, as sources."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fettle.core.errors import FettleError
from fettle.profiles.kept import Profiles, kept_profiles
from fettle.store.base import Store
from fettle.store.subject import Offer, Subject
from fettle.training.exported import Exported, exported, measured_subjects
from fettle.transfer.machines import Machines, is_in_other_unit
from fettle.transfer.portable_errors import SourceErrors, source_errors
from fettle.transfer.sources import Measured

REMEASURE = ", perhaps in another unit; measure it anew with `fettle machine --fresh`"


@dataclass(frozen=True)
class StoredSources:
    """The sources of a function, and what of the store is not one of them."""

    data: Measured
    machines: Machines
    target: Machines
    default: str
    failed: tuple[str, ...]
    """Variants that failed on some input of a source: they are never chosen."""
    profiles: tuple[Profiles, ...]
    """Of the variants, by whatever machines, this one included."""
    names: tuple[str, ...]
    """The inputs of the sources, by their numbers."""
    errors: SourceErrors | None
    """Of approximate variants; None: there are none."""
    left_out: tuple[str, ...]
    """Machines with measurements, and device features, that cannot be used, with the reasons."""


def stored_sources(
    store: Store,
    function: str,
    target: str,
    known: dict[str, dict[str, float]],
    variants: tuple[str, ...] | None,
) -> StoredSources:
    """The measurements of all machines but `target` that have device features in `known`.

    `variants` are those of the script, None: those of the first source. Raises FettleError where no
    source is left, with the reasons.
    """
    found, left_out = _usable(store, function, target, known, variants)
    tables = {one.subject.machine: one.table for one in found}
    reasons = "".join(f"\n  {why}" for why in left_out)
    if not tables:
        raise FettleError(
            f"{function}: the database has no measurements of it on another machine that can be "
            f"used; tune there with the same database, or here with tune(){reasons}"
        )
    names = tuple(tables)
    features = tuple(sorted(set.intersection(*(set(known[one]) for one in (*names, target)))))
    if not features:
        each = "; ".join(f"{one}: {', '.join(sorted(known[one]))}" for one in (target, *names))
        raise FettleError(
            f"{function}: {target} and {', '.join(names)} have no device feature in common to all "
            f"({each}); measure the one that lacks them by `fettle machine --fresh` there, or give "
            f"it a line with them in the machines file{reasons}"
        )
    values = {one: [known[one][name] or math.nan for name in features] for one in (*names, target)}
    first = tables[names[0]]
    machines = Machines(names, features, np.array([values[one] for one in names]), {})
    own, doubtful = _in_their_units(values[target], machines)
    left_out += [f"{what} of {target}{REMEASURE}" for what in doubtful]
    measured, inputs = _measured(tables, first)
    return StoredSources(
        measured,
        machines,
        Machines((target,), features, np.array([own]), {}),
        found[0].offer.default,
        tuple(
            name
            for name in first.variants
            if any("failed" in row for one in tables.values() for row in _column(one, name))
        ),
        tuple(kept_profiles(store, function)),
        inputs,
        source_errors(store, [one.subject for one in found], found[0].offer),
        tuple(left_out),
    )


@dataclass(frozen=True)
class _Source:
    """What one machine has measured."""

    subject: Subject
    offer: Offer
    table: Exported


def _usable(
    store: Store,
    function: str,
    target: str,
    known: dict[str, dict[str, float]],
    variants: tuple[str, ...] | None,
) -> tuple[list[_Source], list[str]]:
    """A source for each machine that can be one, and the others with the reasons."""
    found: dict[str, _Source] = {}
    left_out: list[str] = []
    for subject in measured_subjects(store):
        if subject.function != function or subject.machine == target:
            continue
        try:
            table = exported(store, subject)
        except FettleError as error:  # only profiled, or its tuning was interrupted
            left_out.append(f"{subject.machine} cannot be used: {error}")
            continue
        reference = next((one.table for one in found.values()), table)
        wanted = variants or reference.variants
        if subject.machine not in known:
            why = "has no device features (run `fettle machine` there with this database)"
        elif not known[subject.machine].keys() & known[target].keys():
            why = (
                f"has no device feature in common with {target}, but "
                f"{', '.join(sorted(known[subject.machine]))} (run `fettle machine --fresh` there)"
            )
        elif set(table.variants) != set(wanted) or table.features != reference.features:
            why = (
                f"measured other variants or features: {', '.join(table.variants)} by "
                f"{', '.join(table.features)}"
            )
        elif subject.machine in found:
            why = "was measured by several programs; the first is taken"
        else:
            offer = store.offer(subject)
            assert offer is not None
            found[subject.machine] = _Source(subject, offer, table)
            continue
        left_out.append(f"{subject.machine} {why}")
    return list(found.values()), left_out


def _in_their_units(own: list[float], sources: Machines) -> tuple[list[float], list[str]]:
    """The features of a machine, those not known that can only be in another unit; these in words.

    A machine of which that holds of most is unlike the sources, rather than in other units.
    """
    doubtful: dict[int, str] = {}
    for j, value in enumerate(own):
        there = sources.values[:, j][np.isfinite(sources.values[:, j])]
        if len(there) and there.min() > 0 and is_in_other_unit(value, there):
            ends = f"{there.min():g} to {there.max():g}"
            doubtful[j] = f"{sources.features[j]} = {value:g} (the sources have {ends})"
    if 2 * len(doubtful) > len(own):
        return own, []
    known = [math.nan if j in doubtful else value for j, value in enumerate(own)]
    return known, list(doubtful.values())


def _column(table: Exported, variant: str) -> list[str]:
    index = 1 + len(table.features) + table.variants.index(variant)
    return [row[index] for row in table.rows]


def _measured(tables: dict[str, Exported], first: Exported) -> tuple[Measured, tuple[str, ...]]:
    """The rows of all tables on which some variant works, and the inputs by their numbers."""
    numbers: dict[str, int] = {}
    machine, inputs, values, costs = [], [], [], []
    for index, table in enumerate(tables.values()):
        columns = [_column(table, name) for name in first.variants]
        for i, row in enumerate(table.rows):
            paid = [_cost(column[i]) for column in columns]
            if min(paid) == math.inf:
                continue
            machine.append(index)
            inputs.append(numbers.setdefault(row[0], len(numbers)))
            values.append([float(cell) for cell in row[1 : 1 + len(table.features)]])
            costs.append(paid)
    measured = Measured(
        first.variants,
        first.features,
        tuple(tables),
        np.array(machine, dtype=np.intp),
        np.array(inputs, dtype=np.intp),
        np.array(values).reshape(len(values), len(first.features)),
        np.array(costs).reshape(len(costs), len(first.variants)),
    )
    return measured, tuple(numbers)


def _cost(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.inf
