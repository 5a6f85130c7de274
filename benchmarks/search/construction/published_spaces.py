"""Constrained search spaces that others published, as Fettle's spaces.

gemm     CLBlast's matrix product, as the Auto-Tuning Association's benchmark hub tunes it;
         `measured`: the levels that its measured tables have
hotspot  the thermal simulation of the same hub and of the BAT suite, with the number of blocks that
         a multiprocessor is to hold; 48 KiB of shared memory a block, 64 KiB in all
"""

from __future__ import annotations

from collections.abc import Callable

from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.space import Space

# One rule: the parameters, by their names, and what their values must fulfil.
Rules = dict[str, Callable[..., bool]]


def gemm(measured: bool = False) -> Space:
    """CLBlast's matrix product; 663 552 combinations, or the 82 944 of the measured tables."""
    switch = (0,) if measured else (0, 1)
    values: dict[str, tuple[int, ...]] = {
        "MWG": (16, 32, 64, 128),
        "NWG": (16, 32, 64, 128),
        "KWG": (32,) if measured else (16, 32),
        "MDIMC": (8, 16, 32),
        "NDIMC": (8, 16, 32),
        "MDIMA": (8, 16, 32),
        "NDIMB": (8, 16, 32),
        "KWI": (2,),
        "VWM": (1, 2, 4, 8),
        "VWN": (1, 2, 4, 8),
        "STRM": switch,
        "STRN": switch,
        "SA": (0, 1),
        "SB": (0, 1),
    }
    rules: Rules = {
        "KWG KWI": lambda k, i: k % i == 0,
        "MWG MDIMC VWM": lambda w, d, v: w % (d * v) == 0,
        "NWG NDIMC VWN": lambda w, d, v: w % (d * v) == 0,
        "MWG MDIMA VWM": lambda w, d, v: w % (d * v) == 0,
        "NWG NDIMB VWN": lambda w, d, v: w % (d * v) == 0,
        "KWG MDIMC NDIMC MDIMA": lambda k, m, n, a: k % ((m * n) / a) == 0,
        "KWG MDIMC NDIMC NDIMB": lambda k, m, n, b: k % ((m * n) / b) == 0,
    }
    return _space(values, list(rules.items()))


def hotspot() -> Space:
    """The thermal simulation; 22 200 000 combinations."""
    values: dict[str, tuple[int, ...]] = {
        "block_x": (1, 2, 4, 8, 16, *range(32, 1025, 32)),
        "block_y": (1, 2, 4, 8, 16, 32),
        "tile_x": tuple(range(1, 11)),
        "tile_y": tuple(range(1, 11)),
        "steps": tuple(range(1, 11)),
        "unroll": tuple(range(1, 11)),
        "power": (0, 1),
        "blocks": (0, 1, 2, 3, 4),
    }

    def shared(bx: int, by: int, tx: int, ty: int, steps: int, power: int) -> int:
        return (bx * tx + steps * 2) * (by * ty + steps * 2) * (2 + power) * 4

    rules: list[tuple[str, Callable[..., bool]]] = [
        ("block_x block_y", lambda x, y: x * y >= 32),
        ("steps unroll", lambda steps, unroll: steps % unroll == 0),
        ("block_x block_y", lambda x, y: x * y <= 1024),
        (
            "block_x block_y tile_x tile_y steps power",
            lambda *values: shared(*values) <= 49152,
        ),
        (
            "blocks block_x block_y tile_x tile_y steps power",
            lambda blocks, *values: blocks == 0 or shared(*values) * blocks <= 65536,
        ),
    ]
    return _space(values, rules)


def _space(
    values: dict[str, tuple[int, ...]],
    rules: list[tuple[str, Callable[..., bool]]],
) -> Space:
    return Space(
        [Parameter(name, some) for name, some in values.items()],
        [
            Constraint(tuple(names.split()), rule, f"rule {i} about {names}")
            for i, (names, rule) in enumerate(rules)
        ],
    )
