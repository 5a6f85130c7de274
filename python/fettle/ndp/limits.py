"""What a platform refuses, as constraints of a space: the limits of policies that C++ lists.

They are in `include/fettle/ndp/*/policy/constraints.hpp`. Limits of the device come from the
program's introspection.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fettle.core.native import native
from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import LEVELS, Value
from fettle.ndp.base.platform import Platform
from fettle.ndp.platforms import platform_named
from fettle.search.constraint import Constraint


def limits(computation: Computation, schedule: str) -> list[Constraint]:
    """The platform's limits under a schedule, over any fields of its policies.

    Raises FettleError where the extension module is missing.
    """
    platform = platform_named(computation.platform)
    known = native().PolicyLimits(
        platform.name,
        schedule,
        value_bytes=computation.value_bytes,
        is_scan=computation.operators[-1] in ("scan", "inclusive_scan"),
        is_commutative=computation.commutative,
        device=dict(computation.limits),
    )
    found = []
    for index, (fields, reason) in enumerate(known.all()):
        names = _at_all_levels(platform, fields)
        if all(name in platform.fields for name in names):  # several devices' have no knobs
            found.append(_limit(platform, known, index, names, reason))
    return found


def _limit(
    platform: Platform, known: Any, index: int, names: Sequence[str], reason: str
) -> Constraint:
    fields = [platform.fields[name] for name in names]

    def holds(*values: Value) -> bool:
        words = (
            f"{name}={field.text(value)}"
            for name, field, value in zip(names, fields, values, strict=True)
        )
        return bool(known.holds(index, " ".join(words)))

    return Constraint(tuple(names), holds, reason)


def _at_all_levels(platform: Platform, fields: Sequence[str]) -> list[str]:
    """The names of fields in texts: "1.resource", "2.resource" and so on for "resource"."""
    return [
        name
        for field in fields
        for name in (
            [field]
            if field in platform.fields
            else [f"{level}.{field}" for level in range(1, LEVELS + 1)]
        )
    ]
