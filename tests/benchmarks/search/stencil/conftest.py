"""The benchmark's Python files are scripts; the tests import them from where they are."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "benchmarks" / "search" / "stencil"))

# Before OpenMP starts: many tests share the machine, so that threads must not wait busily.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("OMP_NUM_THREADS", "2")
