"""What the driver has to know of a benchmark: its inputs, its references, its lines of code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[2]
ROOT = BENCHMARKS.parent
PLATFORMS = ("openmp", "cuda")


@dataclass(frozen=True)
class Input:
    """One input: what the figures call it, and the program's argument."""

    label: str
    text: str


@dataclass(frozen=True)
class Code:
    """Lines of a file, from the first that contains `begin` to the one before `end`."""

    file: str  # from the project's root
    begin: str = ""
    end: str = ""


@dataclass(frozen=True)
class Benchmark:
    """One of the papers' five benchmarks.

    - `training`, `test`: the inputs; disjoint. They are given the platform and the file of real
      matrices.
    - `functions`: the computations that are tuned; empty: all.
    - `forms`: by platform, where the program chooses among forms, by a tuned function that has the
      benchmark's name, the computations of each; they are tuned in place of `functions`.
    - `references`: by platform, the contenders that stand for the papers' reference (the first that
      was measured does), and those that are shown beside it.
    - `unit`, `per_element`: throughput is elements * per_element / seconds, in this unit times
      `scale`.
    - `flags`: by platform, what the program needs of the compiler to be tuned; `reference_flags`:
      what it needs besides to be measured beside the references.
    - `code`: lines of code of "ours", all forms together, and of the references by platform; "as
      printed": of the form that the papers print alone, where that is not "ours".
    """

    name: str
    title: str
    training: Callable[[str, Path | None], Sequence[Input]]
    test: Callable[[str, Path | None], Sequence[Input]]
    references: dict[str, tuple[str, ...]]
    shown: dict[str, tuple[str, ...]]
    unit: str
    scale: float
    per_element: float = 1.0
    functions: tuple[str, ...] = ()
    forms: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    flags: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reference_flags: dict[str, tuple[str, ...]] = field(default_factory=dict)
    code: dict[str, tuple[Code, ...]] = field(default_factory=dict)

    def source(self, platform: str) -> Path:
        """The program's source file."""
        return (
            BENCHMARKS
            / "tuned"
            / self.name
            / f"{self.name}.{'cu' if platform == 'cuda' else 'cpp'}"
        )

    def tuned_on(self, platform: str) -> tuple[str, ...]:
        """The computations that are tuned on a platform; none: all."""
        forms = self.forms.get(platform, {})
        return tuple(dict.fromkeys(name for form in forms.values() for name in form)) or (
            self.functions
        )


def short(number: float) -> str:
    """A size as the papers' figures write it: 25k, 1M."""
    for limit, letter in ((1e6, "M"), (1e3, "k")):
        if number >= limit:
            return f"{number / limit:.3g}{letter}"
    return f"{number:g}"
