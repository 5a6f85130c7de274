"""A stand-in for a GPU's power meter and its clocks: what sorting would draw, and take, at a clock.

Nothing here is measured: NVML on the machines at hand neither tells power nor lets clocks be set.
What is measured are the times at the highest clock (sort.cu). The draw there grows with the
logarithm of the work, as it does for two SpMV kernels on a V100 in the published table spmv_energy:
the hungrier one stands for radix sort, which scatters, the thriftier one for merge sort. Below the
highest clock the part above idle falls as clock times voltage squared, and that part of the time
which does not wait for memory grows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fettle.data.table import read_table

Floats = NDArray[np.float64]

STAND_INS = {"radix": "Merge_11", "merge": "CSR5_9"}
"""Which SpMV kernel's draw stands for which way to sort."""
PEAKS = {"radix": 1.15, "merge": 1.06}
"""The largest power of a run over its mean: scattering draws more than counting. Assumed."""
IDLE_WATTS, MOST_WATTS = 40.0, 300.0
TOP_MHZ = 1980
CLOCKS = tuple(int(mhz) for mhz in np.linspace(810, TOP_MHZ, 25))
RIDGE_MHZ = 1300.0
"""Up to here the voltage is the lowest."""
RISE = 0.35
"""By so much higher is the voltage at the highest clock."""
BYTES_A_SECOND = 3.0e12
"""Of the memory, which bounds what runs at its speed."""


@dataclass(frozen=True)
class Draw:
    """watts = constant + slope log10(work) at the highest clock."""

    constant: float
    slope: float

    def at_top(self, work: Floats) -> Floats:
        """Watts for so many words that are sorted."""
        found: Floats = np.clip(
            self.constant + self.slope * np.log10(work), 1.5 * IDLE_WATTS, MOST_WATTS
        )
        return found


def fitted_draws(data: Path) -> Mapping[str, Draw]:
    """The draws of both ways to sort, by least squares through the V100 rows of spmv_energy."""
    table = read_table(data / "measured.csv.xz")
    columns = (table.cells(name) for name in ("device", "variant", "nnz", "watts"))
    rows = list(zip(*columns, strict=True))
    found = {}
    for variant, kernel in STAND_INS.items():
        own = [row for row in rows if row[:2] == ("V100", kernel)]
        known = np.array([(float(nnz), float(watts)) for _, _, nnz, watts in own if watts])
        slope, constant = np.polyfit(np.log10(known[:, 0]), known[:, 1], 1)
        found[variant] = Draw(float(constant), float(slope))
    return found


def _dynamic(mhz: Floats) -> Floats:
    voltage = 1.0 + RISE * np.maximum(0.0, mhz - RIDGE_MHZ) / (TOP_MHZ - RIDGE_MHZ)
    found: Floats = mhz * voltage**2
    return found


def watts_at(draw: Draw, work: Floats, mhz: Floats) -> Floats:
    """The draw at clocks, (inputs, clocks)."""
    top = draw.at_top(work)[:, None]
    found: Floats = IDLE_WATTS + (top - IDLE_WATTS) * _dynamic(mhz) / _dynamic(np.array(TOP_MHZ))
    return found


def moved_bytes(variant: str, keys: Floats, bits: Floats) -> Floats:
    """What a way to sort moves to and from memory: radix sort 8 bits a pass and once to count,
    merge sort a pass for each doubling of tiles of 4096 keys."""
    width = bits / 8
    doublings = np.ceil(np.log2(np.maximum(1, keys / 4096)))
    passes = bits / 8 + 0.5 if variant == "radix" else 1 + doublings
    found: Floats = 2 * passes * keys * width
    return found


def seconds_at(variant: str, keys: Floats, bits: Floats, top: Floats, mhz: Floats) -> Floats:
    """Times at clocks, from those at the highest, (inputs, clocks)."""
    bound = np.minimum(0.95, moved_bytes(variant, keys, bits) / (BYTES_A_SECOND * top))[:, None]
    found: Floats = top[:, None] * (bound + (1 - bound) * TOP_MHZ / mhz)
    return found
