"""Tunes the solvers example: python tune.py [--cpu|--gpu]."""

import os
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from example import Example

from fettle import AutoClassifier, Autotuner, CodeVariant

NEXT = {"on_infinite_metric": "next_best", "on_constraint_failure": "next_best"}
ONE_PASS = """trace diag_avg diag_var diag_dominance left_bandwidth norm_1 negative_diagonal
weakest_row same_signs block_weight"""
LANCZOS = "least_ritz reduction"
example = Example(__file__, __doc__)
product = CodeVariant("solver_product", 5 if example.gpu else 3, metric=example.metric)
product.classifier = AutoClassifier()
solve = CodeVariant("solvers", 10 if example.gpu else 8, metric="seconds", **NEXT)
solve.classifier = AutoClassifier(calls=10, failure_regret=2)  # ten solves with one matrix
solve.feature_selection = True  # some cost as much as a solve
solve.shared_features = [ONE_PASS.split(), LANCZOS.split()]
once = replace(example.measuring, max_calls=1)  # one product of each system
tuner = Autotuner(example.program, working_directory=example.folder, measuring=once)
tuner.set_training_args(example.training_inputs())
tuner.set_build_command(example.build_command)
if example.gpu:  # each product is timed by itself, while a solver only puts it into the stream
    os.environ["EXAMPLES_PRODUCT"] = "timed"
    tuner.tune([product])
    del os.environ["EXAMPLES_PRODUCT"]
tuner.tune([product, solve])  # the solvers then run with the tuned product
