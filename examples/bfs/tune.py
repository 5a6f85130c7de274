"""Tunes the bfs example: python tune.py [--cpu|--gpu]."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from example import Example

from fettle import AutoClassifier, Autotuner, CodeVariant

example = Example(__file__, __doc__)
tuner = Autotuner(example.program, working_directory=example.folder, measuring=example.measuring)
tuner.set_training_args(example.training_inputs())
tuner.set_build_command(example.build_command)
bfs = CodeVariant("bfs", 9 if example.gpu else 6, classifier=AutoClassifier())
bfs.larger_is_better = True
tuner.tune([bfs])
