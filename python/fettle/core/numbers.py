"""Numbers that users give, checked where they are given. True and False are none."""

from __future__ import annotations

import math
from numbers import Integral, Real


def is_whole(value: object, least: int) -> bool:
    """Whether it is a whole number from `least` on, numpy's among them."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least


def is_number(value: object) -> bool:
    """Whether it is a finite number, numpy's among them."""
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
