"""Groups for a space of which nothing is known but the names and values of its parameters.

Dimensions are read from the names: where two names differ in their first or last letter only, and
by letters of one family (x y z, m n k, i j k), these letters stand for dimensions, and all names
that begin or end with such a letter belong to its dimension. block_size_x and tile_size_x are of
the dimension x, MWG, MDIMC and VWM of m. Parameters that differ by that letter alone are one kind,
and what is tuned at a constant product are the shapes of the kind that is first (the geometry).
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence

from fettle.search.grouped.specification import EVERYTHING, Specification
from fettle.search.numbering import is_ordered
from fettle.search.parameter import Parameter
from fettle.search.space import Space

_FAMILIES = ("xyz", "mnk", "ijk")
_SMALL = 32
"""Combinations of the values of a group that are all tried; of larger groups a sample is."""


def default_specification(
    space: Space, budget: int | None, partition: Collection[str] = ()
) -> Specification:
    """The best of some random points; from there groups by dimension, what is in none in groups of
    few combinations, and the geometry.

    Groups of many combinations are sampled: with the share of the budget that two passes leave each
    group, 8 to 64 points. The parameters of `partition` are in no group.
    """
    parameters = [p for p in space.parameters if p.name not in partition]
    dimensions, kinds = dimensions_of([p.name for p in parameters])
    groups = list(dimensions.values())
    grouped = {name for names in groups for name in names}
    groups += _chunks([p for p in parameters if p.name not in grouped])
    count = {p.name: len(p.values) for p in parameters}
    share = 64 if budget is None else max(8, min(64, budget // (2 * len(groups) + 2)))
    found = Specification(name="default specification")
    found = found.tune(EVERYTHING, sample=share, passes="first")
    for names in groups:
        combinations = math.prod(count[name] for name in names)
        found = found.tune(*names, sample=share if combinations > max(share, _SMALL) else None)
    numbers = {p.name for p in parameters if is_ordered(p.values)}
    shape = next((kind for kind in kinds if len(kind) > 1 and numbers.issuperset(kind)), None)
    if shape is not None and all(name.isidentifier() for name in shape):
        found = found.tune(*shape, keeping=[" * ".join(shape)])
    return found.repeat(2)


def dimensions_of(names: Sequence[str]) -> tuple[dict[str, list[str]], list[list[str]]]:
    """The parameters by dimension, and the kinds: those that differ by the dimension only."""
    for family in _FAMILIES:
        for pattern in (r"(?i)(?P<axis>[{}])$", r"(?i)^(?P<axis>[{}])"):
            kinds: dict[str, dict[str, str]] = {}
            for name in names:
                found = re.search(pattern.format(family), name)
                if found:
                    rest = name[: found.start()] + "?" + name[found.end() :]
                    kinds.setdefault(rest, {})[found["axis"].lower()] = name
            several = [list(kind.values()) for kind in kinds.values() if len(kind) > 1]
            if several:
                return _by_letter(names, family), several
    return {}, []


def _by_letter(names: Sequence[str], family: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        ends = re.search(f"(?i)([{family}])$", name) or re.search(f"(?i)^([{family}])", name)
        if ends:
            found.setdefault(ends[1].lower(), []).append(name)
    return dict(sorted(found.items(), key=lambda item: family.index(item[0])))


def _chunks(parameters: Sequence[Parameter]) -> list[list[str]]:
    # In their order, as many together as have few combinations.
    groups: list[list[str]] = []
    product = 0
    for parameter in parameters:
        if groups and product * len(parameter.values) <= _SMALL:
            groups[-1].append(parameter.name)
            product *= len(parameter.values)
        else:
            groups.append([parameter.name])
            product = len(parameter.values)
    return groups
