"""What bounds the time of the search for device features, CV-DFS (dissertation, section 3.5.3)."""

from __future__ import annotations

from dataclasses import dataclass

from fettle.core.errors import FettleError


@dataclass(frozen=True)
class SearchLimits:
    """The paper's three parameters and its k. Raises FettleError for a value below 1."""

    rows: int = 600
    """Of the training subset."""
    subset_size: int = 3
    """Device features that are tried together, at most."""
    sources: int | None = None
    """How many source machines are a target; None: all."""
    kept: int = 1
    """The k of the paper: how many of the most frequent features are taken."""

    def __post_init__(self) -> None:
        for name in ("rows", "subset_size", "sources", "kept"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise FettleError(f"SearchLimits: {name} must be at least 1, not {value!r}")
