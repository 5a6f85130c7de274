"""The suite tuned with small sets: benchmarks/suite/tuned.py."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

SUITE = Path(__file__).resolve().parents[3] / "benchmarks" / "suite"


@pytest.fixture
def tuned(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, with what it imports from its folder."""
    monkeypatch.syspath_prepend(str(SUITE))
    for name in ("run", "tuned"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("tuned")


@pytest.mark.parametrize(
    ("name", "shapes"), [("row_moments", 6), ("leapfrog_steps", 3), ("terrain_slopes", 3)]
)
def test_each_computation_has_twelve_inputs_and_none_of_the_suite(
    tuned: ModuleType, name: str, shapes: int, tmp_path: Path
) -> None:
    """Of all its shapes, and smaller than those that it is judged by."""
    found = list(SUITE.glob(f"*/{name}.hpp"))
    assert len(found) == 1
    inputs = tuned.Computation(name, found[0], tmp_path).inputs
    assert len(inputs) == len(set(inputs)) == tuned.INPUTS
    assert len({shape for shape, _ in map(str.split, inputs)}) == shapes
    assert all(float(megabytes) < 64 for _, megabytes in map(str.split, inputs))


def test_a_list_has_the_computation_alone_and_is_written_once(
    tuned: ModuleType, tmp_path: Path
) -> None:
    """What is up to date is not compiled again."""
    one = tuned.Computation("row_moments", SUITE / "statistics" / "row_moments.hpp", tmp_path / "x")
    file = one.write_list()
    text = file.read_text(encoding="utf-8")
    assert "using all = computations<row_moments>;" in text
    assert 'row_moments_in_fettle.hpp"\n' in text
    before = file.stat().st_mtime_ns
    assert one.write_list().stat().st_mtime_ns == before


def test_a_name_that_the_suite_does_not_have_is_refused(
    tuned: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is built."""
    with pytest.raises(SystemExit):
        tuned.main(["openmp", "row_moment"])
    said = capsys.readouterr().err
    assert "the suite has no computation row_moment; halves.json names all" in said
