"""Profiles in the store: of the proxies on each machine, and of a function's variants.

Two notes of JSON objects by machine, so that stores which are merged have the machines of both.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from fettle.core.errors import FettleError
from fettle.profiles.profiler import Counters, Kernels
from fettle.profiles.proxies import INTENSITIES, PROXIES, ProfilerName
from fettle.store.base import Store

PROXIES_NOTE = "profiles of proxies"


@dataclass
class Profiles:
    """What one machine's profiler says of one function."""

    machine: str
    profiler: ProfilerName
    proxies: dict[str, list[Counters]]
    """For each proxy its counters, for each intensity in its order."""
    variants: dict[str, dict[str, Kernels]] = field(default_factory=dict)
    """By variant and by input."""


def kept_proxies(store: Store, machine: str, profiler: str) -> dict[str, list[Counters]] | None:
    """The proxies' counters on a machine; None where that profiler has not counted them there."""
    kept = _note(store, PROXIES_NOTE).get(machine, {})
    if kept.get("profiler") != profiler or not _complete(kept.get("proxies")):
        return None
    found: dict[str, list[Counters]] = kept["proxies"]
    return found


def keep(store: Store, function: str, found: Profiles) -> None:
    """Keeps what there is so far."""
    for key, what in (
        (PROXIES_NOTE, {"profiler": found.profiler, "proxies": found.proxies}),
        (_key(function), {"profiler": found.profiler, "variants": found.variants}),
    ):
        kept = _note(store, key)
        kept[found.machine] = what
        store.set_note(key, json.dumps(kept))


def kept_profiles(store: Store, function: str) -> list[Profiles]:
    """All machines' profiles of a function. Raises FettleError for a damaged note."""
    found: list[Profiles] = []
    for machine, entry in _note(store, _key(function)).items():
        try:
            proxies = kept_proxies(store, machine, entry["profiler"])
            if proxies is not None and entry["variants"]:
                found.append(Profiles(machine, entry["profiler"], proxies, entry["variants"]))
        except (KeyError, TypeError, AttributeError) as error:
            raise FettleError(_damaged(function, error)) from None
    return found


def _complete(proxies: Any) -> bool:
    return isinstance(proxies, dict) and all(
        len(proxies.get(proxy.name, ())) == len(INTENSITIES) for proxy in PROXIES
    )


def _key(function: str) -> str:
    return f"profiles of the function {function}"


def _note(store: Store, key: str) -> dict[str, Any]:
    text = store.note(key)
    try:
        kept = json.loads(text) if text else {}
    except ValueError as error:
        raise FettleError(_damaged(key, error)) from None
    if not isinstance(kept, dict):
        raise FettleError(_damaged(key, "no JSON object"))
    return kept


def _damaged(what: str, why: object) -> str:
    return (
        f"the profiles of {what} in the store cannot be read ({why}); collect them again with the "
        "tuner's profile()"
    )
