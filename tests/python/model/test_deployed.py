"""fettle.load(...).choose(...): the deployed predictor in Python, with its reasons."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import fettle
from fettle.core.errors import FettleError

GOLDEN = Path(__file__).resolve().parents[2] / "model" / "golden" / "refined"
LOW, HIGH = "tiled tile=16 unroll=4", "tiled tile=64 unroll=2"


def test_a_choice_of_the_model() -> None:
    model = fettle.load(GOLDEN / "mm")
    assert (model.function, model.features) == ("mm", ("n", "m"))
    choice = model.choose(n=5, m=10)
    assert choice == model.choose({"n": 5, "m": 10})
    assert (choice.variant, choice.reason, choice.details) == ("plain", "model", ())
    scores = choice.scores
    assert scores.keys() == set(model.variants)
    assert scores["plain"] == max(score for score in scores.values() if score is not None)
    assert str(choice) == "plain"
    assert model.choose(n=50, m=10).variant == LOW, "a point, with its values"


def test_outside_of_the_trained_region_the_reason_names_the_feature() -> None:
    choice = fettle.load(GOLDEN / "mm").choose(n=1e6, m=10)
    assert (choice.variant, choice.reason) == ("plain", "outside the trained region")
    assert len(choice.details) == 1
    assert choice.details[0].startswith("n is 1e+06, trained on ")
    assert str(choice).startswith("plain (outside the trained region: n is 1e+06")


def test_what_a_constraint_excludes_is_not_run() -> None:
    model = fettle.load(GOLDEN / "mm")
    choice = model.choose(n=50, m=10, excluded=["tiled"])
    assert (choice.variant, choice.reason) == ("plain", "excluded by a constraint")
    assert choice.details == ("the model chose tiled",)
    assert model.choose(n=5, m=10, excluded=["tiled"]).reason == "model"
    with pytest.raises(FettleError, match="mm has no variant 'tilde'; it has plain, tiled"):
        model.choose(n=5, m=10, excluded=["tilde"])


def test_many_inputs_at_once() -> None:
    model = fettle.load(GOLDEN / "mm")
    assert model.choose_many([[5, 10], [50, 10], [50, 30]]) == ["plain", LOW, HIGH]
    values = np.array([[50.0, 10.0], [1e6, 10.0]])
    assert model.names_of(values) == ([LOW, "plain"], ["model", "outside the trained region"])
    with pytest.raises(FettleError, match="wants the values of its 2 features"):
        model.choose_many([[1.0]])


def test_features_have_to_be_named_rightly() -> None:
    model = fettle.load(GOLDEN / "mm")
    with pytest.raises(FettleError, match="mm needs a value of m; its features are n, m"):
        model.choose(n=5)
    with pytest.raises(FettleError, match="mm has no feature 'k'; it has n, m"):
        model.choose(n=5, m=3, k=1)


def test_the_folder_of_a_single_model_will_do(tmp_path: Path) -> None:
    assert fettle.load(GOLDEN).function == "mm"
    for name in ("a", "b"):
        shutil.copytree(GOLDEN / "mm", tmp_path / name)
    with pytest.raises(FettleError, match="holds several models: a, b; name one of these"):
        fettle.load(tmp_path)
    with pytest.raises(FettleError, match=r"is not a directory that holds a model\.txt"):
        fettle.load(tmp_path / "c")
