"""What the tuner asks of a platform. `fettle/ndp/platforms` has one object of this type a file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from fettle.core.asked_tools import AskedTools
from fettle.core.check import Check
from fettle.core.errors import FettleError
from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import KNOBS, LEVELS, Field, Value
from fettle.search.constraint import Constraint

# The values to try of every field, by its name in texts: "2.resource".
Values: TypeAlias = dict[str, tuple[Value, ...]]


@dataclass(frozen=True)
class CompileCost:
    """Seconds of compile time on one core, roughly: they only have to divide well."""

    schedule: float  # the first candidate of a schedule in a shard
    candidate: float  # each further one


@dataclass(frozen=True)
class Compiling:
    """How the platform's sources are compiled."""

    compiler: Callable[[], str]  # where the user names none
    flags: Callable[[str | None], Sequence[str]]  # for an architecture; None: this machine's
    cost: CompileCost
    environment_variable: str = ""  # whose value precedes `compiler`
    language: tuple[str, ...] = ()  # words before the source file
    link_flags: tuple[str, ...] = ()
    guard: str = ""  # the macro without which the compiler cannot read what is tuned


@dataclass(frozen=True)
class Platform:
    """A platform as the tuner sees it: what is tried there, and how it is built and measured.

    - `name`: as in `fettle::ndp::platform::NAME`, and the name of its file.
    - `global_fields`, `level_fields`: of its policy, those of the whole computation and those that
      each level has, in the order of `include/fettle/ndp/NAME/policy/policy.hpp`.
    - `values`: the values to try of every field, for a computation, a schedule and the size of the
      space, "small" or "full".
    - `repeats`: what keeps a point out of the space that has the same effect as another one, or the
      effect of a slower kind of it. What the platform refuses altogether is C++'s to say.
    - `metric`: of the tuned function, as of `CodeVariant`.
    - `machine`: what measurements are kept apart by, where it is not the processor.
    - `checks`: what `fettle doctor` looks for, given the C++ compiler.
    """

    name: str
    global_fields: tuple[Field, ...]
    level_fields: tuple[Field, ...]
    values: Callable[[Computation, str, str], Values]
    repeats: Callable[[Computation, str], list[Constraint]]
    compiling: Compiling
    metric: Literal["returned", "seconds"] = "returned"
    machine: Callable[[], str] | None = None
    checks: Callable[[AskedTools, str | None], list[Check]] = field(
        default=lambda tools, compiler: []
    )

    @cached_property
    def fields(self) -> dict[str, Field]:
        """Every field by its name in texts, "block_size_x" or "2.resource", in their order."""
        fields = {one.name: one for one in self.global_fields}
        for level in range(1, LEVELS + 1):
            fields |= {f"{level}.{one.name}": one for one in self.level_fields}
        return fields

    def field_of_parameter(self, parameter: str) -> str:
        """The field that an inferred parameter sets: "2.resource" for "execution_resource_2"."""
        for name, one in self.fields.items():
            level, dot, _ = name.rpartition(".")
            paper_name = one.paper_name or one.name
            if parameter == (f"{paper_name}_{level}" if dot else paper_name):
                return name
        raise FettleError(f"{self.name} has no parameter {parameter!r}")

    def without_effect(self, effective: Collection[str], why: str) -> list[Constraint]:
        """Constraints that hold every field at its default but those that have an effect.

        Knobs do not change kernels: they act before one. `why` follows the field's name in the
        reason.
        """
        return [
            Constraint(
                (name,),
                lambda value, default=one.default: bool(value == default),
                f"{name.rpartition('.')[2]} {why}",
            )
            for name, one in self.fields.items()
            if name not in effective and one not in KNOBS
        ]
