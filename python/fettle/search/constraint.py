"""A constraint between parameters of a search space."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from fettle.core.errors import FettleError


@dataclass(frozen=True)
class Constraint:
    """What values of some parameters must fulfil together, and why.

    `predicate` takes the values of `names`, in that order; its answer may depend on nothing else.
    Large spaces are built much faster where it is arithmetic, comparisons and logic of numbers
    (fettle.search.columns): it is then called with columns of numbers instead of single ones.
    """

    names: tuple[str, ...]
    predicate: Callable[..., bool]
    reason: str

    def holds(self, point: Mapping[str, Hashable]) -> bool:
        """Whether the point fulfils it."""
        return self.holds_for(*(point[name] for name in self.names))

    def holds_for(self, *values: Hashable) -> bool:
        """Whether these values of `names` fulfil it; FettleError where the predicate fails."""
        try:
            return bool(self.predicate(*values))
        except FettleError:
            raise
        except Exception as error:
            given = ", ".join(f"{name}={v!r}" for name, v in zip(self.names, values, strict=False))
            raise FettleError(
                f"the constraint {self.reason!r} fails for {given or 'no parameters'}: "
                f"{type(error).__name__}: {error}"
            ) from error
