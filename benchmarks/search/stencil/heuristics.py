"""The heuristics as specifications of grouped search.

The paper's heuristics search the paper's space, without block merging in y and z. The others have
it, and leave out what is rarely good:

- "blocks" groups by optimization. What a thread computes comes first, all block merges together:
  by dimension, the first that gains anything takes the registers, and the others never get any.
  Then the shape of the work-group. One pass.
- "refined" goes on from there: cycles, and then the paper's hybrid step the other way round. There
  the groups are dimensions, and one step more sees all of them; here they are optimizations, and
  the step more tries whatever is two doublings or halvings of merges and of the work-group's sizes
  away from the best, so that one may be traded for the other, and some of what is three away. It is
  repeated until nothing changes.
"""

from collections.abc import Sequence

from shapes import AXES, StencilKernel
from space import FACTORS, MERGES, NO_MERGES, PAPER_LOADING, SIDES, Sides, space

from fettle.search.grouped import Specification, by_dimension, by_optimization, hybrid
from fettle.search.space import Space

# The paper's restrictions of the heuristics' space (section 8.3.4).
RESTRICTIONS = ("work_group_x >= 16", "work_group_y <= 32", "work_group_z <= 32")
REPETITIONS = 2
TRIPLES = 25  # of some hundred
GEOMETRY, MERGED, CYCLES = ([f"{factor}_{axis}" for axis in AXES] for factor in FACTORS)
# Block merging in x comes with the vectors' width.
BLOCK_MERGES = ["vector_width", *MERGED]
DIMENSIONS = {
    axis: ["vector_width"] * (axis == "x") + [f"{factor}_{axis}" for factor in FACTORS]
    for axis in AXES
}
BLOCKS, REFINED = "blocks", "refined"


def blocks() -> Specification:
    """Block merges of all dimensions together, from a work-group of 32 x 4 threads; its shape."""
    size = " * ".join(GEOMETRY)
    found = Specification(name=BLOCKS).restrict(RESTRICTIONS[0]).set(dict.fromkeys(CYCLES, 1))
    found = found.set(work_group_x=32, work_group_y=4, work_group_z=1)
    found = found.tune(*BLOCK_MERGES, passes="first")
    limits = ["work_group_y <= 16", "work_group_z <= 16", f"{size} >= 128", f"{size} <= 256"]
    return found.tune(*GEOMETRY, where=limits, passes="first")


def refined() -> Specification:
    """What blocks() does, cycles, then pairs and some triples of steps in the rest, repeated."""
    traded = [*BLOCK_MERGES[:1], *BLOCK_MERGES[2:], *GEOMETRY]
    steps = " + ".join(f"abs(log2({name} / best.{name}))" for name in traded)
    found = Specification(blocks().steps, None, blocks().restrictions, REPETITIONS, REFINED)
    found = found.tune(*CYCLES, where=[" * ".join(CYCLES) + " <= 8"], passes="first")
    found = found.tune(*BLOCK_MERGES, *GEOMETRY, where=[f"{steps} <= 2"])
    return found.tune(*BLOCK_MERGES, *GEOMETRY, where=[f"{steps} == 3"], sample=TRIPLES)


def searched(
    kernel: StencilKernel,
    heuristic: str,
    loading: Sequence[str] = PAPER_LOADING,
    sides: Sides = SIDES,
) -> Space:
    """The space that a heuristic searches."""
    merges = MERGES if heuristic in (BLOCKS, REFINED) else NO_MERGES
    return space(kernel, loading=loading, merges=merges, sides=sides)


def specifications() -> dict[str, Specification]:
    """The paper's heuristics, hybrid within its restrictions, and those with block merging."""
    by_kind = {"work_group": GEOMETRY, "block_merge": BLOCK_MERGES, "cyclic_merge": CYCLES}
    keeping = list(zip(GEOMETRY, CYCLES, strict=True))
    return {
        "hybrid": hybrid(DIMENSIONS, GEOMETRY),
        "restricted": hybrid(DIMENSIONS, GEOMETRY).restrict(*RESTRICTIONS),
        "by_dimension": by_dimension(DIMENSIONS),
        "by_optimization": by_optimization(by_kind, keeping=keeping, unset=BLOCK_MERGES),
        BLOCKS: blocks(),
        REFINED: refined(),
    }
