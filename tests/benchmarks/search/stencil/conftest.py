"""The benchmark's Python files are scripts; the tests import them from where they are."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "benchmarks" / "search" / "stencil"))
