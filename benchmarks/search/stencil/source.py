"""A configuration as the compiler gets it: the macros of stencil.cu and the stencil's terms."""

from collections.abc import Mapping
from functools import cache
from itertools import groupby
from math import prod
from pathlib import Path
from typing import Any

from shapes import AXES, MAX_RADIUS, StencilKernel
from space import FACTORS, FLOAT_BYTES, LOADING, Sides, tile_shape

FOLDER = Path(__file__).resolve().parent
# Beside a row of the output: enough for the aligned vectors of 16 that the halo lies in.
PAD = 16


def layout(sides: Sides) -> dict[str, int]:
    """The macros that say where the input's elements are: one layout for all kernels."""
    x, y, z = sides
    row = x + 2 * PAD
    plane = row * (y + 2 * MAX_RADIUS)
    origin = MAX_RADIUS * plane + MAX_RADIUS * row + PAD
    where = {"ROW": row, "PLANE": plane, "ORIGIN": origin}
    return {"ELEMENTS_X": x, "ELEMENTS_Y": y, "ELEMENTS_Z": z, **where}


def input_size(sides: Sides) -> int:
    """How many elements the input has, the halo included."""
    return layout(sides)["PLANE"] * (sides[2] + 2 * MAX_RADIUS)


@cache
def terms(kernel: StencilKernel) -> str:
    """stencil_terms.inc of a kernel: its elements row by row."""
    lines = []
    weighted = zip(kernel.offsets, kernel.weights, strict=True)
    for (dy, dz), row in groupby(weighted, key=lambda term: term[0][1:]):
        elements = [(dx, weight) for (dx, _, _), weight in row]
        lines.append(f"STENCIL_ROW({dy}, {dz}, {elements[0][0]}, {elements[-1][0]})")
        lines += [f"STENCIL_TERM({dx}, {dy}, {dz}, {w.hex()}f)" for dx, w in elements]
        lines.append("STENCIL_END")
    return "\n".join(lines) + "\n"


def macros(
    kernel: StencilKernel, point: Mapping[str, Any], sides: Sides, *, fixed: bool = True
) -> list[str]:
    """The macros of a configuration, as the compiler's options; not `fixed`: work-groups are of the
    size that the kernel is launched with."""
    found = layout(sides)
    for axis, reach in zip(AXES, kernel.reach, strict=True):
        found[f"REACH_{axis.upper()}"] = reach
        for factor in FACTORS[not fixed :]:
            found[f"{factor}_{axis}".upper()] = point[f"{factor}_{axis}"]
    found["VECTOR_WIDTH"] = point["vector_width"]
    found["LOADING"] = LOADING.index(point["loading"])
    return [f"-D{name}={value}" for name, value in found.items()]


def grid(point: Mapping[str, Any], sides: Sides) -> tuple[int, int, int]:
    """The number of work-groups in x, y and z."""
    x, y, z = (
        side // prod(point[f"{factor}_{axis}"] for factor in FACTORS)
        for axis, side in zip(AXES, sides, strict=True)
    )
    return x, y, z


def threads(point: Mapping[str, Any], *, fixed: bool = True) -> tuple[int, int, int]:
    """Threads of a work-group as it is launched: in a row where the kernel knows its shape."""
    x, y, z = (int(point[f"work_group_{axis}"]) for axis in AXES)
    return (x * y * z, 1, 1) if fixed else (x, y, z)


def shared_bytes(kernel: StencilKernel, point: Mapping[str, Any]) -> int:
    """Bytes of shared memory that a work-group stages its input in."""
    return FLOAT_BYTES * prod(tile_shape(kernel, point)) if point["loading"] == "local" else 0


def outputs_per_thread(point: Mapping[str, Any]) -> int:
    """How many elements one thread computes."""
    return prod(int(point[f"{factor}_{axis}"]) for factor in FACTORS[1:] for axis in AXES)
