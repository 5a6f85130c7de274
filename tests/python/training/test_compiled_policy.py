"""The options that a program was compiled with, against those of the script."""

from __future__ import annotations

import pytest

from fettle import CodeVariant
from fettle.training.compiled_policy import check_policy, options_of
from fettle.training.program import ProgramError


def test_a_program_compiled_with_the_script_s_options_passes() -> None:
    wanted = options_of(CodeVariant("f", constraints=False, outside_region="predict"))
    check_policy("f", wanted, dict(wanted))
    check_policy("f", wanted, {})  # of an earlier release, which does not tell


@pytest.mark.parametrize(
    ("metric", "compiled"),
    [
        ("elapsed", "elapsed"),
        ("returned", "returned"),
        ("seconds", "returned"),
        ("events", "elapsed"),
    ],
)
def test_a_variant_that_returns_seconds_is_compiled_as_one_that_returns_a_metric(
    metric: str, compiled: str
) -> None:
    assert options_of(CodeVariant("f", metric=metric))["metric"] == compiled  # type: ignore[arg-type]


def test_all_options_that_differ_are_named_with_both_values() -> None:
    wanted = options_of(CodeVariant("f", strict=True, on_constraint_failure="next_best"))
    compiled = options_of(CodeVariant("f"))
    with pytest.raises(ProgramError) as raised:
        check_policy("f", wanted, compiled)
    assert str(raised.value).startswith(
        "'f': the script says on_constraint_failure='next_best', strict=True, the program was "
        "compiled with on_constraint_failure='default', strict=False, so that"
    )


def test_an_option_that_the_program_does_not_tell_has_no_difference() -> None:
    wanted = options_of(CodeVariant("f", strict=True))
    check_policy("f", wanted, {"metric": "returned"})


def test_a_program_without_a_monitor_is_told_from_one_with() -> None:
    plain = options_of(CodeVariant("f"))
    assert "monitor" not in plain
    watched = options_of(CodeVariant("f", monitor=10, on_unexpected="default"))
    check_policy("f", watched, dict(watched))
    with pytest.raises(ProgramError, match=r"compiled with monitor=0, on_unexpected='report'"):
        check_policy("f", watched, plain)


def test_the_header_of_an_embedded_model_is_not_shown_as_an_option() -> None:
    wanted = options_of(CodeVariant("f", embed_model=True))
    without = options_of(CodeVariant("f")) | {"header": False}
    with pytest.raises(ProgramError, match=r"embed_model=True, the program was compiled without"):
        check_policy("f", wanted, without)
    with pytest.raises(ProgramError) as raised:
        check_policy("f", wanted, without | {"strict": True})
    assert "the script says strict=False, the program" in str(raised.value)
    assert "header=" not in str(raised.value)
