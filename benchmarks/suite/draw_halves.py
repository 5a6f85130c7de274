"""Draws by lot which half of the computations is never used to fit the default rule: halves.json.

A hash of their names orders the computations of each group, and they go to the halves in turn, so
that both hold all groups. What halves.json has already stays where it is.

A computation that is written after figures of both halves were seen is no part of the lot: its name
is put by hand into the list "added" of halves.json, and this script puts it into the half that is
never used to fit.
"""

import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SEED = "fettle suite 22"
HALVES = ("never_used_to_fit", "free_to_fit")


def computations() -> dict[str, list[str]]:
    """The names of the computations of each group: the headers beside its list."""
    return {
        group.parent.name: sorted(
            path.stem
            for path in group.parent.glob("*.hpp")
            if path.name != "list.hpp" and not path.stem.endswith("_in_fettle")
        )
        for group in sorted(FOLDER.glob("*/list.hpp"))
    }


def lot(name: str) -> str:
    """What the lot gives a computation: smaller comes first."""
    return hashlib.sha256(f"{SEED} {name}".encode()).hexdigest()


def halves() -> dict[str, list[str]]:
    """The computations of both halves, and which of the first were added without a lot."""
    file = FOLDER / "halves.json"
    drawn = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    every = [name for group in computations().values() for name in sorted(group, key=lot)]
    added = [name for name in every if name in drawn.get("added", ())]
    names = [name for name in every if name not in added]
    never, fit = ([n for n in names if n in drawn.get(half, ())] for half in HALVES)
    for name in names:
        if name not in never and name not in fit:
            (never if len(never) <= len(fit) else fit).append(name)
    lists = {HALVES[0]: never + added, HALVES[1]: fit, "added": added}
    return {name: sorted(all_of) for name, all_of in lists.items()}


def text() -> str:
    """The content of halves.json."""
    return json.dumps({"seed": SEED, **halves()}, indent=1) + "\n"


if __name__ == "__main__":
    (FOLDER / "halves.json").write_text(text(), encoding="utf-8")
