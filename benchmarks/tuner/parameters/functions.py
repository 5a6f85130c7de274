"""The functions whose variants and parameters are tuned, and their inputs.

- multiply, of examples/parameters: its defaults are the best point of nearly all shapes, so no way
  can gain much by choosing, and none should lose.
- sort: keys are sorted by comparing or by digits; how many bits make a digit depends on how many
  keys there are, and on how many bits they have.
"""

import math
import os
import random
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_DICE = random.Random(1)

Words = tuple[str, ...]


@dataclass(frozen=True)
class Tuned:
    """A program with one tuned function; its command lines to learn from, and to be judged by."""

    name: str
    source: Path
    training: tuple[Words, ...]
    test: tuple[Words, ...]

    def build(self, folder: Path) -> None:
        """Compiles the program into a folder."""
        compiler = shlex.split(os.environ.get("FETTLE_CXX", "c++"))
        flags = ["-std=c++20", "-O3", "-march=native", f"-I{ROOT / 'include'}"]
        command = [*compiler, *flags, str(self.source), "-o", self.name]
        subprocess.run(command, cwd=folder, check=True)


def _words(*numbers: int) -> Words:
    return tuple(str(number) for number in numbers)


def _between(low: int, high: int) -> int:
    """Drawn evenly in orders of magnitude."""
    return round(low * math.pow(high / low, _DICE.random()))


def _shape() -> tuple[int, int, int]:
    while True:
        m, k, n = (_between(12, 360) for _ in range(3))
        if 1e4 < m * k * n < 6e6:
            return m, k, n


def _keys() -> tuple[int, int, int]:
    return _between(200, 60_000), _DICE.randint(5, 32), _DICE.choice((100, 100, 100, 20, 2))


MULTIPLY = Tuned(
    "multiply",
    ROOT / "examples" / "parameters" / "multiply.cpp",
    tuple(_words(*_shape()) for _ in range(28)),
    tuple(_words(*_shape()) for _ in range(12)),
)
SORT = Tuned(
    "sort",
    Path(__file__).with_name("sort.cpp"),
    tuple(_words(*_keys()) for _ in range(56)),
    tuple(_words(*_keys()) for _ in range(24)),
)
