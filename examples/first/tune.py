"""Tunes the sorting example: python tune.py, in this folder."""

from fettle import Autotuner, CodeVariant

sizes = [round(4 * 1.6**k) for k in range(24)]
kinds = ["random", "ascending", "nearly"]

tuner = Autotuner("sort")
tuner.set_training_args([[str(size), kind] for size in sizes for kind in kinds])
tuner.set_build_command("${CXX:-c++} -std=c++20 -O2 -I${FETTLE:-../../include} sort.cpp -o sort")
tuner.tune([CodeVariant("sort")])
