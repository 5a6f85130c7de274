"""One thing that Fettle uses, as `fettle doctor` found it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One thing that Fettle uses."""

    name: str
    needed: bool
    """False: only some uses need it; `purpose` says which."""
    found: bool
    version: str
    """Version, and where it was found, as far as known; empty if it is missing."""
    purpose: str
    remedy: str
    """What to do where it is missing or too old."""
