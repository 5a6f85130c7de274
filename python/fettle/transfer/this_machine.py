"""Device features of this machine and its GPU: asked for and measured once, kept in the store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from fettle.core.errors import FettleError
from fettle.core.native import native
from fettle.core.written_file import begins_with
from fettle.store.base import Store
from fettle.training.gpu_program import gpu_name
from fettle.training.subject import machine_name, with_gpu
from fettle.transfer.gpu_benchmarks import measured_gpu

NOTE = "device features"
SECONDS = 3.0


def device_features(*, seconds: float = SECONDS) -> dict[str, dict[str, float]]:
    """The features of this machine's processor, and of its GPU where there is one, by their names.

    Takes about `seconds`, most of them for the micro-benchmarks; with a GPU, nvcc's as well.
    """
    processor: dict[str, float] = {**native().processor_features()}
    processor.update(native().measure_processor(seconds))
    found = {machine_name(): processor}
    name, gpu = native().gpu_features(0)
    if name:
        found[name] = {**gpu, **measured_gpu()}
    return found


def known_machines(store: Store) -> dict[str, dict[str, float]]:
    """The features of all machines that the store knows. Raises FettleError for a damaged note."""
    return {name: dict(entry["features"]) for name, entry in _kept(store).items()}


def known_with_gpus(store: Store) -> dict[str, dict[str, float]]:
    """The same, and of machines with a GPU its features, by the name with the GPU's.

    The user's own features of the machine are there, too.
    """
    kept, known = _kept(store), known_machines(store)
    for name, entry in kept.items():
        gpu = entry.get("gpu", "")
        if gpu in known:
            its = {**known[gpu], **entry.get("own", {})}
            known[with_gpu(name, gpu)] = its
            if entry.get("runs_on_gpu"):
                known[name] = its
    return known


def this_machine(
    store: Store,
    *,
    fresh: bool = False,
    own: Mapping[str, float] | None = None,
    name: str = "",
    runs_on_gpu: bool = False,
) -> dict[str, dict[str, float]]:
    """The features of this machine from the store; measured, and kept there, where it has none.

    `fresh` measures again. `own` are further features of the user's, kept with the processor's.
    `name` is what the store knows the machine by, in place of processor and cores. `runs_on_gpu`:
    what is measured under that name runs on the GPU, so that its features count, too.
    """
    kept = _kept_or_none(store) if fresh else _kept(store)
    native_name = machine_name()
    name = name or native_name
    if fresh or name not in kept:
        users: dict[str, float] = kept.get(name, {}).get("own", {})
        for machine, features in device_features().items():
            now = datetime.now(timezone.utc).isoformat(timespec="seconds")
            known_as = name if machine == native_name else machine
            kept[known_as] = {"features": features, "measured": now}
        kept[name]["own"] = users
    if gpu_name() in kept:
        kept[name]["gpu"] = gpu_name()
    if runs_on_gpu:
        kept[name]["runs_on_gpu"] = True
    if own:
        kept[name]["own"] = {**kept[name].get("own", {}), **own}
    kept[name]["features"].update(kept[name].get("own", {}))
    store.set_note(NOTE, json.dumps(kept))
    return {one: dict(kept[one]["features"]) for one in (name, gpu_name()) if one in kept}


def write_machine_file(
    path: Path, machines: Mapping[str, Mapping[str, float]], own: Mapping[str, float]
) -> Path:
    """Writes what `this_machine` says for programs with portable models; empty: their own place.

    `own` are those of the features that no measurement of the program finds. Raises FettleError
    where it cannot be written.
    """
    file = path if path.name else Path(native().machine_file())
    if not file.name:
        raise FettleError("there is no home folder to write to; name a file, --write FILE")
    if file.is_file() and file.stat().st_size and not begins_with(file, b"fettle-machine"):
        raise FettleError(f"cannot write {file}: it holds something else; name another file")
    features: dict[str, float] = {}
    for its in machines.values():
        features.update(its)
    native().write_machine(str(file), features, dict(own))
    if not file.is_file():
        raise FettleError(f"cannot write {file}; make its folder writable, or name another file")
    return file


def _kept_or_none(store: Store) -> dict[str, dict[str, Any]]:
    try:
        return _kept(store)
    except FettleError:
        return {}


def _kept(store: Store) -> dict[str, dict[str, Any]]:
    text = store.note(NOTE)
    try:
        kept = json.loads(text) if text else {}
        for entry in kept.values():
            for value in entry["features"].values():
                float(value)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FettleError(
            f"the device features in the store cannot be read ({error}); measure again with "
            "`fettle machine --fresh`"
        ) from None
    found: dict[str, dict[str, Any]] = kept
    return found
