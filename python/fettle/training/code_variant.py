"""A function with variants, as the tuning script sees it: its name and how it is to be tuned.

The options of dissertation table 2.2 and ours. They can be given to the constructor or set one by
one afterwards (figure 2.3); a name or a value that does not exist is refused at once.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

from fettle.classifiers import SvmClassifier
from fettle.classifiers.base import Classifier
from fettle.core.errors import FettleError
from fettle.search.parameter import Parameter
from fettle.search.parameter_search import ParameterSearch, is_macro

OnConstraintFailure: TypeAlias = Literal["default", "next_best"]
OnInfiniteMetric: TypeAlias = Literal["return", "next_best"]
OutsideRegion: TypeAlias = Literal["default", "predict"]
Metric: TypeAlias = Literal["returned", "elapsed", "seconds"]


class CodeVariant:
    """A tuned function `name`, the same name as in its C++ policy.

    - `variants`: how many variants the program registers, or their names; checked against the
      program. None: not checked.
    - `classifier`: what learns to choose; SvmClassifier() where None.
    - `allow_failures`: names of variants that may be chosen although they crashed, hung, threw or
      were wrong on some input.
    - `deterministic`: choose only variants whose output was the default's bit by bit on every
      input, as the program's set_verify captures it.
    - `constraints`: False: constraints are not evaluated, neither in training nor in deployment.
    - `parallel_feature_evaluation`, `parallel_constraint_evaluation`: on oneTBB.
    - `async_feature_eval`: `fix_inputs` starts the features and returns; the call waits for them.
    - `feature_selection`: keep only the features that are worth their evaluation time.
    - `shared_features`: sets of features that are found together: several of one cost as one does.
    - `on_constraint_failure`: what runs when the chosen variant's constraint fails.
    - `on_infinite_metric`: "next_best": a call whose variant comes to an infinite metric, as does a
      solver that diverges, resets the inputs and runs the next best one. "return": returns it.
    - `outside_region`: what runs on inputs unlike those trained on.
    - `metric`: "returned": a double that a variant returns is its metric, "seconds": and is a time
      that it has measured itself; "elapsed": the time of the call is.
    - `larger_is_better`: of the metric.
    - `strict`: the program gets an exception, not a warning, for a model that cannot be used.
    - `embed_model`: the model is compiled into the program (it is rebuilt after training).
    - `parameter_search`: how the parameters of variants that have any are tuned; ParameterSearch()
      where None.
    - `parameters`: compile-time parameters: macros that the build command gets in place of
      {defines}, and the values to try, the default first. One build is found that is best over all
      inputs. `parameter_constraints`: expressions of their names, as "TILE * UNROLL <= 64".
    """

    name: str
    variants: int | tuple[str, ...] | None
    classifier: Classifier
    allow_failures: frozenset[str]
    deterministic: bool
    constraints: bool
    parallel_feature_evaluation: bool
    parallel_constraint_evaluation: bool
    async_feature_eval: bool
    feature_selection: bool
    shared_features: tuple[frozenset[str], ...]
    on_constraint_failure: OnConstraintFailure
    on_infinite_metric: OnInfiniteMetric
    outside_region: OutsideRegion
    metric: Metric
    larger_is_better: bool
    strict: bool
    embed_model: bool
    parameter_search: ParameterSearch
    parameters: tuple[Parameter, ...]
    parameter_constraints: tuple[str, ...]

    def __init__(
        self,
        name: str,
        variants: int | Iterable[str] | None = None,
        *,
        classifier: Classifier | None = None,
        allow_failures: Iterable[str] = (),
        deterministic: bool = False,
        constraints: bool = True,
        parallel_feature_evaluation: bool = False,
        parallel_constraint_evaluation: bool = False,
        async_feature_eval: bool = False,
        feature_selection: bool = False,
        shared_features: Iterable[Iterable[str]] = (),
        on_constraint_failure: OnConstraintFailure = "default",
        on_infinite_metric: OnInfiniteMetric = "return",
        outside_region: OutsideRegion = "default",
        metric: Metric = "returned",
        larger_is_better: bool = False,
        strict: bool = False,
        embed_model: bool = False,
        parameter_search: ParameterSearch | None = None,
        parameters: Iterable[Parameter] = (),
        parameter_constraints: Iterable[str] = (),
    ) -> None:
        self.name = name
        self.variants = variants  # type: ignore[assignment]  # the check makes it a tuple
        self.classifier = SvmClassifier() if classifier is None else classifier
        self.allow_failures = allow_failures  # type: ignore[assignment]  # likewise
        self.deterministic = deterministic
        self.constraints = constraints
        self.parallel_feature_evaluation = parallel_feature_evaluation
        self.parallel_constraint_evaluation = parallel_constraint_evaluation
        self.async_feature_eval = async_feature_eval
        self.feature_selection = feature_selection
        self.shared_features = shared_features  # type: ignore[assignment]  # likewise
        self.on_constraint_failure = on_constraint_failure
        self.on_infinite_metric = on_infinite_metric
        self.outside_region = outside_region
        self.metric = metric
        self.larger_is_better = larger_is_better
        self.strict = strict
        self.embed_model = embed_model
        self.parameter_search = ParameterSearch() if parameter_search is None else parameter_search
        self.parameters = parameters  # type: ignore[assignment]  # likewise
        self.parameter_constraints = parameter_constraints  # type: ignore[assignment]

    def __setattr__(self, option: str, value: object) -> None:
        """Sets an option. Raises FettleError for an option or a value that does not exist."""
        if option not in _CHECKS:
            close = difflib.get_close_matches(option, _CHECKS, n=1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise FettleError(
                f"a code variant has no option {option!r}; {hint}its options are "
                f"{', '.join(sorted(_CHECKS))}"
            )
        try:
            super().__setattr__(option, _CHECKS[option](value))
        except ValueError as error:
            raise FettleError(f"{option} must be {error}, not {value!r}") from None

    def __repr__(self) -> str:
        return f"CodeVariant({self.name!r}, {self.variants!r})"

    def variant_count(self) -> int | None:
        """The stated number of variants; None where it was not stated."""
        if self.variants is None or isinstance(self.variants, int):
            return self.variants
        return len(self.variants)


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
    if isinstance(value, Iterable):
        found = tuple(value)
        if all(isinstance(one, Parameter) and is_macro(one) for one in found):
            return found
    raise ValueError("a list such as [Parameter('TILE', (8, 16, 32))], of names and whole numbers")


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        found = tuple(value)
        if all(isinstance(one, str) for one in found):
            return found
    raise ValueError("a list of expressions such as ['TILE * UNROLL <= 64']")


_CHECKS: dict[str, Callable[[object], Any]] = {
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
    "metric": _one_of("returned", "elapsed", "seconds"),
    "larger_is_better": _switch,
    "strict": _switch,
    "embed_model": _switch,
    "parameter_search": _parameter_search,
    "parameters": _parameters,
    "parameter_constraints": _texts,
}
