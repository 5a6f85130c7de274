"""A function with variants, as the tuning script sees it: its name and how it is to be tuned.

The options of dissertation table 2.2 and ours. They can be given to the constructor or set one by
one afterwards (figure 2.3); a name or a value that does not exist is refused at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from fettle.classifiers import AutoClassifier
from fettle.classifiers.base import Classifier
from fettle.classifiers.clocked import FrequencyModels
from fettle.core.errors import FettleError
from fettle.core.wording import near_names
from fettle.objectives.aggregation import AggregationFunction
from fettle.search.parameter import Parameter
from fettle.search.parameter_search import ParameterSearch
from fettle.training.frequency import Frequency, frequency_of
from fettle.training.option_checks import CHECKS
from fettle.training.search_limits import SearchLimits

OnConstraintFailure: TypeAlias = Literal["default", "next_best"]
OnInfiniteMetric: TypeAlias = Literal["return", "next_best"]
OnUnexpected: TypeAlias = Literal["report", "next_best", "default"]
OutsideRegion: TypeAlias = Literal["default", "predict"]
Metric: TypeAlias = Literal["returned", "elapsed", "seconds", "events"]


class CodeVariant:
    """A tuned function `name`, the same name as in its C++ policy.

    - `variants`: how many variants the program registers, or their names; checked against the
      program. None: not checked.
    - `classifier`: what learns to choose; AutoClassifier() where None.
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
      that it has measured itself; "elapsed": the time of the call is; "events": the time between
      two events in the CUDA stream, before and after the call.
    - `larger_is_better`: of the metric.
    - `metrics`: names and units of what a variant returns as fettle::measured, in order, such as
      {"seconds": "s", "joules": "J"}; `larger_metrics`: those of which the larger is better.
    - `meters`: what Fettle measures around each variant beside: "energy" (metrics joules, watts and
      max_watts, of the GPU or the processor; "gpu_energy", "cpu_energy"), "memory" (peak_bytes),
      "device_memory" (device_peak_bytes). The function's own metric is then called seconds where
      it is a time, and metric where it has no name.
    - `define`: further metrics, as expressions of those before them: {"rate": "1 / seconds"}.
    - `minimize`, `maximize`: the expression of metrics that is optimised; `objectives`: several, by
      names, each with its model: {"fast": "seconds", "eco": "minimize joules"}. The first
      is what calls go by, unless `objective`, FETTLE_OBJECTIVE or the program picks another one.
    - `objective`: the one of `objectives` that calls go by, which the policy header states.
    - `subject_to`: a bound, or several, that a variant must keep to be chosen on an input:
      "seconds <= 1.1 * best(seconds)".
    - `strict`: the program gets an exception, not a warning, for a model that cannot be used.
    - `embed_model`: the model is compiled into the program (it is rebuilt after training).
    - `parameter_search`: how the parameters of variants that have any are tuned; ParameterSearch()
      where None.
    - `parameters`: compile-time parameters: macros that the build command gets in place of
      {defines}, and the values to try, the default first. One build is found that is best over all
      inputs. `parameter_constraints`: expressions of their names, as "TILE * UNROLL <= 64".
    - `monitor`: N: the program times one call in N and compares it with what the model expects; a
      significant difference is reported to the context's warning handler. 0: none. `on_unexpected`:
      what runs in place of a variant that costs more than expected: the variant itself ("report"),
      the model's "next_best" one, or the "default".
    - `coverage`, `confidence`: approximate variants are chosen only where held-out inputs
      (`set_test_args`) prove that errors keep within the program's bound on this fraction of
      inputs, with this confidence: 299 inputs without a miss by default.
    - `check_every`: N: the program checks the first and then one in N of the calls that run an
      approximate variant against the exact one. 0: never.
    - `device_id`: the name of this machine in the database; None: the tuner's `machine`.
    - `record`: keep this machine's device features with the measurements, for other machines.
    - `profiling_based_dfs`, `search_based_dfs`: `tune_from_source` selects device features by
      profiles (P-DFS), by cross-validation over the sources (CV-DFS) within `search_limits`, or by
      the second after the first.
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
    metrics: dict[str, str]
    larger_metrics: tuple[str, ...]
    meters: tuple[str, ...]
    define: dict[str, str]
    minimize: str
    maximize: str
    objectives: dict[str, str]
    objective: str
    subject_to: tuple[str, ...]
    aggregation_function: AggregationFunction | None
    frequency: Frequency | None
    strict: bool
    embed_model: bool
    parameter_search: ParameterSearch
    parameters: tuple[Parameter, ...]
    parameter_constraints: tuple[str, ...]
    monitor: int
    on_unexpected: OnUnexpected
    coverage: float
    confidence: float
    check_every: int
    device_id: str | None
    record: bool
    profiling_based_dfs: bool
    search_based_dfs: bool
    search_limits: SearchLimits

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
        metrics: Mapping[str, str] | Iterable[str] = (),
        larger_metrics: Iterable[str] = (),
        meters: str | Iterable[str] = (),
        define: Mapping[str, str] | None = None,
        minimize: str = "",
        maximize: str = "",
        objectives: Mapping[str, str] | None = None,
        objective: str = "",
        subject_to: str | Iterable[str] = (),
        strict: bool = False,
        embed_model: bool = False,
        parameter_search: ParameterSearch | None = None,
        parameters: Iterable[Parameter] = (),
        parameter_constraints: Iterable[str] = (),
        monitor: int = 0,
        on_unexpected: OnUnexpected = "report",
        coverage: float = 0.99,
        confidence: float = 0.95,
        check_every: int = 1000,
        device_id: str | None = None,
        record: bool = False,
        profiling_based_dfs: bool = False,
        search_based_dfs: bool = False,
        search_limits: SearchLimits | None = None,
    ) -> None:
        given = dict(locals())
        del given["self"]
        made = {
            "classifier": AutoClassifier,
            "define": dict,
            "objectives": dict,
            "parameter_search": ParameterSearch,
            "search_limits": SearchLimits,
        }
        for option, value in given.items():  # each is checked, and kept as the check makes it
            setattr(self, option, made[option]() if value is None and option in made else value)
        self.aggregation_function = None
        self.frequency = None

    def __setattr__(self, option: str, value: object) -> None:
        """Sets an option. Raises FettleError for an option or a value that does not exist."""
        if option not in CHECKS:
            has = near_names(option, sorted(CHECKS), "its options")
            raise FettleError(f"a code variant has no option {option!r}; {has}")
        try:
            super().__setattr__(option, CHECKS[option](value))
        except ValueError as error:
            raise FettleError(f"{option} must be {error}, not {value!r}") from None

    def set_aggregation_function(self, function: AggregationFunction | None) -> None:
        """Lets a function pick the best variant by its metrics (dissertation, listing 4.1).

        It is called with a list of tuples (i, x1, x2, ...) of a variant's index and its metrics, in
        the order of `metrics`, and returns the best one. None: an expression is optimised.
        """
        self.aggregation_function = function

    def tune_frequency(
        self,
        clocks: Iterable[int] | Literal["auto"],
        models: FrequencyModels = "joint",
        *,
        deploy: bool = False,
    ) -> None:
        """Tunes the clock of the GPU beside the variant (dissertation 4.1.2); off unless called.

        `clocks` are MHz; "auto": those that the device offers, narrowed by a power curve through
        some of them. `models`: "joint", one model of variant and clock, or "two", one of each as in
        the paper. Calls of the deployed program set the clock where `deploy` is True,
        FETTLE_FREQUENCY=1 is set, or the context allows it. Raises FettleError for clocks that
        are none. Setting clocks takes permission; without it variants alone are chosen.
        """
        self.frequency = frequency_of(clocks, models, deploy=deploy)

    def __repr__(self) -> str:
        return f"CodeVariant({self.name!r}, {self.variants!r})"

    def variant_count(self) -> int | None:
        """The stated number of variants; None where it was not stated."""
        if self.variants is None or isinstance(self.variants, int):
            return self.variants
        return len(self.variants)
