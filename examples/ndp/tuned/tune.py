"""Tunes row_norms.cpp for the processor: python tune.py, in this folder."""

from pathlib import Path

from fettle import NdpTuner, TreeClassifier

here = Path(__file__).parent
sizes = [20, 200, 2000, 20000]
lengths = [2, 40]
kinds = ["even", "ragged"]

tuner = NdpTuner(
    here / "row_norms.cpp",
    platform="openmp",
    inputs=[f"{rows} {length} {kind}" for rows in sizes for length in lengths for kind in kinds],
    test_inputs=[f"{rows} 10 {kind}" for rows in (60, 600, 6000) for kind in kinds],
    size="small",
    classifier=TreeClassifier(calls=1),
)
print(tuner.tune().text())
