"""Options that the program was not compiled with are refused by name; the header brings them."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs_build import build_command, has_header
from quick_classifier import QuickClassifier

from fettle.autotuner import Autotuner, Measuring
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.data.tuning_result import TuningResult
from fettle.training.compiled_policy import check_policy, options_of

needs_a_compiler = pytest.mark.skipif(not has_header("vector"), reason="needs a C++ compiler")


def compiled(**changed: object) -> dict[str, object]:
    return {**options_of(CodeVariant("f")), "header": False, **changed}


def test_the_same_options_pass() -> None:
    check_policy("f", options_of(CodeVariant("f")), compiled())
    check_policy("f", options_of(CodeVariant("f", strict=True)), compiled(strict=True))


def test_a_program_that_tells_nothing_passes() -> None:
    check_policy("f", options_of(CodeVariant("f", strict=True)), {})


@pytest.mark.parametrize(
    ("option", "value", "without"),
    [
        ("constraints", False, True),
        ("parallel_feature_evaluation", True, False),
        ("parallel_constraint_evaluation", True, False),
        ("async_feature_eval", True, False),
        ("on_constraint_failure", "next_best", "default"),
        ("on_infinite_metric", "next_best", "return"),
        ("outside_region", "predict", "default"),
        ("metric", "elapsed", "returned"),
        ("larger_is_better", True, False),
        ("strict", True, False),
    ],
)
def test_a_difference_is_named(option: str, value: object, without: object) -> None:
    function = CodeVariant("f")
    setattr(function, option, value)
    with pytest.raises(FettleError) as caught:
        check_policy("f", options_of(function), compiled())
    message = str(caught.value)
    assert f"'f': the script says {option}={value!r}, the program was compiled with " in message
    assert f"{option}={without!r}" in message
    assert '#include "fettle_config.hpp"' in message


def test_an_embedded_model_needs_the_header() -> None:
    wanted = options_of(CodeVariant("f", embed_model=True))
    check_policy("f", wanted, compiled(header=True))
    with pytest.raises(FettleError, match=r"embed_model=True.*without the header"):
        check_policy("f", wanted, compiled())


def tune(folder: Path, *defines: str) -> TuningResult:
    tuner = Autotuner(
        "named_policy",
        working_directory=folder,
        measuring=Measuring(maximum_samples=1, minimum_samples=1, warm_up=0),
        display=Silence(),
        report_directory=None,
    )
    tuner.set_training_args([str(n) for n in range(1, 20)])
    tuner.set_build_command(build_command("named_policy", *defines))
    function = CodeVariant("scored", larger_is_better=True, classifier=QuickClassifier())
    [result] = tuner.tune([function])
    return result


@needs_a_compiler
def test_a_program_without_the_header_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match="'scored': the script says larger_is_better=True"):
        tune(tmp_path)


@needs_a_compiler
def test_the_header_gives_a_named_policy_its_options(tmp_path: Path) -> None:
    result = tune(tmp_path, "-DWITH_HEADER")
    assert result.training.costs[-1].argmin() == 0  # rising, whose 20 is the larger one for 19
