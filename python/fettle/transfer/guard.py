"""Which machines are too unlike the sources for any transfer: a processor from graphics processors.

A column of words such as `kind`, in which many sources have the same word, groups the machines: a
machine with another word is of a group that no source is of. A machine whose numbers are mostly far
outside the range of the sources is too unlike as well.
"""

from __future__ import annotations

import math

import numpy as np

from fettle.transfer.columns import device_columns
from fettle.transfer.machines import Machines

KIND = "kind"
FEWEST = 4  # sources, and machines a word, before another column groups them
A_WORD = 3
BEYOND = math.log(4.0)


def unlike(target: Machines, sources: Machines) -> str:
    """Why the one machine of `target` is too unlike `sources`; empty where it is not."""
    count = len(sources.names)
    for column, words in sources.words.items():
        word = target.words.get(column, ("",))[0]
        different = {one for one in words if one}
        groups = column == KIND or (count >= FEWEST and A_WORD * len(different) <= count)
        if word and different and groups and word not in different:
            return (
                f"its {column} is {word}, but that of the sources is "
                f"{' or '.join(sorted(different))}"
            )
    own = device_columns(np.vstack([sources.values, target.values]))
    among, at = own[:-1], own[-1]
    far: list[str] = []
    for j, name in enumerate(sources.features):
        there = among[:, j][np.isfinite(among[:, j])]
        if not len(there) or not math.isfinite(at[j]):
            continue
        beyond = max(there.min() - at[j], at[j] - there.max())
        if beyond > BEYOND + (there.max() - there.min()):
            far.append(name)
    if len(far) * 2 > len(sources.features):
        return f"its {', '.join(far)} are far outside the range of the sources"
    return ""
