"""fettle.search.minimize: a search as one call, with a callback, and gone on with later."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
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


def test_a_file_of_another_kind_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    for text in ("notes without an end of line", "{", '{"fettle_search": 1, "parameters": {"b"'):
        file.write_text(text)
        if text == "{":  # a first line that was cut off
            assert minimize(cost, VALUES, budget=2, resume=file).measurements == 2
            continue
        with pytest.raises(FettleError, match="is not a file of a search"):
            minimize(cost, VALUES, budget=1, resume=file)
        assert file.read_text() == text


def test_a_point_of_the_file_that_the_space_lacks_is_named(tmp_path: Path) -> None:
    file = tmp_path / "search.jsonl"
    minimize(cost, VALUES, strategy="random", budget=1, resume=file)
    with file.open("a") as lines:
        lines.write('{"point": [4, 9, "rows"], "value": 1.0}\n')
    with pytest.raises(FettleError, match="grain = 9 is none of its values"):
        minimize(cost, VALUES, resume=file)


def test_parameters_of_many_values_take_little_memory() -> None:
    values = {"a": range(100_000), "b": (1, 2, 3)}
    found = minimize(lambda p: abs(int(str(p["a"])) - 70_000) + int(str(p["b"])), values, budget=30)
    assert found.best_value < 5_000
    with pytest.raises(FettleError, match="'a' has more than 1000000 values; give fewer"):
        minimize(cost, {"a": range(10**12)})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"f": 3}, "f must be a function of a point, not 3"),
        ({"strategy": None}, 'strategy must be a name, such as "auto", not None'),
        ({"budget": "5"}, "budget must be a whole number of evaluations, or None, not '5'"),
        ({"budget": 1.5}, r"budget must be .* not 1\.5"),
        ({"seconds": "5"}, "seconds must be a number, or None, not '5'"),
        ({"seed": -1}, "seed must be a whole number from 0 on, not -1"),
        ({"options": 5}, "options must be names and values"),
        ({"options": {"budget": 5}}, "'auto' has no option 'budget'; .*its options are design"),
        ({"options": {"population": "x"}, "strategy": "genetic"}, "cannot take the options popul"),
        ({"callback": 5}, "callback must be a function, or None, not 5"),
        ({"resume": 5}, "resume must be the name of a file, or None, not 5"),
        ({"constraints": "a < 3"}, r"constraints must be a list, such as \[\"a < 3\"\]"),
        ({"constraints": [3]}, "a constraint is a text"),
        ({"space": [("a", (1, 2))]}, "space must give the values of each parameter"),
        ({"space": {1: (1, 2)}}, "the parameter 1 needs a text as its name"),
        ({"space": {"a": ([1], [2])}}, r"'a' has the value \[1\], which cannot be told from"),
        ({"space": {"a": (1, 2**70)}}, "has more than 64 bits; give its logarithm"),
        ({"space": {"a": (1.0, math.inf)}}, "has no distance from others; give a text"),
    ],
)
def test_arguments_of_another_kind_are_named(wrong: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"f": cost, "space": VALUES, "budget": 3} | wrong
    with pytest.raises(FettleError, match=message):
        minimize(given.pop("f"), given.pop("space"), **given)


def test_a_constraint_that_fails_is_named_with_its_point() -> None:
    bad = Constraint(("grain", "block"), lambda grain, block: block / (grain - 1) > 1, "enough")
    with pytest.raises(FettleError, match="'enough' fails for grain=1, block=1: ZeroDivisionError"):
        minimize(cost, VALUES, constraints=[bad])


def test_numpys_true_ends_a_search_and_huge_integers_are_failures() -> None:
    assert (
        minimize(cost, VALUES, callback=lambda _, value: np.float64(value) >= 0).measurements == 1
    )
    found = minimize(lambda p: 10**400 if p["a"] == 1 else 2, {"a": (1, 2)}, strategy="exhaustive")
    assert (found.best_point, found.history[0][1]) == ({"a": 2}, math.inf)
    huge = {"population": 10**9}
    assert minimize(cost, VALUES, strategy="genetic", options=huge, budget=9).measurements == 9


def test_a_spent_budget_without_a_point_that_worked_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "search.jsonl"
    with pytest.raises(FettleError, match="all 2 measured points failed"):
        minimize(lambda point: math.inf, {"a": (1, 2)}, resume=file, budget=2)
    with pytest.raises(
        FettleError, match=r"all 2 points in .*search\.jsonl failed, and the budget"
    ):
        minimize(lambda point: math.inf, {"a": (1, 2)}, resume=file, budget=2)
