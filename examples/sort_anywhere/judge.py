"""Judges the sort_anywhere example: python judge.py --gpu [--inputs INPUT ...]."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from judging import main

main(__file__, __doc__)
