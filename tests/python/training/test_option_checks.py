"""Each option of a CodeVariant takes what it is for, in one form, and nothing else."""

from __future__ import annotations

import inspect

import pytest

from fettle.classifiers import SvmClassifier, TreeClassifier
from fettle.search.parameter import Parameter
from fettle.search.parameter_search import ParameterSearch
from fettle.training.code_variant import CodeVariant
from fettle.training.option_checks import CHECKS
from fettle.training.search_limits import SearchLimits

TILE = Parameter("TILE", (8, 16))


def test_every_option_of_a_code_variant_has_a_check() -> None:
    options = inspect.signature(CodeVariant.__init__).parameters
    assert set(options) - {"self"} <= set(CHECKS)


@pytest.mark.parametrize(
    ("option", "given", "kept"),
    [
        ("name", "spmv", "spmv"),
        ("variants", None, None),
        ("variants", 3, 3),
        ("variants", ["a", "b"], ("a", "b")),
        ("allow_failures", ["a", "a"], frozenset({"a"})),
        ("shared_features", [["nnz", "rows"]], (frozenset({"nnz", "rows"}),)),
        ("parameters", [TILE], (TILE,)),
        ("parameter_constraints", ["TILE <= 8"], ("TILE <= 8",)),
        ("metric", "seconds", "seconds"),
        ("device_id", "gtx_480", "gtx_480"),
        ("strict", True, True),
    ],
)
def test_a_value_is_kept_in_one_form(option: str, given: object, kept: object) -> None:
    assert CHECKS[option](given) == kept


@pytest.mark.parametrize(
    ("option", "given", "must_be"),
    [
        ("name", "", "the function's name"),
        ("check_every", -1, "how many calls share one that is checked"),
        ("monitor", -1, "how many calls share one that is timed"),
        ("variants", 0, "at least 1"),
        ("variants", True, "at least 1"),
        ("variants", "csr", "their names"),
        ("variants", [], "their names"),
        ("classifier", SvmClassifier, r"an object: write SvmClassifier\(\)"),
        ("classifier", "svm", "a classifier, such as"),
        ("allow_failures", "csr", "a list of variants' names"),
        ("shared_features", ["nnz"], "a list of lists"),
        ("shared_features", [[1]], "a list of lists"),
        ("strict", 1, "True or False"),
        ("metric", "watts", "'returned' or 'elapsed' or 'seconds'"),
        ("parameters", [Parameter("TILE", ("small", "large"))], "has the value 'small', which is"),
        ("parameters", [TILE, Parameter("A", (1, 2, 1))], "A has the value 1 twice"),
        ("parameters", [Parameter("A", ())], "A has no values"),
        ("parameters", [Parameter("1 A", (1,))], "'1 A' cannot be a name"),
        ("parameters", [Parameter("A", (True, False))], "has the value True, which is no whole"),
        ("parameters", TILE, "whole numbers"),
        ("parameter_constraints", "TILE <= 8", "a list of expressions"),
        ("parameter_search", "multilevel", "a ParameterSearch"),
        ("device_id", " ", "a name for this machine"),
        ("search_limits", 3, "a SearchLimits"),
    ],
)
def test_anything_else_is_refused_with_what_it_must_be(
    option: str, given: object, must_be: str
) -> None:
    with pytest.raises(ValueError, match=must_be):
        CHECKS[option](given)


def test_objects_are_kept_as_they_are() -> None:
    for option, one in (
        ("classifier", TreeClassifier()),
        ("parameter_search", ParameterSearch()),
        ("search_limits", SearchLimits(kept=2)),
    ):
        assert CHECKS[option](one) is one
