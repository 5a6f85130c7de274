"""A program that is not there: its points have known costs, and what is measured is noisy.

`NoisyProgram` stands for a Measurer with all that the tuning of parameters asks of one, and
`NoisySession` for a PointSession. A sample is the cost times a lognormal factor.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace

from fettle.core.progress import Silence
from fettle.search.variant_space import offered_spaces
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.program import Input

OFFER = Offer(
    variants=("plain", "tiled tile=64 unroll=1", "packed rows=4 columns=32"),
    features=("n", "m"),
    default="plain",
    unit="s",
    larger_is_better=False,
    machine={},
    parameters={
        "tiled": {
            "values": {"tile": [4, 16, 64, 256], "unroll": [1, 2, 4]},
            "defaults": {"tile": 64, "unroll": 1},
            "constraints": ["tile * unroll <= 512"],
        },
        "packed": {
            "values": {"rows": [1, 2, 4, 8], "columns": [8, 16, 32]},
            "defaults": {"rows": 4, "columns": 32},
            "constraints": ["rows * columns <= 128"],
        },
    },
)
SPACES = offered_spaces(OFFER.parameters)
NAMES = tuple(
    dict.fromkeys((*OFFER.variants, *(s.name_of(p) for s in SPACES.values() for p in s.space)))
)

MICROSECONDS = 1e-6  # of one unit of the costs: many runs are a sample

Cost = Callable[[str, float, float], float]
Sizes = tuple[int, int]


def _parsed(name: str) -> tuple[str, dict[str, float]]:
    variant, *words = name.split()
    values = (word.split("=") for word in words)
    return variant, {key: math.log2(int(value)) for key, value in values}


def one_point_for_all(name: str, n: float, m: float) -> float:
    """The same point is the best everywhere but where n is large, where another is by 4 %."""
    variant, p = _parsed(name)
    if variant == "plain":
        return 3.0
    if variant == "tiled":
        return 1.6 + 0.1 * abs(p["tile"] - 6) + 0.05 * p["unroll"]
    cost = 1 + 0.25 * abs(p["rows"] - 2) + 0.1 * abs(p["columns"] - 4)
    return cost - 0.14 * (p["columns"] == 5 and n > 200)


def many_points(name: str, n: float, m: float) -> float:
    """Where n is small the plain variant, where m is large the tiled one, else points by n."""
    variant, p = _parsed(name)
    if variant == "plain":
        return 0.6 + n / 60
    if variant == "tiled":
        cost = 1.3 + 0.1 * abs(p["tile"] - 6) + 0.02 * abs(p["unroll"] - 1)
        return cost - 0.55 * (m > 100)
    return 1 + 0.12 * abs(p["rows"] - math.log2(n / 12 + 1)) + 0.1 * abs(p["columns"] - 4)


def drawn_inputs(count: int, seed: int) -> dict[str, Sizes]:
    """Inputs of all sizes."""
    dice = random.Random(seed)
    sizes = [
        (round(12 * 25 ** dice.random()), round(12 * 25 ** dice.random())) for _ in range(count)
    ]
    return {f"{seed}.{place}": size for place, size in enumerate(sizes)}


class _Notes(dict[str, str]):
    def note(self, key: str) -> str | None:
        return self.get(key)

    def set_note(self, key: str, value: str) -> None:
        self[key] = value

    def notes(self) -> dict[str, str]:
        return self


class NoisyProgram:
    """What a Measurer is asked for; variants at their defaults were in a race before."""

    offer = OFFER
    subject = "f"
    may_measure = True
    workers = None

    def __init__(
        self,
        cost: Cost,
        inputs: Mapping[str, Sizes],
        noise: float,
        seed: int,
        busy: float = 1.0,
    ) -> None:
        self.cost, self.noise, self.dice = cost, noise, random.Random(seed)
        self.busy, self.is_busy = busy, False
        self.store, self.display = _Notes(), Silence()
        self.warnings: list[str] = []
        self.spent = SimpleNamespace(points=0, variant_runs=0)
        self.known: dict[str, Example] = {}
        for name, (n, m) in inputs.items():
            self.known[name] = Example(0, {"n": n, "m": m}, {"n": 1e-9, "m": 1e-9})
            for variant in OFFER.variants * 4:
                self.sample(name, variant, 3)

    def sample(self, given: str, name: str, count: int) -> None:
        """More samples of a point."""
        example = self.known[given]
        cost = self.cost(name, example.features["n"], example.features["m"])
        samples = [cost * self.disturbance() for _ in range(count)]
        example.samples.setdefault(name, []).extend(samples)
        example.verdicts[name] = ("measured", "")
        self.spent.variant_runs += count

    def disturbance(self) -> float:
        """What a sample is multiplied by; the neighbour changes every ten samples or so."""
        if self.dice.random() < 0.1:
            self.is_busy = not self.is_busy
        normal = math.exp(self.noise * self.dice.gauss(0, 1))
        return MICROSECONDS * normal * (self.busy if self.is_busy else 1.0)

    def examples(self, given: Input) -> list[Example]:
        """The call of an input."""
        return [self.known[given.name]]

    def key(self, given: Input) -> str:
        """What an input is known by."""
        return given.name

    def warn(self, text: str) -> None:
        """Keeps a warning."""
        self.warnings.append(text)


class NoisySession:
    """Four samples of a point that is asked for, and one of a point that is far behind."""

    def __init__(self, program: NoisyProgram, given: Input, call: int) -> None:
        self.program, self.given = program, given.name

    def __enter__(self) -> NoisySession:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def example(self) -> Example:
        return self.program.known[self.given]

    def measure(self, name: str) -> float:
        if name not in self.example().verdicts:
            self.program.spent.points += 1
            self.again([name])
        return statistics.median(self.example().samples[name])

    def again(self, names: Sequence[str]) -> None:
        for name in names:
            samples = self.example().samples
            best = min(statistics.median(known) for known in samples.values())
            self.program.sample(self.given, name, 1)
            if samples[name][-1] <= 1.5 * best:
                self.program.sample(self.given, name, 3)
