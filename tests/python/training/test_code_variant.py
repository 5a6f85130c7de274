"""A CodeVariant refuses options and values that do not exist, when they are set."""

from __future__ import annotations

import pytest

from fettle.core.errors import FettleError
from fettle.training.code_variant import CodeVariant


def test_options_are_those_of_the_constructor_or_set_afterwards() -> None:
    given = CodeVariant("spmv", ["csr", "dia"], constraints=False)
    later = CodeVariant("spmv")
    later.variants = ["csr", "dia"]  # type: ignore[assignment]
    later.constraints = False
    assert given.variants == later.variants == ("csr", "dia")
    assert given.constraints is later.constraints is False
    assert repr(given) == "CodeVariant('spmv', ('csr', 'dia'))"


def test_an_option_that_does_not_exist_is_refused_with_its_neighbour() -> None:
    function = CodeVariant("spmv")
    with pytest.raises(FettleError, match="no option 'constraint'; did you mean 'constraints'"):
        function.constraint = True  # type: ignore[attr-defined]
    with pytest.raises(FettleError, match="no option 'xyzzy'; its options are a"):
        function.xyzzy = True  # type: ignore[attr-defined]


def test_a_wrong_value_is_refused_and_the_old_one_stays() -> None:
    function = CodeVariant("spmv", 2)
    with pytest.raises(FettleError, match=r"metric must be 'returned' or .*, not 'watts'"):
        function.metric = "watts"  # type: ignore[assignment]
    assert function.metric == "returned"


@pytest.mark.parametrize(("variants", "count"), [(None, None), (6, 6), (("csr", "dia", "ell"), 3)])
def test_the_number_of_variants_is_known_where_it_is_stated(
    variants: int | tuple[str, ...] | None, count: int | None
) -> None:
    assert CodeVariant("spmv", variants).variant_count() == count


def test_frequencies_are_clocks_or_auto() -> None:
    function = CodeVariant("f")
    assert function.frequency is None
    function.tune_frequency([562, 745])
    assert function.frequency is not None
    assert (function.frequency.clocks, function.frequency.models) == ((562, 745), "joint")
    function.tune_frequency("auto", models="two", deploy=True)
    assert (function.frequency.clocks, function.frequency.deploy) == ("auto", True)
    for clocks in ([], [562, 562], [-5], ["a"], [True], "all"):
        with pytest.raises(FettleError, match="tune_frequency takes"):
            function.tune_frequency(clocks)  # type: ignore[arg-type]
    with pytest.raises(FettleError, match="models is 'joint' or 'two'"):
        function.tune_frequency([5], models="three")  # type: ignore[arg-type]
    with pytest.raises(FettleError, match="frequency must be what tune_frequency"):
        function.frequency = 562  # type: ignore[assignment]
