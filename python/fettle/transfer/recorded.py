"""Device features of GPUs that were recorded: table 3.1 of the dissertation.

Units as there: GB, MHz, bits, KB, GB/s, Gflop/s; the two atomics are milliseconds of a benchmark.
"""

from __future__ import annotations

_FEATURES = (
    "global_mem",
    "cuda_cores",
    "clock_rate",
    "mem_clock_rate",
    "mem_bus_width",
    "l2_cache_size",
    "shared_mem_per_block",
    "copy_engines",
    "peak_gbps",
    "peak_gflops_sp",
    "peak_gflops_dp",
    "shared_atomic",
    "global_atomic",
)
_VALUES: dict[str, tuple[float, ...]] = {
    "GeForce GTX 480": (1.5, 480, 1401, 1848, 384, 768, 48, 1, 177.4, 1345, 168, 0.193, 0.402),
    "Tesla C2075": (5.2, 448, 1147, 1566, 384, 768, 48, 2, 144.0, 1030, 515, 0.238, 0.488),
    "GeForce GTX 770": (4.0, 1536, 1110, 3505, 256, 512, 48, 1, 224.0, 3213, 134, 0.281, 0.034),
    "Tesla K20c": (4.7, 2496, 706, 2600, 320, 1280, 48, 2, 208.0, 3520, 1170, 0.361, 0.051),
    "GeForce GTX 750 Ti": (2.0, 640, 1268, 2700, 128, 2048, 48, 1, 86.4, 1389, 43, 0.011, 0.063),
    "GeForce GTX 980": (4.0, 2048, 1216, 3505, 256, 2048, 48, 2, 224.0, 4612, 156, 0.006, 0.036),
}


def recorded_machines() -> dict[str, dict[str, float]]:
    """The features of each GPU of table 3.1."""
    return {name: dict(zip(_FEATURES, values, strict=True)) for name, values in _VALUES.items()}
