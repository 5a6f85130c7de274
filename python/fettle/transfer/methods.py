"""The methods by the names that --transfer takes, and `auto`, which takes the best of them.

`auto` compares by cross-validation over the source machines, each in turn the target, on inputs
held out. Neither the target nor what is judged later plays a part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fettle.core.errors import FettleError
from fettle.profiles.kept import Profiles
from fettle.training.code_variant import CodeVariant
from fettle.transfer.blend import Blend
from fettle.transfer.concatenate import Concatenation
from fettle.transfer.cross_validated_selection import CrossValidatedSelection
from fettle.transfer.guard import unlike
from fettle.transfer.machines import Machines
from fettle.transfer.majority import Majority
from fettle.transfer.method import Expectation, FixedMethod, Method
from fettle.transfer.profile_selection import ProfileSelection
from fettle.transfer.sources import Measured

METHODS: dict[str, Callable[[], Method]] = {
    "concatenate": Concatenation,
    "p-dfs": ProfileSelection,
    "cv-dfs": CrossValidatedSelection,
    "blend": Blend,
    "majority": Majority,
    "fixed": FixedMethod,
}
AUTO = "auto"
COMPARED = ("blend", "majority", "concatenate", "p-dfs", "fixed")
"""What `auto` compares. CV-DFS is left out: it is the slowest, and concatenates as these do."""


FEWEST = 3  # machines, for a standard error


@dataclass(frozen=True)
class Compared:
    """The method that was taken, and what each one is expected to reach on an unseen machine."""

    name: str
    expected: dict[str, Expectation]


def compare(
    wanted: str,
    data: Measured,
    machines: Machines,
    seed: int,
    tell: Callable[[str], None] = lambda _: None,
    *,
    of: Mapping[str, Callable[[], Method]] = METHODS,
) -> Compared:
    """Judges a method by its name, or all of COMPARED for `auto`, of which the best is taken.

    The best is the first that does not lose to another by more than two standard errors.

    With one source machine nothing can be judged: `auto` takes the blend, which is its own model.
    """
    if wanted not in (*of, AUTO):
        raise FettleError(
            f"--transfer {wanted}: there is no such method; name {AUTO}, {', '.join(of)}"
        )
    names = COMPARED if wanted == AUTO else (wanted,)
    expected: dict[str, Expectation] = {}
    for name in names:
        tell(f"judging {name}, each source machine in turn as the target")
        found = of[name]().expect(data, machines, seed)
        expected[name] = _of_like_machines(found, machines)
    best = max(names, key=lambda name: expected[name].mean)
    chosen = next(name for name in names if not _surely_less(expected[name], expected[best]))
    return Compared(chosen, expected)


def _surely_less(one: Expectation, best: Expectation) -> bool:
    """Whether a method loses to the best by more than two standard errors over the machines.

    With few machines one odd one would decide else: among methods that cannot be distinguished, as
    on fewer than FEWEST machines, the first of COMPARED is taken.
    """
    less = np.array([best.shares[name] - one.shares[name] for name in best.shares])
    if len(less) < FEWEST:
        return False
    return bool(less.mean() > 2 * less.std(ddof=1) / np.sqrt(len(less)))


def asked_for(function: CodeVariant, method: str) -> str:
    """The method that a script's function asks for: by its selection of features, or `method`."""
    if method != AUTO:
        return method
    if function.search_based_dfs:
        return "cv-dfs"
    return "p-dfs" if function.profiling_based_dfs else method


def methods_for(
    function: CodeVariant, profiles: Sequence[Profiles] = ()
) -> dict[str, Callable[[], Method]]:
    """The methods, with the function's limits of the search for device features, and profiles."""
    both = function.profiling_based_dfs or not function.search_based_dfs
    limits = function.search_limits
    return {
        **METHODS,
        "p-dfs": lambda: ProfileSelection(profiles),
        "cv-dfs": lambda: CrossValidatedSelection(limits, after_profile=both, profiles=profiles),
    }


def _of_like_machines(found: Expectation, machines: Machines) -> Expectation:
    """Without the machines that are too unlike the others: the guard would keep the others out."""
    names = machines.names
    kept = {
        name: share
        for name, share in found.shares.items()
        if not unlike(machines.of([name]), machines.of([one for one in names if one != name]))
    }
    return Expectation(kept or found.shares)
