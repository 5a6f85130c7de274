"""The energy counter that another program reads, with a stand-in for zeus."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from fettle.core.errors import FettleError
from fettle.objectives.energy_counter import write_counter, zeus_joules


class Gpus:
    """As zeus.device.get_gpus() gives them: millijoules."""

    def get_total_energy_consumption(self, gpu: int) -> int:
        return 1500 * (gpu + 1)


def test_zeus_is_read_in_joules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zeus, device = ModuleType("zeus"), ModuleType("zeus.device")
    device.get_gpus = Gpus  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "zeus", zeus)
    monkeypatch.setitem(sys.modules, "zeus.device", device)
    write_counter(tmp_path / "joules", zeus_joules(gpu=1), interval=0.001, times=2)
    assert (tmp_path / "joules").read_text() == "3.0\n"


def test_without_zeus_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeus.device", None)
    with pytest.raises(FettleError, match="pip install zeus"):
        zeus_joules()
