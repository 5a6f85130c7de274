"""Declared and defined metrics."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.objectives.metrics import declare_metrics


def test_definitions_may_use_those_before_them() -> None:
    of = declare_metrics(
        ["seconds", "keys"], {"rate": "keys / seconds", "twice": "2 * rate"}, ["keys"]
    )
    assert of.directions == {
        "seconds": "smaller",
        "keys": "larger",
        "rate": "larger",
        "twice": "larger",
    }
    values = of.values({"seconds": np.array([[2.0]]), "keys": np.array([[10.0]])})
    assert values["twice"] == [[10.0]]


@pytest.mark.parametrize(
    ("measured", "define", "larger", "said"),
    [
        (["a", "a"], {}, [], "named twice"),
        (["a"], {"b": "c + 1", "c": "a"}, [], "names 'c', which is not a metric"),
        (["a"], {"b": "b"}, [], "names 'b'"),
        (["a"], {"a": "1"}, [], "given twice"),
        (["a"], {"2x": "a"}, [], "cannot be the name"),
        (["a"], {"best": "a"}, [], "cannot be the name"),
        (["a"], {}, ["b"], "none of the metrics a"),
    ],
)
def test_what_is_refused(
    measured: list[str], define: dict[str, str], larger: list[str], said: str
) -> None:
    with pytest.raises(FettleError, match=said):
        declare_metrics(measured, define, larger)
