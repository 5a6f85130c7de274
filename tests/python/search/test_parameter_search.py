"""What a script asks of parameters is checked when it asks."""

from __future__ import annotations

from typing import Any

import pytest

from fettle.core.errors import FettleError
from fettle.search.parameter_search import ParameterSearch


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"way": "variant"}, "unknown way 'variant' to tune parameters; the ways are"),
        ({"strategy": "genetics"}, "unknown search strategy 'genetics'; did you mean 'genetic'?"),
        (
            {"strategy": "genetic", "options": {"populaton": 4}},
            "the search strategy 'genetic' has no option 'populaton'; did you mean 'population'",
        ),
        ({"options": {"population": 4}}, "the search strategy 'auto' has no option 'population'"),
        ({"measurements": 0}, "measurements must be a whole number from 1 on, not 0"),
        ({"seconds": 0.0}, "seconds must be a number above 0, not 0.0"),
    ],
)
def test_what_it_refuses(given: dict[str, Any], message: str) -> None:
    with pytest.raises(FettleError, match=message.replace("?", r"\?")):
        ParameterSearch(**given)


def test_options_that_a_strategy_has() -> None:
    assert ParameterSearch(strategy="genetic", options={"population": 4}).options
