"""Which candidates the tuned benchmarks race on which inputs: tests have no part in it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from stand_in import StandIn

from fettle.core.progress import Silence
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import Subject
from fettle.training.measure import Measurer
from fettle.training.program import Input, Program

BENCHMARK = Path(__file__).resolve().parents[3] / "benchmarks" / "tuned" / "common"
pytestmark = pytest.mark.skipif(not BENCHMARK.is_dir(), reason="needs the source tree")

VARIANTS = ["default", "near", "behind", "hopeless"]
TRAINING = {"default": 1.0e-3, "near": 1.05e-3, "behind": 2e-3, "hopeless": 9e-3}
# On the test inputs it is the other way round.
TEST = {"default": 9e-3, "near": 2e-3, "behind": 1.05e-3, "hopeless": 1e-3}


def say(folder: Path, name: str, size: float, times: dict[str, float]) -> Input:
    """An input on which the variants take these times."""
    call = {"features": {"n": size}, "variants": times}
    (folder / name).write_text(json.dumps({"calls": [call]}))
    return Input(name, (name,))


def test_candidates_are_chosen_by_training_inputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARK))
    monkeypatch.delitem(sys.modules, "narrowing", raising=False)
    import narrowing  # type: ignore[import-not-found]

    monkeypatch.setattr(narrowing, "FIRST", 4)
    app = StandIn(tmp_path, variants=VARIANTS)
    (tmp_path / "logs").mkdir()
    measurer = Measurer(
        program=Program(app.path.name, tmp_path),
        subject=Subject("app", "f", "here", ""),
        store=SqliteStore(tmp_path / "db.sqlite"),
        logs=tmp_path / "logs",
        display=Silence(),
    )
    training = [say(tmp_path, f"training{size}", size, TRAINING) for size in range(8)]
    test = [say(tmp_path, f"test{size}", size, TEST) for size in (100, 200)]
    found = narrowing.race_narrowed(measurer, training, test, None)
    assert found == narrowing.Narrowed(3, ("near",), ("near", "behind"))
    by_input: dict[str, set[str]] = {given.name: set() for given in (*training, *test)}
    for run in app.runs():
        variant, given = run.split()
        by_input[given].add(variant)
    assert by_input["test100"] == by_input["test200"] == {"default", "near", "behind"}
    everything = [name for name, its in by_input.items() if its == set(VARIANTS)]
    assert len(everything) == 4
    assert set(everything) < {f"training{size}" for size in range(6)}, "the small ones"
    others = [
        its for name, its in by_input.items() if "training" in name and name not in everything
    ]
    assert others == [{"default", "near"}] * 4
    assert all(measurer.is_complete(given) for given in (*training, *test))

    folder = tmp_path / "kept"
    folder.mkdir()
    narrowing.write_narrowed(folder, {"f": found})
    narrowing.write_narrowed(folder, {"g": found})
    assert narrowing.narrowed(folder) == {"f": found, "g": found}
