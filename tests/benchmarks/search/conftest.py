"""The benchmark's Python files are scripts; the tests import them from where they are."""

import sys
from pathlib import Path

for folder in ("construction", "laplacian", "spaces"):
    sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks" / "search" / folder))
