"""The C++ struct of a function's options: a constant for each option that is set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fettle.training.code_variant import CodeVariant
from fettle.training.function_policy import declared_metrics, function_policy


def lines_of(name: str = "f", *, embed: bool = False, **options: Any) -> list[str]:
    """The lines of the struct of a function with these options."""
    text = function_policy(CodeVariant(name, **options), Path("models/f"), embed)
    return [line.strip() for line in text.splitlines()]


def test_without_options_only_what_every_policy_has() -> None:
    lines = lines_of()
    assert lines[0] == "struct f {"
    assert lines[-1] == "};"
    assert 'static constexpr std::string_view name = "f";' in lines
    assert "static constexpr std::size_t variant_count = 0;" in lines
    assert 'static constexpr std::string_view model_directory = "models/f";' in lines
    assert "using evaluation = fettle::serial_evaluation;" in lines
    assert len(lines) == 16
    words = ("monitor", "check_every", "metrics", "meters", "clock", "objective", "embedded")
    assert not [line for line in lines if any(word in line for word in words)]


def test_a_name_that_is_not_an_identifier_is_kept_in_the_text() -> None:
    lines = lines_of('solve "A"')
    assert 'static constexpr std::string_view name = "solve \\"A\\"";' in lines
    assert lines[0].removeprefix("struct ").removesuffix(" {").isidentifier()


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"variants": ("a", "b", "c")}, "std::size_t variant_count = 3"),
        ({"constraints": False}, "bool constraints = false"),
        (
            {"on_constraint_failure": "next_best"},
            "fettle::constraint_failure on_constraint_failure = "
            "fettle::constraint_failure::next_best",
        ),
        (
            {"on_infinite_metric": "return"},
            "fettle::infinite_metric on_infinite_metric = fettle::infinite_metric::returned",
        ),
        (
            {"outside_region": "default"},
            "fettle::outside_region outside_region = fettle::outside_region::use_default",
        ),
        ({"metric": "seconds"}, "fettle::metric_source metric = fettle::metric_source::returned"),
        ({"larger_is_better": True}, "bool larger_is_better = true"),
        ({"strict": True}, "bool strict = true"),
        ({"monitor": 100}, "unsigned monitor = 100"),
        (
            {"monitor": 100, "on_unexpected": "next_best"},
            "fettle::unexpected_cost on_unexpected = fettle::unexpected_cost::next_best",
        ),
        ({"check_every": 0}, "unsigned check_every = 0"),
        (
            {"metrics": {"seconds": "s", "joules": "J"}},
            'std::string_view metrics = "seconds=s joules=J"',
        ),
        ({"meters": ("energy", "memory")}, 'std::string_view meters = "energy memory"'),
    ],
)
def test_an_option_is_a_constant(options: dict[str, Any], line: str) -> None:
    assert f"static constexpr {line};" in lines_of(**options)


@pytest.mark.parametrize(
    "option",
    ["parallel_feature_evaluation", "parallel_constraint_evaluation", "async_feature_eval"],
)
def test_each_kind_of_parallel_evaluation_needs_onetbb(option: str) -> None:
    lines = lines_of(**{option: True})
    assert f"static constexpr bool {option} = true;" in lines
    assert "using evaluation = fettle::tbb_evaluation;" in lines


def test_events_and_meters_have_their_types() -> None:
    events = lines_of(metric="events")
    assert "using clock = fettle::event_clock;" in events
    assert (
        "static constexpr fettle::metric_source metric = fettle::metric_source::elapsed;" in events
    )
    assert "using metering = fettle::standard_meters;" in lines_of(meters="energy")


@pytest.mark.parametrize("deploy", [False, True])
def test_clocks_are_set_in_deployment_only_if_the_script_says_so(deploy: bool) -> None:
    function = CodeVariant("f")
    function.tune_frequency([562, 875], deploy=deploy)
    text = function_policy(function, Path("m"), False)
    assert f"bool sets_clocks = {str(deploy).lower()};" in text
    assert "using clock_control = fettle::gpu_clocks;" in text


def test_a_model_is_embedded_on_request() -> None:
    assert "using embedded_model = fettle::tuned_models::f;" in lines_of(embed=True)


def test_metrics_are_declared_in_their_order() -> None:
    assert declared_metrics(CodeVariant("f", metrics={"b": "J", "a": "s"})) == "b=J a=s"
    assert declared_metrics(CodeVariant("f")) == ""
