"""fettle.search.minimize: a search as one call, with a callback, and gone on with later."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import fettle
from fettle.core.errors import FettleError
from fettle.search import Constraint, Point, Space, minimize

VALUES = {"block": (1, 2, 4, 8, 16), "grain": range(1, 6), "order": ("rows", "columns")}


def cost(point: Point) -> float:
    block, grain = point["block"], point["grain"]
    assert isinstance(block, int)
    assert isinstance(grain, int)
    return (block - 4) ** 2 + (grain - 3) ** 2 + (point["order"] == "rows")


BEST = {"block": 4, "grain": 3, "order": "columns"}


def test_it_finds_the_best_point() -> None:
    found = fettle.search.minimize(cost, VALUES, budget=50)
    assert found.best_point == BEST
    assert found.best_value == 0
    assert found.measurements == len(found.history) <= 50


def test_constraints_keep_points_out() -> None:
    def seen(*constraints: str | Constraint) -> list[Point]:
        found = minimize(cost, VALUES, strategy="exhaustive", constraints=constraints)
        return [point for point, _ in found.history]

    by_text = seen("block * grain <= 4")
    assert len(by_text) == 2 * (4 + 2 + 1)
    assert by_text == seen(Constraint(("block", "grain"), lambda b, g: b * g <= 4, "small"))
    with pytest.raises(FettleError, match="'order < 2' is of whole numbers, and order may be"):
        seen("order < 2")
    with pytest.raises(FettleError, match=r"leave none of the search space.*block > 99"):
        seen("block > 99")


def test_a_callback_hears_of_each_evaluation_and_ends_the_search() -> None:
    heard: list[tuple[Point, float]] = []

    def callback(point: Point, value: float) -> bool:
        heard.append((point, value))
        return len(heard) == 3

    found = minimize(cost, VALUES, strategy="random", callback=callback)
    assert heard == found.history
    assert found.measurements == 3


def test_a_search_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    file = tmp_path / "search.jsonl"
    whole = minimize(cost, VALUES, strategy="genetic", budget=20)
    runs: list[Point] = []

    def fragile(point: Point) -> float:
        runs.append(point)
        if len(runs) == 8:
            raise KeyboardInterrupt
        return cost(point)

    with pytest.raises(KeyboardInterrupt):
        minimize(fragile, VALUES, strategy="genetic", budget=20, resume=file)
    with file.open("a") as cut:
        cut.write('{"point": [1, 2')
    again = minimize(fragile, VALUES, strategy="genetic", budget=20, resume=file)
    assert runs[:7] + runs[8:] == [point for point, _ in whole.history], "none twice, no other"
    assert again.best_point == whole.best_point
    assert again.measurements == whole.measurements - 7
    spent = minimize(fragile, VALUES, strategy="genetic", budget=20, resume=file)
    assert spent.measurements == 0
    assert spent.best_value == whole.best_value
    assert len(file.read_text().splitlines()) == 1 + whole.measurements


def test_failed_points_are_kept_and_not_evaluated_again(tmp_path: Path) -> None:
    file = tmp_path / "search.jsonl"

    def failing(point: Point) -> float:
        return math.nan if point["a"] != 2 else 5.0

    for _ in range(2):
        found = minimize(failing, {"a": (1, 2, 3)}, resume=file, budget=3, strategy="exhaustive")
        assert (found.best_point, found.best_value) == ({"a": 2}, 5.0)
    assert json.loads(file.read_text().splitlines()[1]) == {"point": [1], "value": None}


def test_misuse_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "search.jsonl"
    minimize(cost, VALUES, strategy="random", budget=1, resume=file)
    with pytest.raises(FettleError, match="holds a search in another space"):
        minimize(cost, {"block": (1, 2)}, resume=file)
    file.write_text("hello\n")
    with pytest.raises(FettleError, match="is not a file of a search"):
        minimize(cost, VALUES, resume=file)
    with pytest.raises(FettleError, match=r"texts, numbers, booleans or None as values; 'a' has"):
        minimize(cost, {"a": ((1, 2),)}, resume=file)
    with pytest.raises(FettleError, match="'a' needs a list of values to try, not 3"):
        minimize(cost, {"a": 3})  # type: ignore[dict-item]
    with pytest.raises(FettleError, match="has no parameters"):
        minimize(cost, {})
    with pytest.raises(FettleError, match="did you mean 'genetic'"):
        minimize(cost, VALUES, strategy="genetics")
    with pytest.raises(FettleError, match="give the constraints to the Space"):
        minimize(cost, Space([]), constraints=["1 < 2"])
