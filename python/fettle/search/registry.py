"""The strategies by name."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from fettle.core.errors import FettleError
from fettle.core.wording import near_names
from fettle.search.base import Strategy
from fettle.search.space import Space

# Where each is, and what it is given beside the user's options. Imported when it is made, so that
# what one strategy needs is not needed for the others.
_HOMES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "exhaustive": ("exhaustive", "Exhaustive", {}),
    "random": ("random_search", "RandomSearch", {}),
    "latin_hypercube": ("latin_hypercube", "LatinHypercube", {}),
    "greedy": ("greedy", "Greedy", {}),
    "greedy_restart": ("greedy", "Greedy", {"restart": True}),
    "genetic": ("genetic", "Genetic", {}),
    "annealing": ("annealing", "Annealing", {}),
    "nelder_mead": ("nelder_mead", "NelderMead", {}),
    "linear_model": ("linear_model", "LinearModel", {}),
    "cma_es": ("cma_es", "CmaEs", {}),
    "tpe": ("tpe", "Tpe", {}),
    "gaussian_process": ("gaussian_process", "GaussianProcess", {}),
    "dlmt": ("dlmt", "Dlmt", {}),
    "grouped": ("grouped", "Grouped", {}),
    "auto": ("auto", "Auto", {}),
    "carried": ("carried", "Carried", {}),
}


def strategy_names() -> list[str]:
    """The names that `make_strategy` knows and has a module for, in the order of the docs."""
    return [
        name
        for name, (module, _, _) in _HOMES.items()
        if importlib.util.find_spec(f".{module}", __package__) is not None
    ]


def check_strategy(name: str) -> None:
    """Raises FettleError for what is no strategy's name."""
    known = strategy_names()
    if name not in known:
        raise FettleError(
            f"unknown search strategy {name!r}; {near_names(name, known, 'the strategies')}"
        )


def check_options(name: str, options: Iterable[str]) -> None:
    """Raises FettleError for an option that a strategy does not have."""
    own = ("space", "seed", "budget")  # not options
    parameters = inspect.signature(strategy_factory(name)).parameters
    known = [option for option in parameters if option not in own]
    for option in options:
        if option not in known:
            has = near_names(option, known, "its options") if known else "it has none"
            raise FettleError(f"the search strategy {name!r} has no option {option!r}; {has}")


def strategy_factory(name: str) -> Callable[..., Strategy]:
    """What makes a strategy: (space, seed, budget=None, **options). FettleError: no such name."""
    check_strategy(name)
    module, attribute, _ = _HOMES[name]
    factory: Callable[..., Strategy] = getattr(
        importlib.import_module(f".{module}", __package__), attribute
    )
    return factory


def make_strategy(
    name: str, space: Space, seed: int, budget: int | None = None, /, **options: Any
) -> Strategy:
    """A strategy by its name. FettleError for an unknown name, or an option that it cannot take."""
    check_options(name, options)
    factory = strategy_factory(name)
    options = {**_HOMES[name][2], **options}
    try:
        return factory(space, seed, budget, **options)
    except (AttributeError, TypeError, ValueError) as error:
        if not options:
            raise
        given = ", ".join(f"{option}={value!r}" for option, value in options.items())
        raise FettleError(
            f"the search strategy {name!r} cannot take the options {given}: {error}"
        ) from error
