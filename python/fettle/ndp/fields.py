"""The fields of the platforms' policies: their names, values and defaults, in their order.

The same as in `include/fettle/ndp/{cuda,openmp}/policy/policy.hpp`; a test holds one against the
other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fettle.core.errors import FettleError

Value = bool | int | str

LEVELS = 3  # that have parameters of their own; deeper ones use the third's


@dataclass(frozen=True)
class Field:
    """One field of a policy."""

    name: str
    default: Value
    names: tuple[str, ...] = ()  # the texts of an enumeration
    cpp_type: str = ""  # of an enumeration
    paper_name: str = ""  # in the inferred parameters, where it is another one

    def text(self, value: Value) -> str:
        """As in the policy's text form."""
        return str(value).lower() if isinstance(value, bool) else str(value)

    def accepts(self, value: Value) -> bool:
        """Whether the field may hold the value."""
        if self.names:
            return value in self.names
        return isinstance(value, bool) == isinstance(self.default, bool) and isinstance(value, int)

    def parse(self, text: str) -> Value | None:
        """The value that a text spells; None where it spells none."""
        if self.names:
            return text if text in self.names else None
        if isinstance(self.default, bool):
            return {"true": True, "1": True, "false": False, "0": False}.get(text)
        digits = text.removeprefix("-")
        return int(text) if digits.isascii() and digits.isdigit() else None

    def cpp(self, value: Value, platform: str) -> str:
        """As a C++ initialiser."""
        if not self.names:
            return self.text(value)
        name = "static_" if value == "static" else str(value)
        return f"fettle::ndp::{platform}::{self.cpp_type}::{name}"


_CUDA_RESOURCES = ("automatic", "thread", "warp", "block")
_OPENMP_RESOURCES = ("automatic", "thread", "team")

_GLOBAL = {
    "cuda": (
        Field("block_size_x", 256),
        Field("block_size_y", 1),
        Field("logical_warp_size", 32),
    ),
    "openmp": (Field("num_threads", 0), Field("enable_nesting", False)),
}

_LEVEL = {
    "cuda": (
        Field("grain_size", 1),
        Field(
            "block_reduce_algo",
            "warp_reductions",
            ("raking", "raking_commutative_only", "warp_reductions"),
            "block_reduce_algorithm",
        ),
        Field(
            "block_scan_algo",
            "warp_scans",
            ("raking", "raking_memoize", "warp_scans"),
            "block_scan_algorithm",
        ),
        Field("block_scan_grain_size", 1),
        Field("resource", "automatic", _CUDA_RESOURCES, "execution_resource", "execution_resource"),
        Field("enable_unroll", False),
    ),
    "openmp": (
        Field(
            "schedule",
            "automatic",
            ("automatic", "static", "dynamic", "guided"),
            "omp_schedule",
            "omp_schedule",
        ),
        Field("chunk_size", 0),
        Field(
            "resource", "automatic", _OPENMP_RESOURCES, "execution_resource", "execution_resource"
        ),
        Field("enable_unroll", False),
    ),
}

PLATFORMS = tuple(_GLOBAL)


def global_fields(platform: str) -> Sequence[Field]:
    """The fields of the whole computation."""
    return _GLOBAL[_known(platform)]


def level_fields(platform: str) -> Sequence[Field]:
    """The fields that each level has."""
    return _LEVEL[_known(platform)]


def all_fields(platform: str) -> dict[str, Field]:
    """Every field by its name in texts, "block_size_x" or "2.resource", in their order."""
    fields = {field.name: field for field in global_fields(platform)}
    for level in range(1, LEVELS + 1):
        fields |= {f"{level}.{field.name}": field for field in level_fields(platform)}
    return fields


def field_of_parameter(platform: str, parameter: str) -> str:
    """The field that an inferred parameter sets: "2.resource" for "execution_resource_2"."""
    for name, field in all_fields(platform).items():
        level, dot, _ = name.rpartition(".")
        paper_name = field.paper_name or field.name
        if parameter == (f"{paper_name}_{level}" if dot else paper_name):
            return name
    raise FettleError(f"{platform} has no parameter {parameter!r}")


def _known(platform: str) -> str:
    if platform not in PLATFORMS:
        raise FettleError(f"there is no platform {platform!r}: use {' or '.join(PLATFORMS)}")
    return platform
