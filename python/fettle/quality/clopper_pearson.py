"""How surely a bound is kept, from how often it was: the limits of Clopper and Pearson (1934).

They hold for any number of inputs, and whatever the true fraction is.
"""

from __future__ import annotations


def lower_limit(kept: int, inputs: int, confidence: float) -> float:
    """The fraction of all inputs on which a bound is kept at least, with this confidence.

    `kept` is on how many of some `inputs` it was, which were drawn as the others are.
    """
    from scipy.stats import beta  # half a second, which most runs do not need

    if kept == 0:
        return 0.0
    return float(beta.ppf(1.0 - confidence, kept, inputs - kept + 1))


def inputs_needed(coverage: float, confidence: float, misses: int = 0) -> int:
    """How many inputs prove with this confidence that a bound is kept on a fraction `coverage`.

    On so many of them at least it must be kept but for `misses`. 299 for 99 % with 95 %.
    """
    low, high = misses, misses + 1
    while lower_limit(high - misses, high, confidence) < coverage:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        enough = lower_limit(middle - misses, middle, confidence) >= coverage
        low, high = (low, middle) if enough else (middle, high)
    return high
