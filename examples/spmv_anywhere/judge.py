"""Judges the spmv_anywhere example: python judge.py --gpu [--inputs INPUT ...]."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from judging import main

main(__file__, __doc__)
