"""Builds, measures and tunes smooth.cpp: run it in any folder, with Fettle's Python package."""

import os
import subprocess
import sys
from pathlib import Path

from fettle import Autotuner, CodeVariant, Measuring, TreeClassifier

HERE = Path(__file__).resolve().parent
include = subprocess.run(
    [sys.executable, "-m", "fettle", "include"], capture_output=True, text=True, check=False
).stdout.strip() or str(HERE.parents[1] / "include")
compiler = os.environ.get("FETTLE_CXX", "c++")

smooth = CodeVariant("smooth", 4, classifier=TreeClassifier())
tuner = Autotuner("./smooth", measuring=Measuring(maximum_samples=3, race=False))
tuner.set_build_command(f"{compiler} -std=c++20 -O3 -I. -I{include} {HERE}/smooth.cpp -o smooth")
tuner.set_training_args([f"{seed} 50" for seed in range(1, 5)])
tuner.set_test_args([f"{seed} 50" for seed in range(101, 109)])  # 400 that prove the bound
tuner.tune([smooth])
