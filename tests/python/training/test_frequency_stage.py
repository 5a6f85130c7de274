"""The stage that tunes clocks, on a stand-in device: what is written, said and removed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from stand_in_measurer import Said

from fettle.core.errors import FettleError
from fettle.model.deployed import load
from fettle.objectives.clocked import clocked_name
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training import frequency_stage
from fettle.training.code_variant import CodeVariant
from fettle.training.collect import Collection
from fettle.training.frequency_stage import FOLDER, FrequencyStage, forget_frequency
from fettle.training.program import Input
from fettle.training.settings import Settings

METRICS = {"seconds": "s", "joules": "J"}
INPUTS = tuple(Input(f"i{n}", (f"i{n}",)) for n in range(32))


class Device:
    """What a Measurer is asked for. "fast" runs by the clock, "steady" does not; a stand-in for
    `collect` measures both at the clocks that are wanted."""

    may_measure = True

    def __init__(self, *, sets_clocks: bool = True) -> None:
        self.sets_clocks = sets_clocks
        self.clocks: tuple[int, ...] = ()
        self.offer: Offer | None = None
        self.offer_is_current = False
        self.display = Said()
        self.warnings: list[str] = []
        self.measured: list[tuple[int, tuple[int, ...]]] = []
        self.known: dict[str, Example] = {}

    def collect(self, inputs: list[Input]) -> Collection:
        """Measures some inputs."""
        self.measured.append((len(inputs), self.clocks))
        clocks = (0, *self.clocks) if self.sets_clocks else (0,)
        names = [clocked_name(variant, mhz) for mhz in clocks for variant in ("fast", "steady")]
        self.offer = Offer(tuple(names), ("n",), "fast", "s", False, {}, metrics=METRICS)
        self.offer_is_current = True
        for given in inputs:
            n = float(given.name[1:])
            one = self.known[given.name] = Example(0, {"n": n}, {"n": 1e-9})
            one.verdicts = dict.fromkeys(names, ("measured", ""))
            for mhz in clocks:
                clock = mhz or 1200
                watts = 20 + 0.1 * clock * (1 + max(0, clock - 1000) / 500) ** 2
                for variant, seconds in (("fast", (1 + n) * 1000 / clock), ("steady", 9.0)):
                    name = clocked_name(variant, mhz)
                    one.samples[name] = [seconds]
                    one.others[name] = {"joules": [seconds * watts]}
        return Collection(measured=list(inputs))

    def examples(self, given: Input) -> list[Example]:
        """The call of an input."""
        return [self.known[given.name]]

    def warn(self, text: str) -> None:
        """Keeps a warning."""
        self.warnings.append(text)


def stage_of(
    folder: Path, device: Device, monkeypatch: pytest.MonkeyPatch, **options: Any
) -> FrequencyStage:
    """The stage of a function whose clocks are 500, 1000 and 1500 MHz, or others."""
    clocks = options.pop("clocks", [500, 1000, 1500])
    monkeypatch.setattr(frequency_stage, "collect", lambda measurer, inputs: device.collect(inputs))
    function = CodeVariant("f", metrics=METRICS, **options)
    if clocks is not None:
        function.tune_frequency(clocks)
    settings = Settings(program="app", working_directory=folder, training_inputs=INPUTS)
    return FrequencyStage(settings, function, device)  # type: ignore[arg-type]


def chosen(folder: Path, n: float) -> str:
    """What the model in a folder chooses."""
    return load(folder).choose(n=n).variant


def test_without_clocks_nothing_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = Device()
    assert stage_of(tmp_path, device, monkeypatch, clocks=None).run() == []
    assert device.measured == []


def test_one_model_chooses_variant_and_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = Device()
    [said] = stage_of(tmp_path, device, monkeypatch).run()
    assert said.startswith("frequency, one model of both, of 3 clocks: share of best ")
    assert device.measured == [(32, (500, 1000, 1500))]
    folder = tmp_path / "fettle_models" / "f" / FOLDER
    assert chosen(folder, 1.0) == "fast@1500MHz"
    assert chosen(folder, 31.0).startswith("steady")


def test_each_objective_has_a_folder_and_the_first_one_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objectives = {"quick": "seconds", "eco": "joules"}
    said = stage_of(tmp_path, Device(), monkeypatch, objectives=objectives).run()
    assert [line.partition(",")[0] for line in said] == [
        "frequency of the objective quick",
        "frequency of the objective eco",
    ]
    models = tmp_path / "fettle_models" / "f"
    assert chosen(models / FOLDER, 1.0) == "fast@1500MHz"
    assert chosen(models / "objective-quick" / FOLDER, 1.0) == "fast@1500MHz"
    assert chosen(models / "objective-eco" / FOLDER, 1.0) == "fast@1000MHz"
    assert chosen(models / "objective-eco" / FOLDER, 31.0) == "steady@500MHz"


def test_a_program_that_cannot_set_clocks_keeps_its_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = Device(sets_clocks=False)
    [said] = stage_of(tmp_path, device, monkeypatch).run()
    assert "could not set the device's clock" in said
    assert said.endswith("the model of the variants alone stays")
    assert device.warnings == [said]
    assert not (tmp_path / "fettle_models").exists()


def test_a_device_without_clocks_is_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(_: object) -> tuple[int, ...]:
        raise FettleError("no driver")

    monkeypatch.setattr(frequency_stage, "device_clocks", none)
    device = Device()
    assert stage_of(tmp_path, device, monkeypatch, clocks="auto").run() == [
        "f: no driver; the model of the variants alone stays"
    ]
    assert device.measured == []


def test_a_power_curve_through_a_few_clocks_narrows_those_of_the_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = tuple(range(400, 1600, 50))
    monkeypatch.setattr(frequency_stage, "device_clocks", lambda _: offered)
    device = Device()
    narrowed, _ = stage_of(tmp_path, device, monkeypatch, clocks="auto", minimize="joules").run()
    assert "f: of 24 clocks 8 are worth measuring by the power curve" in narrowed
    (probed, some), (whole, kept) = device.measured
    assert (probed, len(some), whole, len(kept)) == (3, 6, 32, 8)
    assert some[0] == 400 and some[-1] == kept[-1] == 1550
    assert set(kept) <= set(offered)


def test_without_power_clocks_are_spread_evenly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frequency_stage, "device_clocks", lambda _: tuple(range(400, 1600, 50)))
    device = Device()
    spread, _ = stage_of(tmp_path, device, monkeypatch, clocks="auto").run()
    assert "no power is known at 4 clocks at least" in spread
    assert [len(clocks) for _, clocks in device.measured] == [6, 6]


def test_forgetting_removes_the_models_of_clocks_alone(tmp_path: Path) -> None:
    for folder in (FOLDER, f"objective-eco/{FOLDER}", "other"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "model.txt").touch()
    (tmp_path / "objective-eco" / "model.txt").touch()
    forget_frequency(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("model.txt")}
    assert left == {"objective-eco/model.txt", "other/model.txt"}
    forget_frequency(tmp_path)  # where there are none
