"""The benchmark of sorting on a GPU: its simulated power, and its figures of made-up times."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "benchmarks/tuner/gpu_sort"))
import run  # noqa: E402
import simulated_power as power  # noqa: E402

DATA = Path(os.environ.get("FETTLE_DATA", ROOT.parent / "shared/data")) / "spmv_energy"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="needs spmv_energy of FETTLE_DATA")


def test_a_lower_clock_takes_longer_and_draws_less() -> None:
    keys, bits, top = np.array([1e4, 1e7]), np.array([32.0, 64.0]), np.array([2e-5, 3e-3])
    clocks = np.array(power.CLOCKS, dtype=float)[None, :]
    assert len(power.CLOCKS) == 25
    for variant in run.VARIANTS:
        took = power.seconds_at(variant, keys, bits, top, clocks)
        assert (np.diff(took, axis=1) < 0).all()
        assert took[:, -1] == pytest.approx(top)
        drawn = power.watts_at(power.Draw(0.0, 30.0), keys, clocks)
        assert (np.diff(drawn, axis=1) > 0).all()
        assert (drawn > power.IDLE_WATTS).all()


def made_up() -> list[dict[str, str]]:
    rows = []
    for which, sizes in (("train", (7e3, 4e5, 7e6)), ("test", (5e3, 1e6))):
        for keys in sizes:
            for bits in (32, 64):
                times = {"merge": 1e-5 + keys * 4e-10, "radix": 5e-5 + keys * 1e-10}
                for variant, seconds in times.items():
                    rows.append(
                        {
                            "set": which,
                            "input": f"uniform-{bits}-{keys:.0f}",
                            "keys": str(keys),
                            "bits": str(bits),
                            "ascending_runs": str(keys / 2),
                            "variant": variant,
                            "seconds": str(seconds),
                        }
                    )
    return rows


@needs_data
def test_six_objectives_come_of_one_set_of_measurements() -> None:
    rows = made_up()
    found = list(
        run.judged(run.measured(rows, "train", DATA, 0.01), run.measured(rows, "test", DATA, 0.0))
    )
    judged = [row for row in found if "share" in row]
    assert {row["objective"] for row in judged} == {"time", *run.OBJECTIVES}
    assert all(0 < row["share"] <= 1 for row in judged)
    slow = run.fixed_place("radix")
    table = run.measured(rows, "test", DATA, 0.0)
    assert run.ratios(table, [slow] * 4, "radix") == pytest.approx({"T": 1, "E": 1, "P": 1})
