"""Search: which values of some parameters are best, where each evaluation is expensive.

`minimize(f, space)` searches; `Space` has parameters (`Parameter`) and what they have to fulfil
together (`Constraint`). docs/search.md compares the strategies.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fettle.search.constraint import Constraint as Constraint
    from fettle.search.minimization import minimize as minimize
    from fettle.search.parameter import Parameter as Parameter
    from fettle.search.run import SearchResult as SearchResult
    from fettle.search.space import Point as Point
    from fettle.search.space import Space as Space

# Imported at first use: what only lists names must not wait for NumPy.
_HOMES = {
    "Constraint": "constraint",
    "Parameter": "parameter",
    "Point": "space",
    "SearchResult": "run",
    "Space": "space",
    "minimize": "minimization",
}

__all__ = ["Constraint", "Parameter", "Point", "SearchResult", "Space", "minimize"]


def __getattr__(name: str) -> Any:
    """A public name, from the module that defines it."""
    if name not in _HOMES:
        raise AttributeError(f"module 'fettle.search' has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __package__), name)
