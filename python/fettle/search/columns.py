"""A predicate that was written for numbers, asked for many rows at once, with the same answers.

The predicate is called with columns of numbers that behave as numbers do. Where it asks whether one
is true (`if`, `and`, `or`, `not`, `min`, a chained comparison), the rows are split into those for
which it is and those for which it is not, and each part goes its own way. Where a column could give
another answer than its numbers (integers beyond 64 bits, a division by zero, text, a function of
the standard library, ...) nothing is answered, and the caller asks row by row.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

_PARTS = 64
_EXACT = 2.0**53
_LARGE = 2.0**62

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]
Operation = Callable[[Numbers, Numbers], Numbers]


class _Unsure(BaseException):
    """A column cannot stand for its numbers here. No predicate's `except Exception` catches it."""


class _Split(BaseException):
    def __init__(self, where: Mask) -> None:
        self.where = where


def are_numbers(values: Sequence[object]) -> bool:
    """Whether columns can stand for these values: integers below 2^53 and finite floats."""
    return all(
        (type(value) is int and abs(value) < _EXACT)
        or (type(value) is float and math.isfinite(value))
        for value in values
    )


def holds_for(predicate: Callable[..., Any], columns: Sequence[Numbers], count: int) -> Mask | None:
    """Whether a predicate holds for each of `count` rows; None: ask it row by row.

    Cost: some numpy passes for each way through the predicate that some row goes.
    """
    answers: Mask = np.zeros(count, dtype=np.bool_)
    parts: list[tuple[npt.NDArray[np.intp], tuple[bool, ...]]] = [(np.arange(count), ())]
    for _ in range(_PARTS):
        if not parts:
            return answers
        rows, taken = parts.pop()
        way = _Way(taken)
        try:
            with np.errstate(all="ignore"):
                answer = predicate(*(Column(column[rows], way) for column in columns))
        except _Split as split:
            for truth in (True, False):
                parts.append((rows[split.where == truth], (*way.taken, truth)))
            continue
        except (_Unsure, Exception):  # whether it is an error, a call with numbers tells
            return None
        if way.is_left:
            return None
        answers[rows] = answer.numbers != 0 if type(answer) is Column else bool(answer)
    return answers if not parts else None


class _Way:
    """The answers to "is it true?" on the way of some rows through a predicate."""

    def __init__(self, taken: tuple[bool, ...]) -> None:
        self.taken = list(taken)
        self._next = 0
        # Something was raised; true after a call that returned: the predicate has caught it.
        self.is_left = False

    def column(self, numbers: Numbers) -> Column:
        """Numbers that are on this way."""
        return Column(numbers, self)

    def truth(self, where: Mask) -> bool:
        if self._next == len(self.taken):
            if where.any() != where.all():
                self.is_left = True
                raise _Split(where)
            self.taken.append(bool(where.all()))
        self._next += 1
        return self.taken[self._next - 1]


