"""fettle machine: features that are measured once and kept, and the table of similarities."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fettle.cli import main
from fettle.core.errors import FettleError
from fettle.store.sqlite import SqliteStore
from fettle.transfer.recorded import recorded_machines
from fettle.transfer.similarity import similarity
from fettle.transfer.this_machine import NOTE, known_machines

SIX = 6


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The machine that is measured, and one entry each time that it is."""
    times: list[str] = []

    def features() -> dict[str, dict[str, float]]:
        times.append("once")
        return {"this one": {"cores": 2.0, "copy_gb_s": 10.0 + len(times)}}

    monkeypatch.setattr("fettle.transfer.this_machine.device_features", features)
    monkeypatch.setattr("fettle.transfer.this_machine.machine_name", lambda: "this one")
    return times


def machine(*words: str) -> int:
    return main(["machine", *words])


def test_measures_once_and_keeps_features_of_the_user(
    measured: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert machine("--set", "launch_us=4.5") == 0
    assert "  launch_us  4.5" in capsys.readouterr().out
    assert machine("--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["this one"] == {"cores": 2.0, "copy_gb_s": 11.0, "launch_us": 4.5}
    assert len(measured) == 1
    assert machine("--fresh", "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["this one"] == {"cores": 2.0, "copy_gb_s": 12.0, "launch_us": 4.5}


def test_compares_what_the_store_knows(
    measured: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert machine("compare") == 2
    assert "does not exist; run `fettle machine` first" in capsys.readouterr().err
    assert machine() == 0
    assert machine("compare") == 2
    assert "there is one machine to compare" in capsys.readouterr().err
    with SqliteStore(here / "fettle.sqlite") as store:
        kept = json.loads(store.note(NOTE) or "")
        kept["another"] = {"features": {"cores": 64.0, "copy_gb_s": 200.0}}
        store.set_note(NOTE, json.dumps(kept))
        assert known_machines(store).keys() == {"this one", "another"}
    capsys.readouterr()
    assert machine("compare", "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["machines"] == ["another", "this one"]
    assert record["similarity"][0] == pytest.approx([1.0, -1.0])


def test_compares_the_recorded_ones(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert machine("compare", "--recorded") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == SIX
    names, table = similarity(recorded_machines())
    assert [line[3:].split("  ")[0].strip() for line in lines] == names
    for i in range(SIX):
        assert table[i][i] == pytest.approx(1.0)
        assert [row[i] for row in table] == pytest.approx(table[i])
    fermi, maxwell = names.index("GeForce GTX 480"), names.index("GeForce GTX 980")
    assert table[fermi][names.index("Tesla C2075")] > table[fermi][maxwell]


def test_what_cannot_be_used_is_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        machine("--set", "launch_us=quick")
    assert "expected a feature such as launch_us=4.3" in capsys.readouterr().err
    with SqliteStore(here / "fettle.sqlite") as store:
        store.set_note(NOTE, '{"a": {}}')
        with pytest.raises(FettleError, match="measure again"):
            known_machines(store)
    with pytest.raises(FettleError, match="no device feature in common"):
        similarity({"a": {"x": 1.0}, "b": {"y": 1.0}})
