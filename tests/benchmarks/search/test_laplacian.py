"""The pictures of searches on the Laplacian kernel, and the histograms that they are made of."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[3] / "benchmarks" / "search" / "laplacian"))

from pictures import draw_histograms, draw_samplings
from strategies import histogram


def test_slowdowns_are_counted_in_steps_and_the_last_has_all_above() -> None:
    counted = histogram(np.array([1.0, 1.049, 1.05, 1.12, 2.0, 4.0, 124.0]))
    assert counted == {"1.00": 2, "1.05": 1, "1.10": 1, "2.00": 1, "4.00": 2}


def test_the_pictures_are_drawn(tmp_path: Path) -> None:
    row = {"mean_slowdown": 1.1, "max_slowdown": 4.5, "repeat": 3, "histogram": {"1.00": 2}}
    draw_histograms([{"case": "random", **row}, {"case": "DLMT", **row}], tmp_path / "five.png")
    draw_samplings(tmp_path / "one.png")
    for name in ("one.png", "five.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