class Column:
    """Numbers, one a row, with the operators of numbers; all else about them raises an error."""

    __array_ufunc__ = None
    __slots__ = ("_way", "numbers")

    def __init__(self, numbers: Numbers, way: _Way) -> None:
        self.numbers = numbers
        self._way = way

    def __bool__(self) -> bool:
        return self._way.truth(self.numbers != 0)

    def _with(self, other: object, function: Operation, swapped: bool) -> Column:
        mine, others = self._operand(self), self._operand(other)
        if mine.dtype != others.dtype:
            for each in (mine, others):  # an integer that becomes a float must be the same number
                self._check(each, _EXACT)
        left, right = (others, mine) if swapped else (mine, others)
        return self._way.column(function(left, right))

    def __eq__(self, other: object) -> Column:  # type: ignore[override]
        return self._with(other, operator.eq, swapped=False)

    def __ne__(self, other: object) -> Column:  # type: ignore[override]
        return self._with(other, operator.ne, swapped=False)

    def __lt__(self, other: object) -> Column:
        return self._with(other, operator.lt, swapped=False)

    def __le__(self, other: object) -> Column:
        return self._with(other, operator.le, swapped=False)

    def __gt__(self, other: object) -> Column:
        return self._with(other, operator.gt, swapped=False)

    def __ge__(self, other: object) -> Column:
        return self._with(other, operator.ge, swapped=False)

    def __add__(self, other: object) -> Column:
        return self._with(other, self._sum, swapped=False)

    def __sub__(self, other: object) -> Column:
        return self._with(other, self._difference, swapped=False)

    def __rsub__(self, other: object) -> Column:
        return self._with(other, self._difference, swapped=True)

    def __mul__(self, other: object) -> Column:
        return self._with(other, self._product, swapped=False)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: object) -> Column:
        return self._with(other, self._quotient, swapped=False)

    def __rtruediv__(self, other: object) -> Column:
        return self._with(other, self._quotient, swapped=True)

    def __floordiv__(self, other: object) -> Column:
        return self._with(other, self._floor, swapped=False)

    def __rfloordiv__(self, other: object) -> Column:
        return self._with(other, self._floor, swapped=True)

    def __mod__(self, other: object) -> Column:
        return self._with(other, self._rest, swapped=False)

    def __rmod__(self, other: object) -> Column:
        return self._with(other, self._rest, swapped=True)

    def __neg__(self) -> Column:
        return self._way.column(-self._operand(self))

    def __abs__(self) -> Column:
        return self._way.column(abs(self._operand(self)))

    def __and__(self, other: object) -> Column:
        return self._with(other, self._bitwise(operator.and_), swapped=False)

    def __or__(self, other: object) -> Column:
        return self._with(other, self._bitwise(operator.or_), swapped=False)

    def __xor__(self, other: object) -> Column:
        return self._with(other, self._bitwise(operator.xor), swapped=False)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def _sum(self, left: Numbers, right: Numbers) -> Numbers:
        self._check(left, _LARGE / 2)
        self._check(right, _LARGE / 2)
        return left + right

    def _difference(self, left: Numbers, right: Numbers) -> Numbers:
        self._check(left, _LARGE / 2)
        self._check(right, _LARGE / 2)
        return left - right

    def _product(self, left: Numbers, right: Numbers) -> Numbers:
        if self._check(left, _LARGE) * self._check(right, _LARGE) >= _LARGE:
            self._unsure()
        return left * right

    def _quotient(self, left: Numbers, right: Numbers) -> Numbers:
        self._check_division(left, right)
        return left / right

    def _floor(self, left: Numbers, right: Numbers) -> Numbers:
        self._check_division(left, right)
        return left // right

    def _rest(self, left: Numbers, right: Numbers) -> Numbers:
        self._check_division(left, right)
        return left % right

    def _bitwise(self, function: Operation) -> Operation:
        def checked(left: Numbers, right: Numbers) -> Numbers:
            if np.float64 in (left.dtype, right.dtype):
                self._unsure()
            result: Numbers = function(left, right)
            return result

        return checked

    def _check_division(self, left: Numbers, right: Numbers) -> None:
        if not np.all(right):
            self._unsure()
        self._check(left, _EXACT)
        self._check(right, _EXACT)

    def _check(self, numbers: Numbers, below: float) -> float:
        """The greatest magnitude of integers; not sure of any that is not below a bound."""
        if numbers.dtype != np.int64 or not numbers.size:
            return 0.0
        largest = max(abs(float(numbers.max())), abs(float(numbers.min())))
        if largest >= below:
            self._unsure()
        return largest

    def _operand(self, other: object) -> Numbers:
        """As integers or floats; truth values count as integers, as they do in Python."""
        if type(other) is Column:
            numbers = other.numbers
            return numbers.astype(np.int64) if numbers.dtype == np.bool_ else numbers
        if isinstance(other, np.integer):
            other = int(other)
        if type(other) in (bool, int) and -_LARGE < int(other) < _LARGE:  # type: ignore[call-overload]
            return np.array(other, dtype=np.int64)
        if isinstance(other, float):
            return np.array(other, dtype=np.float64)
        return self._unsure()

    def _unsure(self, *_: object, **__: object) -> NoReturn:
        self._way.is_left = True
        raise _Unsure

    # What else numbers can do, or is done with them.
    __repr__ = __str__ = __format__ = __hash__ = _unsure
    __int__ = __float__ = __index__ = __complex__ = __round__ = __trunc__ = _unsure
    __floor__ = __ceil__ = __pow__ = __rpow__ = __divmod__ = __rdivmod__ = _unsure
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __invert__ = __pos__ = _unsure
    __len__ = __iter__ = __getitem__ = __contains__ = __call__ = __array__ = _unsure
    __reduce_ex__ = __copy__ = __deepcopy__ = _unsure

    def __getattr__(self, name: str) -> NoReturn:
        self._unsure(name)

    # isinstance() asks for it.
    __class__ = property(_unsure)
