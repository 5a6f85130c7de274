"""This machine as a target and as a source: its name in the database and its device features."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.core.errors import FettleError
from fettle.store.base import Store
from fettle.store.place import open_store
from fettle.training.code_variant import CodeVariant
from fettle.training.gpu_program import gpu_name, uses_gpu
from fettle.training.settings import Settings
from fettle.training.subject import machine_name, with_gpu
from fettle.transfer.own_features import evaluated, features_of_file
from fettle.transfer.similarity import OF_GPUS
from fettle.transfer.this_machine import known_machines, known_with_gpus, this_machine


def target_of(
    settings: Settings, function: CodeVariant, store: Store
) -> tuple[str, dict[str, dict[str, float]]]:
    """The machine that a model is for, and the features of all machines that are known.

    This machine's are measured where the database lacks them; of a function that the sources ran on
    a GPU those of this machine's GPU, too. Raises FettleError for the tuner's `machine` that is not
    known, for the user's features that have no value, and where there is no such GPU.
    """
    known = known_with_gpus(store)
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
    if target == machine_name() and _ran_on_gpu(store, function.name):
        target = _with_this_gpu(function.name, target)
        if target not in known:
            this_machine(store, own=own)
            known = {**known_with_gpus(store), **known}
    for name, features in listed.items():
        known[name] = {**known.get(name, {}), **features}
    known[target] = {**known.get(target, {}), **own}
    return target, known


def _ran_on_gpu(store: Store, function: str) -> bool:
    """Whether the sources' measurements of a function are filed by their GPUs."""
    known, plain = known_with_gpus(store), known_machines(store)
    machines = {one.machine for one in store.subjects() if one.function == function}
    return any(OF_GPUS in known[one] for one in machines if one in known and one not in plain)


def _with_this_gpu(function: str, machine: str) -> str:
    if not gpu_name():
        raise FettleError(
            f"{function} ran on the GPUs of the sources, and this machine shows none; see whether "
            "nvidia-smi lists one, or tune its variants for processors here with tune()"
        )
    return with_gpu(machine, gpu_name())


def record_machine(settings: Settings, functions: Sequence[CodeVariant]) -> None:
    """Keeps this machine's features with the measurements of functions whose `record` is set.

    Takes seconds where the database lacks them. They are kept by the function's `device_id`; of a
    program that uses the GPU its features are kept, too.
    """
    names = {
        function.device_id or settings.machine or machine_name()
        for function in functions
        if function.record
    }
    if not names:
        return
    own = evaluated(settings.device_features)
    on_gpu = bool(gpu_name()) and uses_gpu(settings.full_program().path())
    with open_store(settings.measurements) as store:
        for name in sorted(names):
            named = on_gpu and name != machine_name()
            this_machine(store, name=name, own=own, runs_on_gpu=named)
