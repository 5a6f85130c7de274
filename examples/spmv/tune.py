"""Tunes the SpMV example: python tune.py [--cpu|--gpu] [--inputs MATRIX|@FILE ...]."""

import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from example import Example

from fettle import AutoClassifier, Autotuner, CodeVariant

example = Example(__file__, __doc__)
often = replace(example.measuring, warm_up=3, minimum_samples=6, sample_s=3e-4)
tuner = Autotuner(example.program, working_directory=example.folder, measuring=often)
tuner.set_training_args(example.training_inputs())
tuner.set_build_command(example.build_command)
spmv = CodeVariant("spmv", 12 if example.gpu else 11, metric=example.metric)
spmv.on_constraint_failure = "next_best"
spmv.classifier = AutoClassifier()
tuner.tune([spmv])
