"""Numbers with their nouns, as messages show them."""

from __future__ import annotations

from fettle.core.wording import any_of, counted, counted_are


def test_a_noun_agrees_with_its_number() -> None:
    assert counted(1, "feature") == "1 feature"
    assert counted(0, "program start") == "0 program starts"
    assert counted(2, "index", "indices") == "2 indices"
    assert counted_are(1, "input") == "1 input is"
    assert counted_are(3, "input") == "3 inputs are"
    assert any_of(1, "input") == "the only input"
    assert any_of(3, "input") == "any of the 3 inputs"
