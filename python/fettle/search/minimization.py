"""A search as one call: the point of a space with the smallest value of a function.

found = fettle.search.minimize(run, {"block": (64, 128, 256), "grain": range(1, 9)}, budget=20)
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import islice
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from fettle.core.errors import FettleError
from fettle.core.expression import parse_expression
from fettle.core.numbers import is_number, is_whole
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.points import points_of
from fettle.search.registry import make_strategy
from fettle.search.run import SearchResult, search
from fettle.search.search_file import SearchFile
from fettle.search.space import Point, Space
from fettle.search.variant_space import constraint_of

MOST_VALUES = 1_000_000
"""Of a parameter; a strategy keeps some numbers for each."""


def minimize(
    f: Callable[[Point], float],
    space: Space | Mapping[str, Iterable[Hashable]],
    *,
    budget: int | None = 50,
    seconds: float | None = None,
    strategy: str = "auto",
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    constraints: Iterable[str | Constraint] = (),
    callback: Callable[[Point, float], object] | None = None,
    resume: str | os.PathLike[str] | None = None,
) -> SearchResult:
    """Evaluates `f` at up to `budget` points of a space; the best of them.

    - `f`: gets a point, a dictionary from parameters' names to values, and returns a number:
      smaller is better, math.inf or NaN where the point does not work. What it raises ends the
      search, and what was found until then is in the file `resume`.
    - `space`: for each parameter the values to try, in order; numbers are ordered, texts and
      booleans are categories. Or a `Space`.
    - `budget`: evaluations at most, those of earlier runs in `resume` included; None: no limit.
      `seconds`: none is begun after that. A strategy may end earlier.
    - `strategy`, `options`: of docs/search.md. The same `seed` and values give the same points.
    - `constraints`: texts such as "block * grain <= 1024", of parameters with whole numbers, or
      `Constraint` objects: other points are not evaluated.
    - `callback`: gets each point and its value after the evaluation; the search ends where it
      returns True.
    - `resume`: a file that keeps each value as soon as it is known. Where it exists, its points are
      not evaluated again, and the search goes on from there. Values of parameters have to be
      texts, numbers, booleans or None.

    Returns a `SearchResult`: `best_point`, `best_value`, and the `history` of this call. Raises
    FettleError for an empty space, unknown strategies or options, a file of another space, and
    where no point worked. Costs, beside `f`, 2 to 20 ms an evaluation with "auto".
    """
    _check(f, strategy, budget, seconds, seed, options, callback, resume)
    whole = _space(space, constraints)
    file = None if resume is None else SearchFile(Path(resume), whole)
    known = {} if file is None else file.read()
    left = None if budget is None else budget - len(known)
    if left is not None and left <= 0 and known:
        return _best_of(whole, known, resume)

    def measured(point: Point, value: float) -> bool:
        if file is not None:
            file.add(point, value)
        answer = None if callback is None else callback(dict(point), value)
        return isinstance(answer, bool | np.bool_) and bool(answer)

    return search(
        whole,
        f,
        make_strategy(strategy, whole, seed, budget, **dict(options or {})),
        measurements=left,
        seconds=seconds,
        known=known,
        on_measured=measured,
    )


def _check(
    f: object,
    strategy: object,
    budget: object,
    seconds: object,
    seed: object,
    options: object,
    callback: object,
    resume: object,
) -> None:
    """Raises FettleError for an argument of minimize() that is of another kind."""
    wanted = {
        "f": (callable(f), "a function of a point", f),
        "strategy": (isinstance(strategy, str), 'a name, such as "auto"', strategy),
        "budget": (
            budget is None or (isinstance(budget, Integral) and not isinstance(budget, bool)),
            "a whole number of evaluations, or None",
            budget,
        ),
        "seconds": (seconds is None or is_number(seconds), "a number, or None", seconds),
        "seed": (is_whole(seed, 0), "a whole number from 0 on", seed),
        "options": (
            options is None
            or (isinstance(options, Mapping) and all(isinstance(name, str) for name in options)),
            "names and values, such as {'population': 20}",
            options,
        ),
        "callback": (callback is None or callable(callback), "a function, or None", callback),
        "resume": (
            resume is None or isinstance(resume, str | os.PathLike),
            "the name of a file, or None",
            resume,
        ),
    }
    for name, (is_right, kind, given) in wanted.items():
        if not is_right:
            raise FettleError(f"minimize: {name} must be {kind}, not {given!r}")


def _space(
    space: Space | Mapping[str, Iterable[Hashable]], constraints: Iterable[str | Constraint]
) -> Space:
    if isinstance(constraints, str) or not isinstance(constraints, Iterable):
        raise FettleError(
            f'minimize: constraints must be a list, such as ["a < 3"], not {constraints!r}'
        )
    given = [_constraint(one) for one in constraints]
    if isinstance(space, Space):
        if given:
            raise FettleError("give the constraints to the Space, or a mapping in place of it")
        return space
    if not isinstance(space, Mapping):
        raise FettleError(
            'minimize: space must give the values of each parameter, such as {"block": (64, 128)}, '
            f"not {space!r}"
        )
    parameters = [Parameter(name, _values(name, values)) for name, values in space.items()]
    if not parameters:
        raise FettleError("the search space has no parameters")
    return Space(parameters, given)


def _values(name: object, values: object) -> tuple[Hashable, ...]:
    if not isinstance(name, str):
        raise FettleError(f"the parameter {name!r} needs a text as its name")
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise FettleError(f"the parameter {name!r} needs a list of values to try, not {values!r}")
    some = tuple(islice(values, MOST_VALUES + 1))
    if len(some) > MOST_VALUES:
        raise FettleError(
            f"the parameter {name!r} has more than {MOST_VALUES} values; give fewer, such as every "
            "hundredth, and search between the best of them afterwards"
        )
    for value in some:
        if not isinstance(value, Hashable):
            why = "which cannot be told from others (it has no hash); give texts, numbers or tuples"
        elif isinstance(value, int) and abs(value) >= 2**63:
            why = "which has more than 64 bits; give its logarithm, or a text"
        elif isinstance(value, float) and math.isinf(value):
            why = "which has no distance from others; give a text"
        else:
            continue
        raise FettleError(f"the parameter {name!r} has the value {value!r}, {why}")
    return some


def _constraint(one: object) -> Constraint:
    if isinstance(one, Constraint):
        return one
    if not isinstance(one, str):
        raise FettleError(
            f'minimize: a constraint is a text, such as "a < 3", or a '
            f"fettle.search.Constraint, not {one!r}"
        )
    read = constraint_of(parse_expression(one))

    def holds(*values: Hashable) -> bool:
        for name, value in zip(read.names, values, strict=True):
            if not isinstance(value, int):
                raise FettleError(
                    f"the constraint {one!r} is of whole numbers, and {name} may be {value!r}; "
                    "give a fettle.search.Constraint with a function"
                )
        return read.predicate(*values)

    return Constraint(read.names, holds, one)


def _best_of(
    space: Space,
    known: Mapping[tuple[Hashable, ...], float],
    file: str | os.PathLike[str] | None,
) -> SearchResult:
    best = min(known, key=lambda row: known[row])
    if not known[best] < float("inf"):
        raise FettleError(
            f"all {len(known)} points in {file} failed, and the budget, which counts them, is "
            "spent; raise it, or remove the file"
        )
    names = points_of(space).names
    return SearchResult(dict(zip(names, best, strict=True)), known[best], [], 0)
