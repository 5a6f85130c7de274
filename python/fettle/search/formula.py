"""Model formulas, `y ~ a + 1/a + b*c + a^2`: which functions of which factors explain a response.

The language is R's (section IV.B of the design-of-experiments paper, equation 3) with two
differences: a power and a reciprocal need no `I()` around them, and so `a^2` is the square of `a`.

    a        the factor itself; a categorical factor stands for one column per level but the first
    1/a      its reciprocal
    a^2      a power; also a^3 ... a^9
    log(a)   the natural logarithm
    b:c      the product of b and c, their interaction; both sides may be any of the above
    b*c      short for b + c + b:c
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from fettle.core.errors import FettleError

MOST_CROSSED = 10
_ATOMS = (
    ("identity", re.compile(r"^([A-Za-z_.]\w*)$")),
    ("reciprocal", re.compile(r"^1/([A-Za-z_.]\w*)$")),
    ("power", re.compile(r"^([A-Za-z_.]\w*)\^([2-9])$")),
    ("log", re.compile(r"^log\(([A-Za-z_.]\w*)\)$")),
)


@dataclass(frozen=True)
class Atom:
    """One function of one factor: `identity`, `reciprocal`, `power` or `log`."""

    factor: str
    kind: str = "identity"
    exponent: int = 1

    @property
    def label(self) -> str:
        """As it is written in a formula."""
        if self.kind == "reciprocal":
            return f"1/{self.factor}"
        if self.kind == "power":
            return f"{self.factor}^{self.exponent}"
        return f"log({self.factor})" if self.kind == "log" else self.factor

    def value(self, number: float) -> float:
        """The function's value; a FettleError where the function has none there."""
        if (self.kind == "reciprocal" and number == 0) or (self.kind == "log" and number <= 0):
            raise FettleError(
                f"{self.label} has no value where {self.factor} is {number:g}: leave out the term "
                "or the level"
            )
        if self.kind == "reciprocal":
            return 1.0 / number
        if self.kind == "log":
            return math.log(number)
        try:
            return float(number) ** self.exponent
        except OverflowError:
            raise FettleError(
                f"{self.label} is too large a number where {self.factor} is {str(number)[:20]}: "
                "leave out the term or the level"
            ) from None


Term = tuple[Atom, ...]
"""The product of some atoms; one atom: a main effect."""


def term_label(term: Term) -> str:
    """As it is written in a formula, `a:1/b`."""
    return ":".join(atom.label for atom in term)


@dataclass(frozen=True)
class Formula:
    """A response and the terms that explain it; the intercept is always there and not listed."""

    response: str
    terms: tuple[Term, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The terms as they are written."""
        return tuple(term_label(term) for term in self.terms)

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of the factors that occur, in the order in which they do."""
        return tuple(dict.fromkeys(atom.factor for term in self.terms for atom in term))

    def without(self, factors: Iterable[str]) -> Formula:
        """The formula that is left once some factors are constant."""
        gone = set(factors)
        terms = dict.fromkeys(
            tuple(atom for atom in term if atom.factor not in gone) for term in self.terms
        )
        return Formula(self.response, tuple(term for term in terms if term))

    def only(self, labels: Iterable[str]) -> Formula:
        """The formula with some of its terms, in its own order."""
        kept = set(labels)
        return Formula(self.response, tuple(t for t in self.terms if term_label(t) in kept))

    def __str__(self) -> str:
        return f"{self.response} ~ {' + '.join(self.labels) or '1'}"


def parse_formula(text: str, factors: Sequence[str]) -> Formula:
    """The formula a user wrote, about these factors.

    Raises a FettleError that names the invalid term, or the unknown factor with the known factor
    whose name is closest. Cost: linear in the text.
    """
    left, tilde, right = text.partition("~")
    response = left.strip()
    if not tilde or not response or not right.strip():
        raise FettleError(f"the formula {text!r} needs the form `response ~ term + term`")
    terms: dict[Term, None] = {}
    for part in right.split("+"):
        written = re.sub(r"\s+", "", part)
        for term in _terms(written, text):
            for atom in term:
                _check_factor(atom.factor, factors, text)
            terms[term] = None
    return Formula(response, tuple(terms))


def _terms(written: str, text: str) -> list[Term]:
    if written == "1":
        return []
    crossed: list[Term] = [
        tuple(_atom(piece, text) for piece in product.split(":")) for product in written.split("*")
    ]
    if len(crossed) > MOST_CROSSED:
        raise FettleError(
            f"the formula {text[:80]!r} crosses {len(crossed)} factors by *, which makes "
            f"2^{len(crossed)} terms; cross at most {MOST_CROSSED}, or write those that are meant"
        )
    return [
        sum(chosen, ())
        for size in range(1, len(crossed) + 1)
        for chosen in combinations(crossed, size)
    ]


def _atom(written: str, text: str) -> Atom:
    piece = written[2:-1] if written.startswith("I(") and written.endswith(")") else written
    for kind, pattern in _ATOMS:
        match = pattern.match(piece)
        if match:
            exponent = int(match[2]) if kind == "power" else 1
            return Atom(match[1], kind, exponent)
    raise FettleError(
        f"the formula {text!r} has the invalid term {written!r}; terms are a, 1/a, a^2, log(a), "
        "a:b and a*b, joined by +"
    )


def _check_factor(name: str, factors: Sequence[str], text: str) -> None:
    if name in factors:
        return
    near = difflib.get_close_matches(name, factors, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise FettleError(
        f"the formula {text!r} has the factor {name!r}, which the space does not have: {hint}"
        f"its factors are {', '.join(factors)}"
    )
