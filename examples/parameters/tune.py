"""Tunes the multiplication example: python tune.py [WAY], in this folder.

WAY is restricted (as if none is given), multilevel, variants or online.
"""

import sys

from fettle import Autotuner, CodeVariant, ForestClassifier, ParameterSearch

SIZES = (12, 40, 130, 420)
TRAINING = [(m, k, n) for m in SIZES for k in SIZES for n in SIZES if m * k * n < 20_000_000]
TEST = [(25, 25, 25), (8, 300, 300), (300, 8, 300), (300, 300, 8), (90, 90, 90), (200, 200, 200)]

tuner = Autotuner("multiply")
tuner.set_training_args([[str(size) for size in shape] for shape in TRAINING])
tuner.set_test_args([[str(size) for size in shape] for shape in TEST])
tuner.set_build_command(
    "${CXX:-c++} -std=c++20 -O3 -march=native -I${FETTLE:-../../include} multiply.cpp -o multiply"
)
search = ParameterSearch(*sys.argv[1:2], measurements=16)
tuner.tune([CodeVariant("multiply", classifier=ForestClassifier(), parameter_search=search)])
