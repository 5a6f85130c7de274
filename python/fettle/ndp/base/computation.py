"""What is known of one computation of a program: a line of JSON that the program itself prints.

Its writer is `include/fettle/ndp/introspect.hpp`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fettle.core.errors import MALFORMED, FettleError

# These yield two levels, rows and their elements; every other operator yields one.
_TWO_LEVELS = ("split", "cyclic", "nest", "windows", "grid", "halo", "transpose")

_KINDS = ("independent", "cooperative", "sequential", "flattened")


@dataclass(frozen=True)
class Level:
    """One nesting level under a schedule."""

    number: int  # counts from 1; flattened stands at the outer one of its two levels
    operator: str
    kind: str

    @property
    def is_sequential(self) -> bool:
        """Whether one resource does its elements one after the other."""
        return self.kind == "sequential"


@dataclass(frozen=True)
class Part:
    """A computation of a `fettle::ndp::program`."""

    name: str
    expression: str
    reads: tuple[str, ...] = ()  # the computations whose results it reads


@dataclass(frozen=True)
class Computation:
    """An `execute<"name">(...)` of the program, on its platform.

    Or a `fettle::ndp::program` that `p.execute<"name">(...)` executes: it has no schedules; what is
    chosen is which of its parts are fused.
    """

    platform: str  # one of fettle.ndp.platforms
    expression: str  # "map>reduce"
    input: str  # "flat", "uniform" or "irregular"
    elements: tuple[str, ...]  # of the sequences that are read: "double", "int32", "user"
    result: str
    schedules: Mapping[str, tuple[str, ...]]  # the parameters of each that can be implemented
    pruned: tuple[tuple[str, str], ...] = ()  # schedules that cannot, and why
    name: str | None = None
    function: str | None = None  # the name of the tuned function: "spmv.openmp"
    signature: str = ""
    form: str = "destination"  # or "value"
    features: tuple[str, ...] = ()
    value_bytes: int = 8  # of what is reduced or scanned
    commutative: bool = True  # whether all operators that combine values are
    limits: Mapping[str, int] = field(default_factory=dict)  # of the device; empty: any device's
    of_program: bool = False  # it is a part of a program, under one of the program's fusions
    parts: tuple[Part, ...] = ()  # of a program; empty where introspection did not reach it
    fusions: tuple[str, ...] = ()  # that are allowed in it: "alpha+beta"
    knobs: tuple[str, ...] = ()  # of the policy, that have a meaning for it

    @property
    def may_approximate(self) -> bool:
        """Whether knobs are tried: not of a program's part, whose result other parts read."""
        return bool(self.knobs) and not self.of_program

    @property
    def title(self) -> str:
        """How to call it in messages."""
        return f"{self.function or 'an unnamed computation'} ({self.expression})"

    @property
    def is_program(self) -> bool:
        """Whether it is a program of several computations."""
        return self.expression == "program"

    @property
    def operators(self) -> tuple[str, ...]:
        """The operator of each nesting level, outermost first; a split stands for two."""
        names = self.expression.split(">")
        return tuple(name for name in names for _ in range(2 if name in _TWO_LEVELS else 1))

    def levels(self, schedule: str) -> tuple[Level, ...]:
        """The levels under a schedule; those that it leaves out at its end are sequential."""
        kinds = schedule.split(">")
        levels: list[Level] = []
        number = 1
        for kind in kinds:
            if kind not in _KINDS:
                raise FettleError(f"{schedule!r} is not a schedule: there is no {kind!r}")
            if number > len(self.operators):
                raise FettleError(f"{self.title} has fewer levels than the schedule {schedule!r}")
            levels.append(Level(number, self.operators[number - 1], kind))
            number += 2 if kind == "flattened" else 1
        rest = range(number, len(self.operators) + 1)
        return (*levels, *(Level(i, self.operators[i - 1], "sequential") for i in rest))


def read_computation(line: str) -> Computation:
    """One line of a program's introspection. Raises FettleError where it is none."""
    try:
        return _computation(json.loads(line))
    except MALFORMED as problem:
        raise FettleError(
            f"not a description of a computation ({problem!r}); was the program compiled with "
            f"headers of another version of Fettle? {line[:200]}"
        ) from None


def _computation(data: Mapping[str, Any]) -> Computation:
    return Computation(
        platform=data["platform"],
        expression=data["expression"],
        input=data["input"],
        elements=tuple(data["elements"]),
        result=data["result"],
        schedules={one["schedule"]: tuple(one["parameters"]) for one in data["schedules"]},
        pruned=tuple((one["schedule"], one["reason"]) for one in data["pruned"]),
        name=data.get("name"),
        function=data.get("function"),
        signature=data.get("signature", ""),
        form=data.get("form", "destination"),
        features=tuple(data.get("features", ())),
        value_bytes=int(data.get("value_bytes", 8)),
        commutative=bool(data.get("commutative", True)),
        limits={key: int(value) for key, value in data.get("limits", {}).items()},
        of_program=bool(data.get("of_program", False)),
        parts=tuple(
            Part(one["name"], one["expression"], tuple(one["reads"]))
            for one in data.get("computations", ())
        ),
        fusions=tuple(data.get("fusions", ())),
        knobs=tuple(data.get("knobs", ())),
    )
