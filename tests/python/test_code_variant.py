"""The options of a code variant: each can be set, each refuses what it cannot be."""

from __future__ import annotations

import pytest

from fettle.classifiers import AutoClassifier, SvmClassifier
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError


def test_the_defaults_are_the_papers_but_for_the_classifier() -> None:
    spmv = CodeVariant("spmv", 6)
    assert spmv.variant_count() == 6
    assert isinstance(spmv.classifier, AutoClassifier)
    assert spmv.constraints
    assert not spmv.feature_selection


def test_figure_2_3_sets_options_one_by_one() -> None:
    names: dict[str, object] = {}
    exec(
        "from fettle.autotuner import *\n"
        "from fettle.code_variant import *\n"
        "import glob\n"
        'spmv = code_variant("spmv", 6)\n'
        "spmv.classifier = svm_classifier()\n"
        "spmv.constraints = False\n"
        "spmv.parallel_feature_evaluation = False\n"
        "spmv.constraints = True\n"
        "spmv.async_feature_eval = False\n"
        'tuner = autotuner("spmv")\n'
        'matrices = glob.glob("inputs/training/*.mtx") or ["a.mtx"]\n'
        "tuner.set_training_args(matrices)\n"
        'tuner.set_build_command("make")\n'
        'tuner.set_clean_command("make clean")\n',
        names,
    )
    spmv, tuner = names["spmv"], names["tuner"]
    assert isinstance(spmv, CodeVariant)
    assert spmv.constraints
    assert tuner.settings.build_command == "make"  # type: ignore[attr-defined]
    assert tuner.settings.training_inputs[0].arguments == ("a.mtx",)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("constraints", "yes", "constraints must be True or False, not 'yes'"),
        ("parallel_feature_evaluation", 1, "must be True or False"),
        ("parallel_constraint_evaluation", None, "must be True or False"),
        ("async_feature_eval", "no", "must be True or False"),
        ("feature_selection", 0, "must be True or False"),
        ("larger_is_better", "yes", "must be True or False"),
        ("strict", "yes", "must be True or False"),
        ("embed_model", "yes", "must be True or False"),
        ("on_constraint_failure", "best", "must be 'default' or 'next_best', not 'best'"),
        ("on_infinite_metric", "default", "must be 'return' or 'next_best', not 'default'"),
        ("outside_region", "guess", "must be 'default' or 'predict'"),
        ("metric", "joules", "must be 'returned' or 'elapsed' or 'seconds'"),
        ("classifier", SvmClassifier, r"an object: write SvmClassifier\(\)"),
        ("classifier", "svm", "must be a classifier, such as SvmClassifier"),
        ("variants", 0, "the number of variants"),
        ("variants", "csr", "the number of variants"),
        ("name", "", "the function's name"),
        ("asynchronous", True, "has no option 'asynchronous'; "),
        ("constraint", True, "did you mean 'constraints'?"),
    ],
)
def test_a_wrong_option_or_value_is_refused(option: str, value: object, message: str) -> None:
    spmv = CodeVariant("spmv")
    with pytest.raises(FettleError, match=message):
        setattr(spmv, option, value)


def test_an_unknown_option_lists_the_known_ones() -> None:
    with pytest.raises(
        FettleError,
        match="its options are aggregation_function, allow_failures, async_feature_eval, check",
    ):
        CodeVariant("f").colour = "red"


def test_variants_can_be_named() -> None:
    assert CodeVariant("f", ["a", "b"]).variant_count() == 2


def test_any_classifier_can_be_given() -> None:
    chosen = AutoClassifier()
    assert CodeVariant("f", classifier=chosen).classifier is chosen
