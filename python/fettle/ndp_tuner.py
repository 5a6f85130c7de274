"""The tuning script's NdpTuner: that of fettle.ndp, which reports each result as Autotuner does."""

from __future__ import annotations

from dataclasses import dataclass

from fettle.ndp import tuner
from fettle.report import show_result
from fettle.training.session import Report

__all__ = ["NdpTuner"]


@dataclass
class NdpTuner(tuner.NdpTuner):
    """Tunes the named computations of a program, prints reports and writes their pages."""

    report: Report | None = show_result
