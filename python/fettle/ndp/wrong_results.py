"""Refuses to deploy the default rule alone where that is because the candidates failed.

All candidates compute the same by other schedules. Where none of them gives the default's result,
the computation is at fault, and its default result may be wrong as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.ndp.header import DEFAULT
from fettle.training.examples import Table


def refuse_default_alone(table: Table) -> None:
    """Raises FettleError where no candidate may be chosen, because such as ran failed."""
    data = table.data
    works: NDArray[np.bool_] = np.asarray(np.isfinite(data.costs).any(axis=0))
    failed = [one for one in table.failed.variants if not one.is_default]
    if not failed or any(works[k] for k, name in enumerate(data.variants) if name != DEFAULT):
        return
    first = failed[0]
    raise FettleError(
        f"{data.function}: no candidate but the default rule may be chosen: {len(failed)} of "
        f"{len(data.variants) - 1} failed, such as {first.variant!r} on {first.first!r}: "
        f"{first.reason}. Likely causes of wrong results are a function that reads a global "
        "variable or other state, an operator that is not associative, and a race between the "
        "elements. Give functions all that they read as arguments or members, name no operator "
        "associative that is not (for a type of your own say by fettle_agrees what counts as "
        "equal), and tune again; what was deployed before stays"
    )
