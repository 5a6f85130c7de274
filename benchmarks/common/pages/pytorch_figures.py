"""PyTorch 2.11 on an H100: microseconds of one call in a CUDA graph.

By rows, columns and type: what benchmarks/untuned/row_programs computes of each row.
"""

from __future__ import annotations

COMPUTATIONS = ("softmax", "layer_norm", "variance", "maximum with index")

MICROSECONDS = {
    (1 << 20, 8, "fp32"): (23, 1453, 84, 90),
    (100000, 64, "fp32"): (16, 148, 46, 47),
    (16384, 1024, "fp32"): (37, 53, 28, 26),
    (4096, 16384, "fp32"): (171, 222, 103, 92),
    (512, 65536, "fp32"): (138, 170, 44, 42),
    (1 << 20, 8, "fp64"): (37, 6263, 108, 94),
    (100000, 64, "fp64"): (28, 657, 65, 49),
    (16384, 1024, "fp64"): (82, 222, 58, 41),
    (4096, 16384, "fp64"): (581, 481, 214, 147),
    (512, 65536, "fp64"): (336, 302, 108, 73),
}
