"""Digests of what a model depends on: equal for equal values, in every process."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from quick_classifier import QuickClassifier

from fettle import AutoClassifier, CodeVariant
from fettle.training.comparing import Comparing
from fettle.training.current import digest_of, model_options

SAME = """
from fettle.training.current import digest_of
print(digest_of({"b": frozenset(["x", "y", "z"]), "a": (1, 2.5)}, None))
"""


def test_a_digest_is_the_same_in_every_process() -> None:
    found = set()
    for seed in ("1", "2"):  # sets are in another order
        done = subprocess.run(
            [sys.executable, "-c", SAME],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout.strip())
    assert found == {digest_of({"a": (1, 2.5), "b": frozenset("zyx")}, None)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, "1"),
        ((1, 2), [1, 2]),
        ((1, (2, 3)), ((1, 2), 3)),
        (None, "None"),
        (0.0, math.nan),
        (np.zeros(2), np.zeros((1, 2))),
        (np.zeros(2), np.zeros(2, dtype=np.float32)),
        (Comparing(), Comparing(inputs=99)),
        ({"a": 1}, {"b": 1}),
    ],
)
def test_different_values_have_different_digests(one: object, other: object) -> None:
    assert digest_of(one) == digest_of(one)
    assert digest_of(one) != digest_of(other)


def test_the_options_of_a_model() -> None:
    function = CodeVariant("f", classifier=AutoClassifier(calls=7))
    options = model_options(function)
    assert options is not None
    values = {"guard": 0.25, "calls": 7, "failure_regret": 1.0, "seed": 0}
    assert options["classifier"] == ["AutoClassifier", values]
    assert options["outside_region"] == "default"
    assert model_options(CodeVariant("f", classifier=QuickClassifier())) is None
