"""What measuring one function has cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Spent:
    """What measuring has cost so far."""

    seconds: float = 0.0
    program_starts: int = 0
    measuring_starts: int = 0  # those to run variants, not to evaluate features alone
    variant_runs: int = 0
    points: int = 0  # of variants' parameters, that a search has measured
