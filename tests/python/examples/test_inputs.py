"""Inputs of the examples: drawn by families, further sets after the first."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples/support"))

from inputs import draw
from measured import selection_seconds

FIRST: dict[str, Any] = {
    "seed": 1,
    "training": 5,
    "test": 4,
    "families": [
        {"text": "even:{size}", "fields": {"size": [10, 20]}},
        {"text": "odd:{size}:double:k={k}", "fields": {"size": [10, 20], "k": ["a", "b"]}},
        {"text": "unseen:{size}", "fields": {"size": [10, 20]}, "only": "test"},
    ],
}
FURTHER = {
    "seed": 2,
    "training": 2,
    "test": 3,
    "families": [{"text": "late:{size}", "fields": {"size": [10, 20]}}],
}


def drawn(folder: Path, known: dict[str, Any], test: bool, count: int | None = None) -> list[str]:
    file = folder / "inputs.json"
    file.write_text(json.dumps(known), encoding="utf-8")
    return draw(file, test, count)


def test_a_further_set_leaves_the_inputs_before_it_as_they_are(tmp_path: Path) -> None:
    for test in (False, True):
        before = drawn(tmp_path, FIRST, test)
        after = drawn(tmp_path, {**FIRST, "further": [FURTHER]}, test)
        assert after[: len(before)] == before
        late = after[len(before) :]
        assert len(late) == (3 if test else 2)
        assert all(text.startswith("late:") for text in late)


def test_a_given_count_takes_from_all_sets_in_turn(tmp_path: Path) -> None:
    taken = drawn(tmp_path, {**FIRST, "further": [FURTHER]}, True, 5)
    assert [text.split(":")[0] for text in taken] == ["even", "late", "odd", "late", "unseen"]
    assert drawn(tmp_path, FIRST, True, 3) == taken[::2]


def test_families_that_are_only_judged_are_not_trained_on(tmp_path: Path) -> None:
    assert not any(text.startswith("unseen") for text in drawn(tmp_path, FIRST, False))
    assert any(text.startswith("unseen") for text in drawn(tmp_path, FIRST, True))


def test_features_that_are_found_together_cost_what_one_does() -> None:
    row = {
        "feature_seconds": {"n": 1.0, "sum": 20.0, "least": 30.0, "slope": 500.0},
        "shared_features": ["sum least", "slope"],
    }
    assert selection_seconds(row, {"n", "sum", "least"}) == 31
    assert selection_seconds(row, {"sum", "slope"}) == 520
    assert selection_seconds(row, set()) == 0
    assert selection_seconds({"feature_seconds": row["feature_seconds"]}, {"sum", "least"}) == 50
