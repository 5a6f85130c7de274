"""What may be judged: a table of costs and a choice for each input, checked cell by cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fettle.core.errors import FettleError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def charge_of(overhead: ArrayLike | None, count: int, calls: int) -> Floats | None:
    """What a selection adds to the cost of each of `count` inputs. Raises FettleError."""
    if calls < 1:
        raise FettleError(f"calls is {calls}; a selection is spread over at least one call")
    if overhead is None:
        return None
    charge = np.asarray(overhead, dtype=np.float64)
    if charge.shape not in ((), (count,)):
        raise FettleError(
            f"overhead has shape {charge.shape}; give one number, or one for each of {count} inputs"
        )
    if not np.all(charge >= 0) or not np.all(np.isfinite(charge)):
        raise FettleError("overhead holds a negative or infinite number; it is a time a selection")
    return np.broadcast_to(charge / calls, (count,))


def checked_table(
    costs: ArrayLike, choices: ArrayLike, names: tuple[str, ...], inputs: Sequence[str] | None
) -> tuple[Floats, Integers, tuple[str, ...]]:
    """Costs, choices and the inputs' names as arrays. Raises FettleError, naming the cell."""
    table = np.asarray(costs, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != len(names) or not names:
        raise FettleError(
            f"costs have shape {table.shape}; one row an input and one column for each of the "
            f"{len(names)} variants is needed"
        )
    labels = tuple(inputs) if inputs is not None else tuple(map(str, range(len(table))))
    if len(labels) != len(table):
        raise FettleError(f"there are {len(labels)} input names for {len(table)} rows of costs")
    bad = np.argwhere(~(table > 0))
    if len(bad):
        i, k = bad[0]
        raise FettleError(
            f"the cost of variant {names[k]!r} on input {labels[i]!r} is {table[i, k]}; "
            "costs are positive numbers, infinite where a variant failed"
        )
    chosen = np.asarray(choices)
    if chosen.shape != (len(table),) or not np.issubdtype(chosen.dtype, np.integer):
        raise FettleError(
            f"choices have shape {chosen.shape} and type {chosen.dtype}; "
            f"one variant index for each of {len(table)} inputs is needed"
        )
    outside = np.flatnonzero((chosen < 0) | (chosen >= len(names)))
    if len(outside):
        i = int(outside[0])
        raise FettleError(
            f"the choice for input {labels[i]!r} is {chosen[i]}; there are {len(names)} variants"
        )
    return table, chosen.astype(np.int64), labels
