"""The parameters of one variant, as the program offers them, and the names of their points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fettle.core.errors import MALFORMED, FettleError
from fettle.core.expression import Expression, parse_expression
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.space import Space

Values = Mapping[str, int]


@dataclass(frozen=True)
class VariantSpace:
    """What the parameters of `variant` may be. A point is known by its name, "tiled tile=16"."""

    variant: str
    values: dict[str, tuple[int, ...]]
    defaults: dict[str, int]
    constraints: tuple[str, ...] = ()

    @property
    def default_name(self) -> str:
        """The name of the point at the default values."""
        return self.name_of(self.defaults)

    def name_of(self, point: Mapping[str, Any]) -> str:
        """The name of a point, as the program writes it."""
        return " ".join([self.variant, *(f"{name}={point[name]}" for name in self.values)])

    def parse(self, name: str) -> dict[str, int] | None:
        """The point of a name; None where it is that of no valid point."""
        if not name.startswith(f"{self.variant} "):
            return None
        words = [word.partition("=") for word in name[len(self.variant) + 1 :].split(" ")]
        if tuple(word[0] for word in words) != tuple(self.values):
            return None
        point: dict[str, int] = {}
        for parameter, _, text in words:
            value = next((v for v in self.values[parameter] if str(v) == text), None)
            if value is None:
                return None
            point[parameter] = value
        return point if self.space.violation(point) is None else None

    @cached_property
    def space(self) -> Space:
        """The space that search strategies work in."""
        return Space(
            [Parameter(name, values) for name, values in self.values.items()],
            [constraint_of(parse_expression(text)) for text in self.constraints],
        )


def constraint_of(expression: Expression) -> Constraint:
    """A constraint of parameters that have whole numbers."""
    names = expression.names

    def holds(*values: int) -> bool:
        return expression.holds(dict(zip(names, values, strict=True)))

    return Constraint(names, holds, expression.text)


def offered_spaces(parameters: Mapping[str, Any]) -> dict[str, VariantSpace]:
    """The spaces that a training log's header describes, by variant. Raises FettleError."""
    spaces = {}
    for variant, entry in parameters.items():
        try:
            spaces[variant] = VariantSpace(
                variant,
                {name: tuple(map(int, values)) for name, values in entry["values"].items()},
                {name: int(value) for name, value in entry["defaults"].items()},
                tuple(map(str, entry["constraints"])),
            )
        except MALFORMED as error:
            raise FettleError(
                f"the program's description of the parameters of {variant!r} cannot be understood "
                f"({error!r}); rebuild it with the headers of this Fettle release"
            ) from None
    return spaces


def family_of(name: str, spaces: Mapping[str, VariantSpace]) -> str:
    """The registered variant that a name is of: of a point, or of a variant without parameters."""
    for variant, space in spaces.items():
        if name == variant or space.parse(name) is not None:
            return variant
    return name
