"""Binary search for each threshold of a loop-based tree (Breddam 2019, section 3.2, algorithm 5).

It holds for run times that fall to one minimum and rise again as the threshold grows; otherwise it
finds a local minimum.
"""

from __future__ import annotations

from fettle.search.thresholds.exact import Tuned
from fettle.search.thresholds.loop_cases import Candidates, Loop, Measure, Values
from fettle.search.thresholds.tree import Tree


def tune_binary(tree: Tree, values: Values, measure: Measure, *, as_printed: bool = False) -> Tuned:
    """Halve the candidates of one threshold after the other.

    The two candidates in the middle decide which half holds the minimum: at most
    2 log2(N) + 2 runs for N candidates. `as_printed` is algorithm 5 to the letter: about log2(N)
    runs, but it goes up from every improvement, and so misses a minimum in the lower half.
    """
    return Loop(tree, values, measure).depth_first(printed if as_printed else halved)


def halved(at: Candidates, count: int) -> int:
    """The minimum of times that fall and rise again; otherwise a local one."""
    low, high = 0, count - 1
    best = high
    while low < high:
        middle = (low + high) // 2
        here, above = at(middle), at(middle + 1)
        best = min((best, middle + 1, middle), key=at)
        if here < above or (here == above and best <= middle):
            high = middle
        else:
            low = middle + 1
    return min((best, low), key=at)


def printed(at: Candidates, count: int) -> int:
    """What algorithm 5 comes to as it is printed."""
    low, high = 0, count - 1
    best = high
    while high - low > 0:
        middle = (high + low + 1) // 2
        if at(middle) < at(best):
            best = middle
            low = middle + 1
        else:
            high = middle - 1
    return best
