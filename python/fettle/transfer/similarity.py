"""How alike machines are: the cosine similarities of the dissertation's table 3.2."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from fettle.core.errors import FettleError
from fettle.data.training_set import Floats
from fettle.transfer.columns import device_columns, standardised

OF_GPUS = "cuda_cores"
"""A feature that tells GPUs from processors: the two have none in common to be compared by."""


def similarity(
    machines: Mapping[str, Mapping[str, float]],
) -> tuple[list[str], list[list[float | None]]]:
    """The cosine similarity of each two machines; None of a processor and a GPU.

    Of the features that all of a kind have, on logarithmic scales, standardised. Raises FettleError
    for fewer than two machines, and where those of a kind have no feature in common.
    """
    names = sorted(machines)
    if len(names) < 2:
        raise FettleError(
            f"there {'is one machine' if names else 'is no machine'} to compare; run `fettle "
            "machine` with the same --database on another machine, or give --recorded"
        )
    gpus = [name for name in names if OF_GPUS in machines[name]]
    table: list[list[float | None]] = [[None] * len(names) for _ in names]
    for group in (gpus, [name for name in names if name not in gpus]):
        places = [names.index(name) for name in group]
        for i, row in zip(places, _cosines(machines, group).tolist(), strict=True):
            for j, cell in zip(places, row, strict=True):
                table[i][j] = float(cell)
    return names, table


def _cosines(machines: Mapping[str, Mapping[str, float]], names: Sequence[str]) -> Floats:
    if len(names) < 2:
        return np.ones((len(names), len(names)))
    common = sorted(set.intersection(*(set(machines[name]) for name in names)))
    if not common:
        raise FettleError(f"{', '.join(names)} have no device feature in common")
    values = np.array([[machines[name][one] or math.nan for one in common] for name in names])
    columns = device_columns(values)
    known = standardised(columns, columns)
    lengths = np.linalg.norm(known, axis=1)
    lengths[lengths == 0] = 1.0
    found: Floats = (known / lengths[:, None]) @ (known / lengths[:, None]).T
    return found
