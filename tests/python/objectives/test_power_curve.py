"""The power of a device by its clock, and the clocks that are worth measuring."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.objectives.clocked import clocked_name, plain_variants, variant_and_clock
from fettle.objectives.power_curve import PowerCurve, fit_power, narrowed, spread

OFFERED = tuple(range(562, 876, 13))


def test_a_curve_is_found_again_from_six_noisy_points() -> None:
    truth = PowerCurve(idle=25.0, slope=0.09, ridge=700.0, growth=0.003)
    clocks = spread(OFFERED, 6)
    noise = np.random.default_rng(1).normal(1.0, 0.005, len(clocks))
    found = fit_power(clocks, truth.watts(np.array(clocks)) * noise)
    between = np.array(OFFERED, dtype=float)
    assert np.abs(found.watts(between) / truth.watts(between) - 1).max() < 0.03


def test_power_that_does_not_grow_is_flat() -> None:
    found = fit_power([500, 600, 700, 800], [100, 99, 101, 98])
    assert found.slope == 0.0
    assert found.watts(650) == pytest.approx(99.5)


def test_three_clocks_are_too_few() -> None:
    with pytest.raises(FettleError, match="needs measurements at 4 clocks at least, not at 3"):
        fit_power([500, 600, 700, 700], [1, 2, 3, 3])


def test_clocks_that_no_weight_wants_are_left_out() -> None:
    steep = PowerCurve(idle=25.0, slope=0.1, ridge=700.0, growth=0.004)
    kept = narrowed(OFFERED, steep, most=6)
    assert len(kept) <= 6
    assert set(kept) <= set(OFFERED)
    assert kept[-1] == OFFERED[-1]
    for weight in (0.5, 1.0, 2.0):
        clocks = np.array(OFFERED, dtype=float)
        assert OFFERED[int(np.argmax(clocks**weight / steep.watts(clocks)))] in kept
    idle = PowerCurve(idle=200.0, slope=0.01, ridge=562.0, growth=0.0)
    assert narrowed(OFFERED, idle, most=6) == (OFFERED[-1],)  # a race to idle


def test_spread_clocks_have_both_ends() -> None:
    assert spread((3, 1, 2), 8) == (1, 2, 3)
    assert spread(OFFERED, 3) == (562, 718, 874)


def test_names_of_variants_at_clocks() -> None:
    assert clocked_name("radix", 745) == "radix@745MHz"
    assert clocked_name("radix", 0) == "radix"
    assert variant_and_clock("a@b@745MHz") == ("a@b", 745)
    for plain in ("radix", "radix@MHz", "radix@0MHz", "@745MHz", "radix@745"):
        assert variant_and_clock(plain) == (plain, 0)
    assert plain_variants(["a", "a@5MHz", "b@5MHz"]) == ("a", "b")
