"""Factors as numbers, and the matrix whose columns are a formula's terms.

A factor's levels are numbers where all of them are (booleans are categorical), ranks where the
user says that they are ordered, and otherwise categories, coded by treatment contrasts: a column
each for every level but the first (section III of the design-of-experiments paper).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fettle.core.errors import FettleError
from fettle.search.formula import Atom, Formula
from fettle.search.parameter import Parameter

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Factor:
    """A name, its levels, and their numbers (None: categories)."""

    name: str
    levels: tuple[Hashable, ...]
    numbers: tuple[float, ...] | None

    def columns(self, atom: Atom) -> Floats:
        """One row a level, and the columns that an atom about the factor stands for."""
        if self.numbers is not None:
            return np.array([[atom.value(number)] for number in self.numbers], dtype=np.float64)
        if atom.kind != "identity":
            raise FettleError(
                f"{atom.label} needs numbers, and the levels of {self.name} are categories "
                f"({', '.join(str(level) for level in self.levels[:4])}): write {self.name} alone, "
                "or say that it is ordered"
            )
        return np.eye(len(self.levels), dtype=np.float64)[:, 1:]


def factor_of(parameter: Parameter, ordered: Collection[str] = ()) -> Factor:
    """A parameter as a factor; those named in `ordered` count 1, 2, ... in the given order."""
    values = parameter.values
    if parameter.name in ordered:
        ranks = tuple(float(rank + 1) for rank in range(len(values)))
        return Factor(parameter.name, values, ranks)
    numbers: list[float] = []
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return Factor(parameter.name, values, None)
        if not math.isfinite(value):
            raise FettleError(
                f"the level {value} of {parameter.name} is not a finite number, so no model can "
                "include it: leave it out, or give all levels as words"
            )
        numbers.append(float(value))
    return Factor(parameter.name, values, tuple(numbers))


def check_formula(formula: Formula, factors: Sequence[Factor]) -> None:
    """Raises a FettleError for a model that a user gave and that says nothing about a search.

    That is one without terms, and one that names a factor which does not vary.
    """
    if not formula.terms:
        raise FettleError(f"the formula {formula} has no term: name the factors to vary")
    for factor in factors:
        if len(factor.levels) == 1 and factor.name in formula.factors:
            raise FettleError(
                f"the formula {formula} has the factor {factor.name!r}, which has one level only "
                f"({factor.levels[0]}): give it a second level to try, or leave it out"
            )


def level_codes(factors: Sequence[Factor], points: Sequence[Mapping[str, Hashable]]) -> Codes:
    """One row a point, one column a factor: which of its levels the point has."""
    codes = np.empty((len(points), len(factors)), dtype=np.int64)
    for column, factor in enumerate(factors):
        code = {level: i for i, level in enumerate(factor.levels)}
        try:
            codes[:, column] = [code[point[factor.name]] for point in points]
        except KeyError as error:
            raise FettleError(
                f"a point has {error} as {factor.name}, which is none of its levels"
            ) from None
    return codes


@dataclass(frozen=True)
class ModelMatrix:
    """The columns of a formula; `term_of[k]` is the term of column k, -1 for the intercept."""

    values: Floats
    term_of: tuple[int, ...]
    formula: Formula

    @property
    def column_labels(self) -> tuple[str, ...]:
        """The terms' labels, a number behind those of several columns."""
        labels: list[str] = []
        for term in self.term_of:
            name = "Intercept" if term < 0 else self.formula.labels[term]
            if self.term_of.count(term) > 1:
                name += f"[{sum(1 for done in self.term_of[: len(labels)] if done == term) + 1}]"
            labels.append(name)
        return tuple(labels)

    def rows(self, chosen: npt.NDArray[np.int64] | Sequence[int]) -> Floats:
        """Some rows of the matrix."""
        return self.values[np.asarray(chosen, dtype=np.int64)]

    def columns(self, chosen: Sequence[int]) -> ModelMatrix:
        """Some of its columns: the matrix of a part of the terms' columns."""
        term_of = tuple(self.term_of[column] for column in chosen)
        return ModelMatrix(self.values[:, list(chosen)], term_of, self.formula)


def model_matrix(formula: Formula, factors: Sequence[Factor], codes: Codes) -> ModelMatrix:
    """The matrix of a formula at points given by their level codes.

    Cost: points times columns. Raises a FettleError for a term that has no value at a level.
    """
    column_of = {factor.name: i for i, factor in enumerate(factors)}
    columns: list[Floats] = [np.ones(len(codes), dtype=np.float64)]
    term_of = [-1]
    for index, term in enumerate(formula.terms):
        block = np.ones((len(codes), 1), dtype=np.float64)
        for atom in term:
            column = column_of[atom.factor]
            levels = factors[column].columns(atom)[codes[:, column]]
            block = (block[:, :, None] * levels[:, None, :]).reshape(len(codes), -1)
        columns.extend(block.T)
        term_of.extend([index] * block.shape[1])
    return ModelMatrix(np.column_stack(columns), tuple(term_of), formula)


def independent_columns(values: Floats, tolerance: float = 1e-9) -> tuple[int, ...]:
    """The columns that are not combinations of columns before them.

    Cost: rows times columns squared.
    """
    if not len(values):
        return ()
    # The triangle's columns depend on each other as the matrix's do, and are short.
    triangle: Floats = np.asarray(np.linalg.qr(values, mode="r"))
    basis: list[Floats] = []
    kept: list[int] = []
    for column in range(values.shape[1]):
        vector = triangle[:, column].copy()
        scale = float(np.linalg.norm(vector))
        for _ in range(2):
            for direction in basis:
                vector -= direction * float(direction @ vector)
        length = float(np.linalg.norm(vector))
        if scale > 0 and length > tolerance * scale:
            basis.append(vector / length)
            kept.append(column)
    return tuple(kept)


def estimable_terms(matrix: ModelMatrix) -> tuple[str, ...]:
    """The labels of the terms that the rows can tell apart, earlier terms first.

    A term goes out when all its columns are combinations of the columns before it: a factor that
    is constant here, or a power that has too few levels.
    """
    terms = dict.fromkeys(matrix.term_of[column] for column in independent_columns(matrix.values))
    return tuple(matrix.formula.labels[term] for term in terms if term >= 0)
