"""benchmarks/suite/halves.json is what the lot gives, and every computation is in a list."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

SUITE = Path(__file__).resolve().parents[3] / "benchmarks" / "suite"
DRAW = runpy.run_path(str(SUITE / "draw_halves.py"))


def test_the_halves_are_those_of_the_lot() -> None:
    """A computation that is added has to be drawn."""
    assert (SUITE / "halves.json").read_text(encoding="utf-8") == DRAW["text"]()


def test_the_halves_hold_each_computation_once() -> None:
    """Without what was added, the halves differ by one computation at most."""
    halves = json.loads((SUITE / "halves.json").read_text(encoding="utf-8"))
    fit, never = halves["free_to_fit"], halves["never_used_to_fit"]
    names = [name for group in DRAW["computations"]().values() for name in group]
    assert sorted(fit + never) == sorted(names)
    assert set(halves["added"]) <= set(never)
    assert 0 <= len(never) - len(halves["added"]) - len(fit) <= 1


def test_each_list_has_the_computations_of_its_folder() -> None:
    """A file that its list forgets would never be measured."""
    for group, names in DRAW["computations"]().items():
        text = (SUITE / group / "list.hpp").read_text(encoding="utf-8")
        listed = re.search(r"computations<(.*?)>;", text, re.DOTALL)
        assert listed is not None
        assert sorted(re.findall(r"\w+", listed.group(1))) == names, group
