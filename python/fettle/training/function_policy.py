"""The policy of one tuned function: its options as the constants of a C++ struct."""

from __future__ import annotations

from pathlib import Path

from fettle.core.cpp_names import cpp_text, identifier_of
from fettle.training.code_variant import CodeVariant

CHECK_EVERY = 1000  # what a policy that says nothing of it has


def function_policy(function: CodeVariant, model_directory: Path, embed: bool) -> str:
    """The struct; with `embed` it names the model that is compiled in."""
    parallel = (
        function.parallel_feature_evaluation
        or function.parallel_constraint_evaluation
        or function.async_feature_eval
    )
    identifier = identifier_of(function.name)
    constants = [
        ("std::string_view name", cpp_text(function.name)),
        ("std::size_t variant_count", str(function.variant_count() or 0)),
        ("bool constraints", _bool(function.constraints)),
        ("bool parallel_feature_evaluation", _bool(function.parallel_feature_evaluation)),
        ("bool parallel_constraint_evaluation", _bool(function.parallel_constraint_evaluation)),
        ("bool async_feature_eval", _bool(function.async_feature_eval)),
        (
            "fettle::constraint_failure on_constraint_failure",
            f"fettle::constraint_failure::{_use(function.on_constraint_failure)}",
        ),
        (
            "fettle::infinite_metric on_infinite_metric",
            f"fettle::infinite_metric::{_use(function.on_infinite_metric)}",
        ),
        (
            "fettle::outside_region outside_region",
            f"fettle::outside_region::{_use(function.outside_region)}",
        ),
        ("fettle::metric_source metric", f"fettle::metric_source::{_source(function.metric)}"),
        ("bool larger_is_better", _bool(function.larger_is_better)),
        ("bool strict", _bool(function.strict)),
        ("std::string_view model_directory", cpp_text(str(model_directory))),
    ]
    if function.monitor:
        unexpected = _use(function.on_unexpected)
        constants += [
            ("unsigned monitor", str(function.monitor)),
            (
                "fettle::unexpected_cost on_unexpected",
                f"fettle::unexpected_cost::{unexpected}",
            ),
        ]
    if function.check_every != CHECK_EVERY:
        constants.append(("unsigned check_every", str(function.check_every)))
    lines = [f"struct {identifier} {{"]
    if function.metrics:
        constants.append(("std::string_view metrics", cpp_text(declared_metrics(function))))
    if function.meters:
        constants.append(("std::string_view meters", cpp_text(" ".join(function.meters))))
    if function.frequency is not None:
        constants.append(("bool sets_clocks", _bool(function.frequency.deploy)))
    if function.objective:
        constants.append(("std::string_view objective", cpp_text(function.objective)))
    lines += [f"  static constexpr {what} = {value};" for what, value in constants]
    lines.append(f"  using evaluation = fettle::{'tbb' if parallel else 'serial'}_evaluation;")
    if function.meters:
        lines.append("  using metering = fettle::standard_meters;")
    if function.frequency is not None:
        lines.append("  using clock_control = fettle::gpu_clocks;")
    if function.metric == "events":
        lines.append("  using clock = fettle::event_clock;")
    if embed:
        lines.append(f"  using embedded_model = fettle::tuned_models::{identifier};")
    return "\n".join([*lines, "};", ""])


def declared_metrics(function: CodeVariant) -> str:
    """Names and units of metrics as the policy declares them: "seconds=s joules=J"."""
    return " ".join(f"{name}={unit}" for name, unit in function.metrics.items())


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _source(metric: str) -> str:
    """What the numbers mean that variants return is for the tuner alone."""
    return {"seconds": "returned", "events": "elapsed"}.get(metric, metric)


def _use(value: str) -> str:
    return {"default": "use_default", "return": "returned"}.get(value, value)
