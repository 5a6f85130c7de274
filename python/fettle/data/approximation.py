"""What came of the approximate variants of a function in tuning, and how surely they keep the
bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fettle.core.wording import counted, shortened

NEARLY = 0.8  # of the bound: an error beyond that nearly missed it
SHOWN = 10  # inputs that nearly missed


@dataclass(frozen=True)
class ApproximateVariant:
    """A variant over the inputs that were held out (where there are none, those trained on)."""

    variant: str
    is_exact: bool
    time: float
    """Its cost over that of the best exact variant: the geometric mean."""
    worst_error: float
    kept_on: int
    """On how many inputs its error is within the bound."""
    inputs: int
    on_front: bool
    """No other variant is as good by time and worst error, and better by one."""


@dataclass(frozen=True)
class InputError:
    """The error of what is chosen on an input."""

    input: str
    variant: str
    error: float


@dataclass(frozen=True)
class FrontPoint:
    """A variant on the front of error against time of one input."""

    variant: str
    cost: float
    error: float


@dataclass(frozen=True)
class Approximation:
    """What is proven of the choices of a model among approximate and exact variants."""

    bound: float | None  # None: the program gives none, and no approximate variant runs
    coverage: float
    confidence: float
    held_out: int = 0
    misses: int = 0
    """Held-out inputs on which the choice breaks the bound."""
    approximate: int = 0
    """Held-out inputs on which the choice is approximate."""
    proven: float = 0.0
    """The fraction of inputs on which the bound is kept at least, with the confidence."""
    needed: int = 0
    """How many held-out inputs prove the coverage, with as many misses."""
    is_admitted: bool = False
    """Approximate variants may be chosen; else exact variants alone."""
    reason: str = ""
    """Why not, or what keeps a program from it."""
    speedup: float = 1.0
    """How many times as fast as the tuned exact variants the choices are on the held-out inputs."""
    variants: tuple[ApproximateVariant, ...] = ()
    nearly: tuple[InputError, ...] = ()
    """The held-out inputs on which the choice nearly missed the bound, or did, the worst first."""
    fronts: Mapping[str, tuple[FrontPoint, ...]] | None = None
    """For each input the front of error against time."""

    def lines(self) -> Iterator[str]:
        """All of it, for people."""
        if self.bound is None:
            yield (
                "no approximate variant is chosen, because the program gives no bound: "
                "set_quality(error, bound)"
            )
            return
        asked = f"{100 * self.coverage:g} % of inputs at {100 * self.confidence:g} % confidence"
        yield f"an error of at most {self.bound:g} on {asked}"
        if self.is_admitted:
            yield (
                f"kept on {self.held_out - self.misses} of "
                f"{counted(self.held_out, 'held-out input')}, which proves at least "
                f"{100 * self.proven:.2f} % of inputs at {100 * self.confidence:g} % confidence "
                f"(Clopper-Pearson); an approximate variant is chosen on {self.approximate} of them"
            )
            yield (
                f"{self.speedup:.2f} times as fast as the tuned exact variants there (geometric "
                "mean, without the time of selection)"
            )
        else:
            yield f"exact variants alone are chosen: {self.reason}"
        for one in self.variants:
            if one.is_exact and not one.on_front:
                continue
            front = ", on the front" if one.on_front else ""
            kept = "" if one.is_exact else f", within the bound on {one.kept_on} of {one.inputs}"
            yield (
                f"{shortened(one.variant, 40)}: {one.time:.3g} of the best exact time, largest "
                f"error {one.worst_error:.3g}{kept}{front}"
            )
        for near in self.nearly[:SHOWN]:
            did = "nearly missed" if near.error <= self.bound else "missed"
            yield f"{did} on {shortened(near.input, 40)}: {near.variant}, error {near.error:.4g}"
        if len(self.nearly) > SHOWN:
            yield f"and on {len(self.nearly) - SHOWN} more"

    @staticmethod
    def restored(record: Mapping[str, Any]) -> Approximation:
        """An approximation from what `dataclasses.asdict` makes of it, read back from JSON."""
        fields = dict(record)
        fields["variants"] = tuple(ApproximateVariant(**one) for one in fields["variants"])
        fields["nearly"] = tuple(InputError(**one) for one in fields["nearly"])
        if fields["fronts"] is not None:
            fields["fronts"] = {
                name: tuple(FrontPoint(**one) for one in points)
                for name, points in fields["fronts"].items()
            }
        return Approximation(**fields)
