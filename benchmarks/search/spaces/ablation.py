"""What each component of the strategy `auto` contributes: searches with one switched off at a time.

    python benchmarks/common/record.py search_ablation -- \\
        python benchmarks/search/spaces/ablation.py --data FOLDER --searches 50:4,200:1

FOLDER holds the measured spaces of run.py, whose shares these are: optimum / best found, the mean
over spaces of the mean over searches (`--searches`: budget and number of searches, with the seeds
from 0). A row per component and budget; `held_out` is the mean over the
spaces that the settings of `auto` were not chosen on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1] / "common"))
sys.path.insert(0, str(FOLDER.parents[2] / "python"))
sys.path.insert(0, str(FOLDER))

import record  # noqa: E402
from run import CHOSEN_ON, tables  # noqa: E402

from fettle.search.auto import Auto  # noqa: E402
from fettle.search.auto.constants import CONSTANTS, Constants  # noqa: E402
from fettle.search.base import Strategy  # noqa: E402
from fettle.search.simulate import Simulation, simulate  # noqa: E402
from fettle.search.table import MeasuredTable, measured_table  # noqa: E402

NEVER = 10**9


def without_bending(constants: Constants) -> Constants:
    """Costs are the logarithms themselves: bent from a factor on that no value reaches."""
    return replace(
        constants,
        distances=replace(constants.distances, bend=1e6),
        products=replace(constants.products, bend=1e6),
    )


def without_margin(constants: Constants) -> Constants:
    """Any improvement counts."""
    return replace(
        constants,
        distances=replace(constants.distances, margin=0.0),
        products=replace(constants.products, margin=0.0),
    )


def with_random_design(constants: Constants) -> Constants:
    """The design is the first 10 random points."""
    return replace(constants, design_sample=10)


# The component that is switched off; its constants; its options.
COMPONENTS: Mapping[str, tuple[Constants, Mapping[str, float]]] = {
    "none": (CONSTANTS, {}),
    "space-filling design": (with_random_design(CONSTANTS), {}),
    "quotients": (replace(CONSTANTS, quotients=False), {}),
    "bending": (without_bending(CONSTANTS), {}),
    "margin": (without_margin(CONSTANTS), {}),
    "model of products": (replace(CONSTANTS, distances_until=NEVER), {}),
    "model of distances": (replace(CONSTANTS, distances_until=0), {}),
    "neighbours": (replace(CONSTANTS, stuck=NEVER), {}),
    "forced neighbours": (CONSTANTS, {"doubts": 0}),
    "second opinion": (replace(CONSTANTS, second_opinion=NEVER), {}),
    "stopping": (CONSTANTS, {"settled": 0}),
}


def strategy_of(component: str, budget: int, table: MeasuredTable, seed: int) -> Strategy:
    """`auto` without a component."""
    constants, options = COMPONENTS[component]
    kind: Callable[..., Auto] = type("Ablated", (Auto,), {"constants": constants})
    return kind(table.space, seed, budget, **options)


table_of = lru_cache(measured_table)


def simulated(component: str, budget: int, repeat: int, path: Path) -> Simulation:
    """The searches of `auto` without a component in one space."""
    factory = partial(strategy_of, component, budget)
    return simulate(table_of(path), component, factory, budget=budget, repeat=repeat)


def row_of(
    component: str, budget: int, repeat: int, simulations: Mapping[str, Simulation]
) -> dict[str, object]:
    """The figures of one component on all spaces."""
    shares = {space: one.mean_share for space, one in simulations.items()}
    spent = [np.mean([r.measurements for r in one.repetitions]) for one in simulations.values()]
    held_out = [share for space, share in shares.items() if space not in CHOSEN_ON]
    return {
        "without": component,
        "budget": budget,
        "repeat": repeat,
        "spaces": len(shares),
        "mean_share": round(float(np.mean(list(shares.values()))), 4),
        "held_out": round(float(np.mean(held_out)), 4) if held_out else None,
        "least_share": round(min(shares.values()), 4),
        "mean_measured": round(float(np.mean(spent)), 1),
        "shares": {space: round(share, 4) for space, share in sorted(shares.items())},
    }


def main() -> int:
    """See the file's first lines."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--searches", default="50:4,200:1")
    parser.add_argument("--jobs", type=int, default=1, help="processes; results do not differ")
    parser.add_argument("--without", default=",".join(COMPONENTS))
    options = parser.parse_args()
    paths = tables(options.data)
    spaces = [path.name.removesuffix(".csv.xz") for path in paths]
    with ProcessPoolExecutor(options.jobs) as pool:
        for searches in options.searches.split(","):
            budget, repeat = map(int, searches.split(":"))
            for component in options.without.split(","):
                found = pool.map(partial(simulated, component, budget, repeat), paths)
                row = row_of(component, budget, repeat, dict(zip(spaces, found, strict=True)))
                record.append_rows([row])
                figures = [row[key] for key in ("mean_share", "held_out", "mean_measured")]
                print(f"{budget:>4} without {component:<22}", *figures, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
