"""Tunes the solvers example: python tune.py [--cpu|--gpu]."""

import sys
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from example import Example

from fettle import AutoClassifier, Autotuner, CodeVariant

NEXT = {"on_infinite_metric": "next_best", "on_constraint_failure": "next_best"}
product = CodeVariant("solver_product", 3, classifier=AutoClassifier())
solve = CodeVariant("solvers", 8, classifier=AutoClassifier(), metric="seconds", **NEXT)
example = Example(__file__, __doc__)
once = replace(example.measuring, max_calls=1)  # one product of each system
tuner = Autotuner(example.program, working_directory=example.folder, measuring=once)
tuner.set_training_args(example.training_inputs())
tuner.set_build_command(example.build_command)
tuner.tune([product, solve])  # the solvers then run with the tuned product
