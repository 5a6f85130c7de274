"""Versions of a computation behind guards `threshold <= parallelism`, and tuners of the thresholds.

    tree = chain(("outer", "top"), ("inner", "middle"), otherwise="flattened")
    tuned = tune_exact(tree, parallelism, measure)

After S. L. Breddam, "Futhark autotuners for incremental flattening", master's project, University
of Copenhagen, 2019. Where a guard compares once on a data set: `tune_exact`. Where sizes vary
within a run: `tune_instrumented`, if the run can say how long each step took; otherwise
`tune_exhaustive`, `tune_binary`, `tune_active` or `tune_cma_es`; where they vary at some guards:
`tune_program`.
"""

from fettle.search.thresholds.active import tune_active
from fettle.search.thresholds.binary import tune_binary
from fettle.search.thresholds.cma_es import tune_cma_es
from fettle.search.thresholds.exact import Tuned, tune_exact
from fettle.search.thresholds.instrumented import Step, tune_instrumented
from fettle.search.thresholds.loop_cases import tune_exhaustive
from fettle.search.thresholds.program import tune_program
from fettle.search.thresholds.solve import Range
from fettle.search.thresholds.tree import (
    ALWAYS,
    NEVER,
    Guard,
    Split,
    Thresholds,
    Tree,
    Version,
    chain,
)

__all__ = [
    "ALWAYS",
    "NEVER",
    "Guard",
    "Range",
    "Split",
    "Step",
    "Thresholds",
    "Tree",
    "Tuned",
    "Version",
    "chain",
    "tune_active",
    "tune_binary",
    "tune_cma_es",
    "tune_exact",
    "tune_exhaustive",
    "tune_instrumented",
    "tune_program",
]
