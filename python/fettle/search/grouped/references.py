"""What grouped search is compared with: random sampling, an expert's search, and the oracle.

Garvey and Abdelrahman 2018, section 8.1. All are specifications, so that they are searched, cached
and counted by the same code. The oracle of a grouping is the grouping itself without a predicted
value: `Grouped` then searches every value of its partition.
"""

from __future__ import annotations

from collections.abc import Sequence

from fettle.search.grouped.specification import EVERYTHING, Specification

RANDOM_SAMPLE = 1000
"""Where the best of a sample stopped improving on the paper's kernels (section 5.1)."""


def random_sample(count: int = RANDOM_SAMPLE) -> Specification:
    """`count` points of the whole space, each as likely as any other."""
    found = Specification(name=f"random {count}")
    return found.tune(EVERYTHING, sample=count)


def expert(conditions: Sequence[str]) -> Specification:
    """All points that fulfil an expert's conditions, such as "WX >= 32" and "WY * CY <= 4"."""
    return Specification(name="expert").restrict(*conditions).tune(EVERYTHING)
