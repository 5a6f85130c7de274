"""What model descriptions of version 2 say beyond version 1: parameters, models of their values.

A part of model_directory.py, which is the one writer and reader (docs/formats.md, section 3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fettle.core.expression import is_parameter_name
from fettle.model.model_text import Lines, ModelError, percent_encoded

MAXIMUM_PARAMETERS = 64

_WHOLE = re.compile(r"-?\d{1,19}", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_CHECKSUM = re.compile(r"[0-9a-fA-F]{8}", re.ASCII)

# For each variant with parameters the values that they could have in training.
Parameters = Mapping[str, Mapping[str, tuple[int, ...]]]


@dataclass(frozen=True)
class Refinement:
    """A line `refine`: the directory of the model that chooses a variant's point."""

    variant: str
    directory: str
    checksum: str


def parameters_line(variant: str, parameters: Mapping[str, tuple[int, ...]]) -> str:
    """A line `parameters tiled tile=16,32 unroll=1,2`. Raises ModelError for what it cannot say."""
    if not 1 <= len(parameters) <= MAXIMUM_PARAMETERS:
        raise ModelError(f"{variant!r} has {len(parameters)} parameters")
    words = []
    for name, values in parameters.items():
        if not is_parameter_name(name) or not values:
            raise ModelError(f"{name!r} of {variant!r} is not a parameter with values")
        words.append(f"{name}={','.join(map(str, values))}")
    return " ".join(["parameters", percent_encoded(variant), *words])


def read_parameters(lines: Lines, words: list[str]) -> tuple[str, dict[str, tuple[int, ...]]]:
    """The words of such a line after its key."""
    if len(words) < 2:
        lines.fail("the variant's parameters are missing")
    variant, *rest = words
    found: dict[str, tuple[int, ...]] = {}
    for word in rest:
        name, equals, values = word.partition("=")
        texts = values.split(",")
        if not name or not equals or not all(map(_WHOLE.fullmatch, texts)):
            lines.fail(f"{word[:40]!r} is not a parameter with its values")
        if name in found:
            lines.fail(f"{name[:40]!r} is twice among the parameters")
        if len(found) == MAXIMUM_PARAMETERS:
            lines.fail(f"there are more than {MAXIMUM_PARAMETERS} parameters")
        found[name] = tuple(map(int, texts))
    return lines.name(variant), found


def read_refinement(lines: Lines, words: list[str]) -> Refinement:
    """The words of a line `refine tiled points-1 1f2e3d4c` after its key."""
    lines.expect(words, 3, "variant directory checksum")
    variant, directory, checksum = words
    if not _PLAIN.fullmatch(directory):
        lines.fail(f"{directory[:40]!r} is not a name of a directory beside this file")
    if not _CHECKSUM.fullmatch(checksum):
        lines.fail(f"{checksum[:40]!r} is not a checksum of 8 hexadecimal digits")
    return Refinement(lines.name(variant), directory, checksum.lower())
