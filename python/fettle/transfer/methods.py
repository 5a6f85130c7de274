"""The methods by the names that --transfer takes, and `auto`, which takes the best of them.

`auto` compares by cross-validation over the source machines, each in turn the target, on inputs
held out. Neither the target nor what is judged later plays a part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fettle.core.errors import FettleError
from fettle.transfer.blend import Blend
from fettle.transfer.concatenate import Concatenation
from fettle.transfer.cross_validated_selection import CrossValidatedSelection
from fettle.transfer.machines import Machines
from fettle.transfer.method import Expectation, FixedMethod, Method
from fettle.transfer.profile_selection import ProfileSelection
from fettle.transfer.sources import Measured

METHODS: dict[str, Callable[[], Method]] = {
    "concatenate": Concatenation,
    "p-dfs": ProfileSelection,
    "cv-dfs": CrossValidatedSelection,
    "blend": Blend,
    "fixed": FixedMethod,
}
AUTO = "auto"
COMPARED = ("blend", "concatenate", "p-dfs", "fixed")
"""What `auto` compares. CV-DFS is left out: it is the slowest, and concatenates as these do."""


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
) -> Compared:
    """Judges a method by its name, or all of COMPARED for `auto`, of which the best is taken.

    With one source machine nothing can be judged: `auto` takes the blend, which is its own model.
    """
    if wanted not in (*METHODS, AUTO):
        raise FettleError(
            f"--transfer {wanted}: there is no such method; name {AUTO}, {', '.join(METHODS)}"
        )
    names = COMPARED if wanted == AUTO else (wanted,)
    expected: dict[str, Expectation] = {}
    for name in names:
        tell(f"judging {name}, each source machine in turn as the target")
        expected[name] = METHODS[name]().expect(data, machines, seed)
    best = max(names, key=lambda name: expected[name].mean)
    return Compared(best, expected)
