"""This machine as a target and as a source: its name in the database and its device features."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.core.errors import FettleError
from fettle.store.base import Store
from fettle.store.place import open_store
from fettle.training.code_variant import CodeVariant
from fettle.training.settings import Settings
from fettle.training.subject import machine_name
from fettle.transfer.own_features import evaluated, features_of_file
from fettle.transfer.this_machine import known_machines, this_machine


def target_of(
    settings: Settings, function: CodeVariant, store: Store
) -> tuple[str, dict[str, dict[str, float]]]:
    """The machine that a model is for, and the features of all machines that are known.

    This machine's are measured where the database lacks them. Raises FettleError for the tuner's
    `machine` that is not known, and for the user's features that have no value.
    """
    known = known_machines(store)
    target = function.device_id or settings.machine or machine_name()
    own = evaluated(settings.device_features)
    listed = (
        {} if settings.machines is None else features_of_file(settings.place(settings.machines))
    )
    if target not in known and target not in listed:
        if settings.machine and not function.device_id:
            raise FettleError(
                f"the database has no device features of {target!r}; it has those of "
                f"{', '.join(known) or 'no machine'}"
            )
        known |= this_machine(store, name=target, own=own)
    for name, features in listed.items():
        known[name] = {**known.get(name, {}), **features}
    known[target] = {**known.get(target, {}), **own}
    return target, known


def record_machine(settings: Settings, functions: Sequence[CodeVariant]) -> None:
    """Keeps this machine's features with the measurements of functions whose `record` is set.

    Takes seconds where the database lacks them. They are kept by the function's `device_id`.
    """
    names = {
        function.device_id or settings.machine or machine_name()
        for function in functions
        if function.record
    }
    if not names:
        return
    own = evaluated(settings.device_features)
    with open_store(settings.measurements) as store:
        for name in sorted(names):
            this_machine(store, name=name, own=own)
