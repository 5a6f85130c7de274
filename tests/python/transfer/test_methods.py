"""What the methods learn from several machines, and what they promise of another one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from several_machines import FEATURES, METRICS, machines_file, table

from fettle.data.table import read_table
from fettle.transfer.guard import unlike
from fettle.transfer.kernels import Kernel, all_kernels
from fettle.transfer.machines import Machines, read_machines
from fettle.transfer.method import Expectation, FixedMethod, masked_share
from fettle.transfer.methods import METHODS, compare
from fettle.transfer.profile_selection import proxies_of
from fettle.transfer.sources import Measured, measured


def read(path: Path, features: Path) -> tuple[Measured, Machines]:
    data, _ = measured(
        read_table(path), "device", ["input"], FEATURES.split(","), METRICS.split(",")
    )
    return data, read_machines(features, "device", data.machines)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> tuple[Measured, Machines]:
    folder = tmp_path_factory.mktemp("sources")
    return read(table(folder / "t.csv", "ABCEF", 0), machines_file(folder / "m.csv"))


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> tuple[Measured, Machines]:
    folder = tmp_path_factory.mktemp("target")
    return read(table(folder / "t.csv", "D", 7, first=1000), machines_file(folder / "m.csv"))


@pytest.mark.parametrize(
    ("name", "least"), [("blend", 0.85), ("concatenate", 0.85), ("p-dfs", 0.8), ("cv-dfs", 0.85)]
)
def test_chooses_on_a_machine_between_the_sources(
    name: str,
    least: float,
    sources: tuple[Measured, Machines],
    target: tuple[Measured, Machines],
) -> None:
    data, machines = target
    chooser = METHODS[name]().fit(*sources, 0)
    share = masked_share(chooser.gains(machines, data.values), data.costs).mean()
    fixed = METHODS["fixed"]().fit(*sources, 0).gains(machines, data.values)
    assert share >= least
    assert share > masked_share(fixed, data.costs).mean()


def test_auto_takes_what_cross_validates_best(sources: tuple[Measured, Machines]) -> None:
    found = compare("auto", *sources, 0)
    best = max(found.expected.values(), key=lambda one: one.mean)
    less = [best.shares[name] - share for name, share in found.expected[found.name].shares.items()]
    assert np.mean(less) <= 2 * np.std(less, ddof=1) / np.sqrt(len(less)) + 1e-12
    assert found.expected[found.name].mean > found.expected["fixed"].mean
    assert found.expected["blend"].shares.keys() == set(sources[0].machines)


class Promising(FixedMethod):
    """A method that expects so much on each machine."""

    def __init__(self, *shares: float) -> None:
        self._shares = shares

    def expect(self, data: Measured, machines: Machines, seed: int) -> Expectation:
        return Expectation(dict(zip(machines.names, self._shares, strict=True)))


def test_auto_takes_the_first_method_where_too_few_sources_tell(tmp_path: Path) -> None:
    for names, less, more, best in (
        ("BC", (0.6, 0.8), (0.9, 0.9), "blend"),  # two are no cross-validation
        ("BCD", (0.6, 0.9, 0.9), (0.9, 0.9, 0.9), "blend"),  # one odd machine
        ("BCD", (0.7, 0.71, 0.72), (0.9, 0.9, 0.9), "majority"),
    ):
        some = read(table(tmp_path / "t.csv", names, 0), machines_file(tmp_path / "m.csv"))
        offered = {name: partial(Promising, *less) for name in METHODS}
        offered["majority"] = partial(Promising, *more)
        assert compare("auto", *some, 0, of=offered).name == best


def test_rows_of_one_input_are_in_one_fold(sources: tuple[Measured, Machines]) -> None:
    data, _ = sources
    folds = data.folds(3, 1)
    assert set(folds) == {0, 1, 2}
    for one in np.unique(data.input):
        assert len(data.input[data.input == one]) == 5
        assert len(set(folds[data.input == one])) == 1


def test_only_relative_costs_count(tmp_path: Path, sources: tuple[Measured, Machines]) -> None:
    """The machines of the table have different units, as shares of best have not."""
    data, _ = sources
    ratios = [data.costs[data.of_machine(k)].min() for k in range(2)]
    assert ratios[1] / ratios[0] > 500
    assert np.nanmax(data.shares()) == 1.0


def test_kriging_is_exact_at_a_source_and_its_weights_add_up() -> None:
    places = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 3.0]])
    exact = Kernel((0, 1), "kriging", 1.0, 0.0)
    assert np.allclose(exact.weights(places, places[1]), [0, 1, 0], atol=1e-9)
    for kernel in all_kernels(2):
        assert kernel.weights(places, np.array([0.4, 5.0])).sum() == pytest.approx(1.0)


def test_the_guard_names_what_is_unlike(tmp_path: Path) -> None:
    _, machines = read(
        table(tmp_path / "t.csv", "ABCDEF", 0), machines_file(tmp_path / "m.csv", kind={"F": "cpu"})
    )
    sources = machines.of(["A", "B", "C", "D"])
    assert unlike(machines.of(["E"]), sources) == ""
    assert unlike(machines.of(["F"]), sources) == "its kind is cpu, but that of the sources is gpu"
    far = machines_file(tmp_path / "f.csv", speed={"E": "9e9"}, colour={"E": "1e9"})
    _, machines = read(table(tmp_path / "t.csv", "ABCDE", 0), far)
    assert "speed, colour are far outside" in unlike(machines.of(["E"]), machines.of(["A", "B"]))


def test_proxies_take_their_features_by_name() -> None:
    found = proxies_of(("peak_gbps", "shared_atomic", "global_atomic", "smell"))
    assert found["ATOMIC"] == (1, 2)
    assert found["MEM-BW"] == (0,)
    assert found["smell"] == (3,)
