"""How the parameters of a function's variants are tuned (dissertation 7.2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from fettle.core.errors import FettleError
from fettle.core.expression import is_parameter_name
from fettle.core.numbers import is_number, is_whole
from fettle.search.parameter import Parameter
from fettle.search.registry import check_options, check_strategy


def why_no_macro(parameter: Parameter) -> str:
    """Why a parameter cannot be a macro, a name with different whole numbers; empty if it can."""
    name, values = parameter.name, parameter.values
    if not is_parameter_name(name):
        return f"{name!r} cannot be a name: letters, digits and _ can, and no digit begins it"
    if not values:
        return f"{name} has no values"
    for value in values:
        if not isinstance(value, int) or isinstance(value, bool):
            return f"{name} has the value {value!r}, which is no whole number"
        if values.count(value) > 1:
            return f"{name} has the value {value!r} twice"
    return ""


SearchMethod = Literal["restricted", "multilevel", "variants", "online"]


@dataclass(frozen=True)
class ParameterSearch:
    """How values are found, and how the program chooses among them.

    - `way`: "restricted": with parameters at their defaults the best variant of each input is
      found, and only its parameters are searched; "multilevel": those of every variant are;
      "variants": every valid point is a variant and is measured on every input; "online": nothing
      is searched, the running program does that (`search_online` in C++).
    - `strategy`: of fettle.search, with its `options`.
    - `measurements`, `seconds`: what the search on one input and variant may spend.
    - `most_points`: how many points of a variant are deployed at most.
    """

    way: SearchMethod = "restricted"
    strategy: str = "auto"
    measurements: int = 40
    seconds: float | None = None
    most_points: int = 8
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.way not in get_args(SearchMethod):
            raise FettleError(
                f"unknown way {self.way!r} to tune parameters; the ways are "
                f"{', '.join(get_args(SearchMethod))}"
            )
        check_strategy(self.strategy)
        for name in ("measurements", "most_points"):
            value = getattr(self, name)
            if not is_whole(value, 1):
                raise FettleError(
                    f"ParameterSearch: {name} must be a whole number from 1 on, not {value!r}"
                )
        if self.seconds is not None and not (is_number(self.seconds) and self.seconds > 0):
            raise FettleError(
                f"ParameterSearch: seconds must be a number above 0, not {self.seconds!r}"
            )
        if not isinstance(self.options, Mapping):
            raise FettleError(
                "ParameterSearch: options must be names and values, such as {'population': 20}, "
                f"not {self.options!r}"
            )
        if self.options:  # looking imports the strategy, with what it needs
            check_options(self.strategy, self.options)
