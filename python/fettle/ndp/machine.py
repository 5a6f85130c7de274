"""What measurements on a platform are kept apart by: the processor, or the GPU."""

from __future__ import annotations

from fettle.core.errors import FettleError
from fettle.ndp.platforms import platform_named
from fettle.store.place import open_store
from fettle.training.settings import Settings
from fettle.training.subject import machine_name


def machine_of(platform: str) -> str:
    """The name of this machine as the platform sees it. Raises FettleError where it has none."""
    device = platform_named(platform).machine
    if device is not None:
        return device()
    try:
        return machine_name()
    except FettleError as error:
        raise FettleError(f"{error}; or give the machine a name (--machine)") from None


def remember_machine(settings: Settings) -> None:
    """Keeps the machine beside the measurements, for training on them on another machine."""
    with open_store(settings.measurements) as store:
        store.set_note(_note(settings), settings.machine)


def remembered_machine(settings: Settings) -> str | None:
    """The machine on which the program was measured last; None where it was never measured."""
    with open_store(settings.measurements) as store:
        return store.note(_note(settings))


def _note(settings: Settings) -> str:
    return f"machine of {settings.filed_under}"
