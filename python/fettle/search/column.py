"""A column of numbers that can be passed to a predicate in place of one number.

If its truth value is used (`if`, `and`, `or`, `not`, `min`, a chained comparison) and differs
between rows, it raises Split. If its result could differ from that of the single numbers
(integers beyond 64 bits, a division by zero, text, a function of the standard library, ...), it
raises Unsure. fettle.search.columns calls predicates with such columns.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

# Integers of smaller magnitude are floats exactly; the other bound keeps sums within 64 bits.
EXACT = 2.0**53
_LARGE = 2.0**62

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]
Answer = tuple[Numbers, float]
Operation = Callable[[Numbers, Numbers, float, float], Answer]


class Unsure(BaseException):
    """A column cannot replace its numbers here. No predicate's `except Exception` catches it."""


class Split(BaseException):
    """A branch of a predicate is taken for some rows and not for others."""

    def __init__(self, where: Mask) -> None:
        self.where = where


class BranchPath:
    """The branches of a predicate that some rows take: the truth values on their path."""

    def __init__(self, taken: tuple[bool, ...]) -> None:
        self.taken = list(taken)
        self._next = 0
        # A Split or Unsure was raised; if the call returned all the same, the predicate caught it.
        self.is_left = False

    def truth(self, where: Mask) -> bool:
        """The truth value of these rows; Split if it is not the same for all."""
        if self._next == len(self.taken):
            if where.any() != where.all():
                self.is_left = True
                raise Split(where)
            self.taken.append(bool(where.all()))
        self._next += 1
        return self.taken[self._next - 1]


class Column:
    """Numbers, one a row, with the operators of numbers; all else about them raises an error.

    No integer's magnitude is above `bound`, as far as the operators tell.
    """

    __array_ufunc__ = None
    __slots__ = ("_path", "bound", "numbers")

    def __init__(self, numbers: Numbers, bound: float, path: BranchPath) -> None:
        self.numbers, self.bound = numbers, bound
        self._path = path

    def __bool__(self) -> bool:
        return self._path.truth(self.numbers != 0)

    def _with(self, other: object, operation: Operation, swapped: bool = False) -> Column:
        (mine, bound), (others, theirs) = self._operand(self), self._operand(other)
        if mine.dtype != others.dtype and max(bound, theirs) >= EXACT:
            self._unsure()  # an integer that becomes a float must be the same number
        if swapped:
            return Column(*operation(others, mine, theirs, bound), self._path)
        return Column(*operation(mine, others, bound, theirs), self._path)

    def __eq__(self, other: object) -> Column:  # type: ignore[override]
        return self._with(other, _compared(operator.eq))

    def __ne__(self, other: object) -> Column:  # type: ignore[override]
        return self._with(other, _compared(operator.ne))

    def __lt__(self, other: object) -> Column:
        return self._with(other, _compared(operator.lt))

    def __le__(self, other: object) -> Column:
        return self._with(other, _compared(operator.le))

    def __gt__(self, other: object) -> Column:
        return self._with(other, _compared(operator.gt))

    def __ge__(self, other: object) -> Column:
        return self._with(other, _compared(operator.ge))

    def __add__(self, other: object) -> Column:
        return self._with(other, self._sum)

    def __sub__(self, other: object) -> Column:
        return self._with(other, self._difference)

    def __rsub__(self, other: object) -> Column:
        return self._with(other, self._difference, swapped=True)

    def __mul__(self, other: object) -> Column:
        return self._with(other, self._product)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: object) -> Column:
        return self._with(other, self._quotient)

    def __rtruediv__(self, other: object) -> Column:
        return self._with(other, self._quotient, swapped=True)

    def __floordiv__(self, other: object) -> Column:
        return self._with(other, self._floor)

    def __rfloordiv__(self, other: object) -> Column:
        return self._with(other, self._floor, swapped=True)

    def __mod__(self, other: object) -> Column:
        return self._with(other, self._rest)

    def __rmod__(self, other: object) -> Column:
        return self._with(other, self._rest, swapped=True)

    def __neg__(self) -> Column:
        return 0 - self

    def __abs__(self) -> Column:
        numbers, bound = self._operand(self)
        return Column(abs(numbers), bound, self._path)

    def __and__(self, other: object) -> Column:
        return self._with(other, self._bitwise(operator.and_))

    def __or__(self, other: object) -> Column:
        return self._with(other, self._bitwise(operator.or_))

    def __xor__(self, other: object) -> Column:
        return self._with(other, self._bitwise(operator.xor))

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def _sum(self, left: Numbers, right: Numbers, one: float, other: float) -> Answer:
        return left + right, self._checked(one + other, _LARGE)

    def _difference(self, left: Numbers, right: Numbers, one: float, other: float) -> Answer:
        return left - right, self._checked(one + other, _LARGE)

    def _product(self, left: Numbers, right: Numbers, one: float, other: float) -> Answer:
        return left * right, self._checked(one * other, _LARGE)

    def _quotient(self, left: Numbers, right: Numbers, one: float, other: float) -> Answer:
        self._check_division(right, one, other)
        return left / right, 0.0

    def _floor(self, left: Numbers, right: Numbers, one: float, other: float) -> Answer:
        self._check_division(right, one, other)
        return left // right, one + 1.0

    def _rest(self, left: Numbers, right: Numbers, one: float, other: float) -> Answer:
        self._check_division(right, one, other)
        return left % right, other

    def _bitwise(self, function: Callable[[Any, Any], Any]) -> Operation:
        def checked(left: Numbers, right: Numbers, one: float, other: float) -> Answer:
            if np.float64 in (left.dtype, right.dtype):
                self._unsure()
            return function(left, right), self._checked(2.0 * max(one, other) + 1.0, _LARGE)

        return checked

    def _check_division(self, right: Numbers, one: float, other: float) -> None:
        if not np.all(right):
            self._unsure()
        self._checked(max(one, other), EXACT)

    def _checked(self, bound: float, below: float) -> float:
        if bound >= below:
            self._unsure()
        return bound

    def _operand(self, other: object) -> Answer:
        """As integers or floats; truth values count as integers, as they do in Python."""
        if type(other) is Column:
            numbers = other.numbers
            if numbers.dtype == np.bool_:
                numbers = numbers.astype(np.int64)
            return numbers, other.bound
        if isinstance(other, np.integer):
            other = int(other)
        if type(other) in (bool, int) and -_LARGE < int(other) < _LARGE:  # type: ignore[call-overload]
            return np.array(other, dtype=np.int64), abs(float(other))  # type: ignore[arg-type]
        if isinstance(other, float):
            return np.array(other, dtype=np.float64), 0.0
        return self._unsure()

    def _unsure(self, *_: object, **__: object) -> NoReturn:
        self._path.is_left = True
        raise Unsure

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


def _compared(function: Callable[[Any, Any], Any]) -> Operation:
    return lambda left, right, one, other: (function(left, right), 1.0)
