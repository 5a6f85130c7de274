"""Tunes the SpMV example on the matrices that training.txt names, one a line (see demo.py)."""

from pathlib import Path

from fettle import AutoClassifier, Autotuner, CodeVariant, Measuring

spmv = CodeVariant("spmv", 11, classifier=AutoClassifier(), on_constraint_failure="next_best")
tuner = Autotuner("build/spmv", measuring=Measuring(warm_up=3, minimum_samples=6, sample_s=3e-4))
tuner.set_training_args(Path("training.txt").read_text(encoding="utf-8").splitlines())
tuner.set_build_command("cmake --build build")
tuner.set_clean_command("cmake --build build --target clean")
tuner.tune([spmv])
