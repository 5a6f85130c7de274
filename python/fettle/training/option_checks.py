"""What the options of a CodeVariant may be: a check for each, which returns the value to keep.

A check raises ValueError with what the value must be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fettle.search.parameter import Parameter
from fettle.search.parameter_search import ParameterSearch, why_no_macro
from fettle.training.frequency import Frequency
from fettle.training.record_parser import is_name
from fettle.training.search_limits import SearchLimits

MOST_BYTES = 200  # of a name


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("True or False")
    return value


def _one_of(*choices: str) -> Callable[[object], str]:
    def check(value: object) -> str:
        if value not in choices:
            raise ValueError(" or ".join(repr(choice) for choice in choices))
        return str(value)

    return check


def _name(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("the function's name in its C++ policy")
    if not is_name(value):
        raise ValueError("a name without control characters")
    if len(value.encode()) > MOST_BYTES:
        raise ValueError(f"a name of at most {MOST_BYTES} bytes, because its model's folder has it")
    return value


def _variants(value: object) -> int | tuple[str, ...] | None:
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        names = tuple(value)
        if names and all(isinstance(name, str) for name in names):
            return names
    raise ValueError("the number of variants (at least 1), their names, or None")


def _names(value: object) -> frozenset[str]:
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        names = tuple(value)
        if all(isinstance(name, str) for name in names):
            return frozenset(names)
    raise ValueError("a list of variants' names")


def _sets(value: object) -> tuple[frozenset[str], ...]:
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        sets = tuple(
            frozenset(one)
            for one in value
            if isinstance(one, Iterable) and not isinstance(one, str)
        )
        if len(sets) == len(tuple(value)) and all(isinstance(n, str) for one in sets for n in one):
            return sets
    raise ValueError("a list of lists of features' names")


def _by_name(what: str) -> Callable[[object], dict[str, str]]:
    def check(value: object) -> dict[str, str]:
        if isinstance(value, Mapping):
            found = dict(value)
        elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
            found = dict.fromkeys(value, "")
        else:
            raise ValueError(what)
        if all(isinstance(text, str) for pair in found.items() for text in pair):
            return found
        raise ValueError(what)

    return check


def _metrics(value: object) -> dict[str, str]:
    what = "names and units without blanks, such as {'seconds': 's', 'joules': 'J'}"
    found = _by_name(what)(value)
    if all(name.isidentifier() and not set(unit) & set(' "=') for name, unit in found.items()):
        return found
    raise ValueError(what)


METERS = ("energy", "gpu_energy", "cpu_energy", "memory", "device_memory")


def _meters(value: object) -> tuple[str, ...]:
    found = (value,) if isinstance(value, str) else value
    if isinstance(found, Iterable) and not isinstance(found, bytes):
        names = tuple(found)
        if all(name in METERS for name in names) and len(set(names)) == len(names):
            return names
    raise ValueError(f"names among {', '.join(METERS)}, each once")


def _expression(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("an expression of metrics, such as 'throughput / watts**2'")
    return value


def _objective(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("the name of an objective, such as 'eco'")
    return value


def _bounds(value: object) -> tuple[str, ...]:
    found = (value,) if isinstance(value, str) else value
    if isinstance(found, Iterable):
        texts = tuple(found)
        if all(isinstance(text, str) for text in texts):
            return texts
    raise ValueError("a bound, or a list of them, such as 'seconds <= 1.1 * best(seconds)'")


def _function(value: object) -> object:
    if value is not None and not callable(value):
        raise ValueError("a function that picks the best of a list of tuples")
    return value


def _frequency(value: object) -> object:
    if value is not None and not isinstance(value, Frequency):
        raise ValueError("what tune_frequency([562, 745, 875]) makes of it: call that")
    return value


def _classifier(value: object) -> object:
    if isinstance(value, type):
        raise ValueError(f"an object: write {value.__name__}()")
    if not callable(getattr(value, "fit", None)):
        raise ValueError(
            "a classifier, such as SvmClassifier(), TreeClassifier(), AutoClassifier()"
        )
    return value


def _parameter_search(value: object) -> object:
    if not isinstance(value, ParameterSearch):
        raise ValueError("a ParameterSearch, such as ParameterSearch('multilevel')")
    return value


def _parameters(value: object) -> tuple[Parameter, ...]:
    wanted = "a list such as [Parameter('TILE', (8, 16, 32))], of names and whole numbers"
    if not isinstance(value, Iterable):
        raise ValueError(wanted)
    found = tuple(value)
    if not all(isinstance(one, Parameter) for one in found):
        raise ValueError(wanted)
    for why in map(why_no_macro, found):
        if why:
            raise ValueError(f"{wanted} ({why})")
    return found


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        found = tuple(value)
        if all(isinstance(one, str) for one in found):
            return found
    raise ValueError("a list of expressions such as ['TILE * UNROLL <= 64']")


def _device(value: object) -> str | None:
    if value is not None and (not isinstance(value, str) or not value.strip()):
        raise ValueError("a name for this machine, such as 'gtx_480', or None")
    return value


def _every(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        raise ValueError("how many calls share one that is timed, such as 1024, or 0 for none")
    return value


def _check_every(value: object) -> int:
    try:
        return _every(value)
    except ValueError:
        raise ValueError(
            "how many calls share one that is checked, such as 1000, 1 for all or 0 for none"
        ) from None


def _part(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise ValueError("a number between 0 and 1, such as 0.99")
    return float(value)


def _limits(value: object) -> object:
    if not isinstance(value, SearchLimits):
        raise ValueError("a SearchLimits, such as SearchLimits(subset_size=2)")
    return value


CHECKS: dict[str, Callable[[object], Any]] = {
    "name": _name,
    "variants": _variants,
    "classifier": _classifier,
    "allow_failures": _names,
    "deterministic": _switch,
    "constraints": _switch,
    "parallel_feature_evaluation": _switch,
    "parallel_constraint_evaluation": _switch,
    "async_feature_eval": _switch,
    "feature_selection": _switch,
    "shared_features": _sets,
    "on_constraint_failure": _one_of("default", "next_best"),
    "on_infinite_metric": _one_of("return", "next_best"),
    "outside_region": _one_of("default", "predict"),
    "metric": _one_of("returned", "elapsed", "seconds", "events"),
    "larger_is_better": _switch,
    "metrics": _metrics,
    "larger_metrics": _bounds,
    "meters": _meters,
    "define": _by_name("names and expressions, such as {'throughput': '1 / seconds'}"),
    "minimize": _expression,
    "maximize": _expression,
    "objectives": _by_name("names and expressions, such as {'eco': 'minimize joules'}"),
    "objective": _objective,
    "subject_to": _bounds,
    "aggregation_function": _function,
    "frequency": _frequency,
    "strict": _switch,
    "embed_model": _switch,
    "parameter_search": _parameter_search,
    "parameters": _parameters,
    "parameter_constraints": _texts,
    "monitor": _every,
    "on_unexpected": _one_of("report", "next_best", "default"),
    "coverage": _part,
    "confidence": _part,
    "check_every": _check_every,
    "device_id": _device,
    "record": _switch,
    "profiling_based_dfs": _switch,
    "search_based_dfs": _switch,
    "search_limits": _limits,
}
