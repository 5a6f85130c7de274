"""Expressions over a configuration: what a specification's conditions and values are written in.

    WX * CX == best.WX * best.CX        WX >= 32 and WY * CY <= 4        N / WX

Names are parameters, and constants such as the input's size; `best.NAME` is a parameter's value in
the best configuration so far. Written as in Python: + - * / // % **, comparisons, `and`, `or`,
`not`, `in`, numbers, words in quotes, and the functions min, max, abs and log2. (Garvey and
Abdelrahman 2018, section 7.3: values and ranges may be calculated "from the values of other
optimizations, the values of the best configuration currently discovered, and the input data size".)
"""

from __future__ import annotations

import ast
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from fettle.core.errors import FettleError

BEST = "best"
LONGEST = 10_000  # characters
LARGEST_POWER = 1024  # bits

_FUNCTIONS: dict[str, Any] = {"min": min, "max": max, "abs": abs, "log2": math.log2}
_POWER = "**"  # no name that a text can have
_ALLOWED = (
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.Call,
    ast.Name,
    ast.Load,
    ast.Tuple,
    ast.Attribute,
    ast.Constant,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
)
_REFUSED = (ast.LShift, ast.RShift, ast.MatMult, ast.BitAnd, ast.BitOr, ast.BitXor, ast.Invert)


@dataclass(frozen=True)
class Expression:
    """A parsed expression; equal to another one if the texts are.

    `names` are the parameters and constants that it is about, in the order of their appearance,
    `of_best` those that it takes from the best configuration.
    """

    text: str
    names: tuple[str, ...] = field(compare=False)
    of_best: tuple[str, ...] = field(compare=False)
    _code: CodeType = field(compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return parse_expression, (self.text,)

    def value(
        self, point: Mapping[str, Hashable], best: Mapping[str, Hashable] | None = None
    ) -> Any:
        """Its value for a point and constants. FettleError where it cannot be calculated."""
        try:
            functions = {"__builtins__": {}, **_FUNCTIONS, _POWER: _power}
            return eval(self._code, functions, _Names(point, best or {}))
        except (ArithmeticError, TypeError, ValueError, RecursionError) as error:
            at = ", ".join(f"{n}={point[n]!r}" for n in self.names if n in point)
            where = f" for {at}" if at else ""
            raise FettleError(f"{self.text!r} cannot be calculated{where}: {error}") from error

    def __str__(self) -> str:
        return self.text


def _power(base: Any, exponent: Any) -> Any:
    """base ** exponent; OverflowError for a number so long that calculating it might hang."""
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and (base.bit_length() - 1) * exponent > LARGEST_POWER:
        raise OverflowError(f"a power has more than {LARGEST_POWER} bits")
    return base**exponent


class _Names(dict[str, Any]):
    """The point's names, and those of the best configuration as `best.NAME`."""

    def __init__(self, point: Mapping[str, Hashable], best: Mapping[str, Hashable]) -> None:
        super().__init__(point)
        self._best = best

    def __missing__(self, name: str) -> Any:
        if name.startswith("best."):
            return self._best[name.removeprefix("best.")]
        raise KeyError(name)


def parse_expression(text: str) -> Expression:
    """The expression that a text writes. FettleError, naming the culprit, where it writes none."""
    if len(text) > LONGEST:
        raise FettleError(
            f"the expression that begins with {text.strip()[:40]!r} has {len(text)} characters; at "
            f"most {LONGEST} are read"
        )
    names: list[str] = []
    of_best: list[str] = []
    try:
        tree = ast.parse(text.strip(), mode="eval")
        rewritten = _Checker(text.strip(), names, of_best).visit(tree)
        code = compile(ast.fix_missing_locations(rewritten), "<expression>", "eval")
    except (SyntaxError, ValueError) as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        raise FettleError(f"{text.strip()[:200]!r} is not an expression: {message}") from error
    except (RecursionError, MemoryError) as error:
        raise FettleError(
            f"the expression that begins with {text.strip()[:40]!r} has too many operators within "
            "each other; divide it into several"
        ) from error
    return Expression(
        text.strip(), tuple(dict.fromkeys(names)), tuple(dict.fromkeys(of_best)), code
    )


class _Checker(ast.NodeTransformer):
    """Refuses what is not of the language, and turns best.NAME into one name."""

    def __init__(self, text: str, names: list[str], of_best: list[str]) -> None:
        self._text = text
        self._names = names
        self._of_best = of_best

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, _ALLOWED) or isinstance(node, _REFUSED):
            what = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
            raise FettleError(
                f"{what!r} in {self._text!r} is not allowed; there are parameters, {BEST}.NAME, "
                f"numbers, words in quotes, + - * / // % **, comparisons, and, or, not, in, "
                f"{', '.join(_FUNCTIONS)}"
            )
        return super().generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        for side in (node.left, node.right):
            if isinstance(side, ast.Tuple) or (
                isinstance(side, ast.Constant) and not isinstance(side.value, int | float)
            ):
                raise FettleError(
                    f"{ast.unparse(side)!r} in {self._text!r} is not a number to calculate with"
                )
        checked = self.generic_visit(node)
        assert isinstance(checked, ast.BinOp)
        if not isinstance(checked.op, ast.Pow):
            return checked
        name = ast.Name(id=_POWER, ctx=ast.Load())
        return ast.Call(func=name, args=[checked.left, checked.right], keywords=[])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not isinstance(node.func, ast.Name) or node.func.id not in _FUNCTIONS or node.keywords:
            raise FettleError(
                f"{ast.unparse(node)!r} in {self._text!r}: there are the functions "
                f"{', '.join(_FUNCTIONS)}, and no others"
            )
        node.args = [self.visit(argument) for argument in node.args]
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == BEST:
            raise FettleError(
                f"{BEST!r} in {self._text!r} stands alone; write {BEST}.NAME for a parameter"
            )
        self._names.append(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not isinstance(node.value, ast.Name) or node.value.id != BEST:
            raise FettleError(
                f"{ast.unparse(node)!r} in {self._text!r}: a dot stands after {BEST!r} only"
            )
        self._of_best.append(node.attr)
        return ast.Name(id=f"{BEST}.{node.attr}", ctx=ast.Load())
