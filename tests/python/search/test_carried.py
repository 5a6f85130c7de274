"""The strategy carried: parameters that did well on other machines, and what it refuses."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from fettle.cli import main
from fettle.core.errors import FettleError
from fettle.search.base import Strategy
from fettle.search.carried import Carried
from fettle.search.carried_model import Constants, Expected, Source, likeness
from fettle.search.random_search import RandomSearch
from fettle.search.run import search
from fettle.search.table import MeasuredTable, measured_table

SPEEDS = {"A": 1.0, "B": 2.0, "C": 4.0, "D": 8.0, "new": 2.2}


def table(folder: Path, machine: str, *, unit: float = 1.0, failing: int = -1) -> Path:
    """The best tile is larger on faster machines; one point fails."""
    lines = ["tile,unroll,time_ms,valid"]
    for tile in range(16):
        for unroll in range(4):
            away = abs(tile - 3 * math.log2(2 * SPEEDS[machine])) + 0.5 * abs(unroll - 2)
            valid = int(tile != failing)
            lines.append(f"{tile},{unroll},{unit * (1 + away / 4) if valid else ''},{valid}")
    path = folder / f"space__{machine}.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def tables(folder: Path, machines: str = "ABCD") -> list[MeasuredTable]:
    return [measured_table(table(folder, one, unit=10.0**i)) for i, one in enumerate(machines)]


def share(target: MeasuredTable, strategy: Strategy, tried: int) -> float:
    found = search(target.space, target.measure, strategy, measurements=tried)
    return target.best / found.best_value


def test_few_points_are_enough_where_others_have_measured(tmp_path: Path) -> None:
    target = measured_table(table(tmp_path, "new"))
    sources = tables(tmp_path)
    features = [{"speed": SPEEDS[one], "same": 1.0} for one in "ABCD"]
    here = {"speed": 2.2, "same": 1.0}
    informed = Carried(target.space, 0, 3, sources=sources, devices=features, device=here)
    seeds = range(40)
    random = np.mean([share(target, RandomSearch(target.space, seed), 3) for seed in seeds])
    assert share(target, informed, 3) > max(0.9, random + 0.1)
    assert share(target, Carried(target.space, 0, 9, sources=sources), 9) > 0.9
    # With one source its best points come first, as nothing says how machines differ.
    alone = Carried(target.space, 0, 1, sources=sources[:1])
    assert alone.ask() == {"tile": 3, "unroll": 2}


def test_a_point_that_fails_here_is_left(tmp_path: Path) -> None:
    target = measured_table(table(tmp_path, "new", failing=6))
    strategy = Carried(target.space, 0, sources=tables(tmp_path))
    found = search(target.space, target.measure, strategy, measurements=len(target.values))
    assert found.best_value == target.best
    assert len(found.history) == len(target.values)  # all of them, none twice


def test_likeness_is_even_where_nothing_is_known() -> None:
    sources = [Source(one, np.ones(2), {"speed": SPEEDS[one]}) for one in "ABD"]
    assert likeness(sources, {}, 2.0) == pytest.approx([1 / 3] * 3)
    assert likeness(sources, {"speed": 1.0}, 0.0) == pytest.approx([1 / 3] * 3)
    assert likeness(sources, {"speed": 0.0, "other": 1.0}, 2.0) == pytest.approx([1 / 3] * 3)
    found = likeness(sources, {"speed": 1.0}, 2.0)
    assert found[0] > found[1] > found[2]
    assert found.sum() == pytest.approx(1.0)


def test_costs_are_in_any_unit() -> None:
    sources = [
        Source(one, np.array(shares), {})
        for one, shares in (("A", [1, 0.5, 0.1]), ("B", [0.6, 1, 0.1]))
    ]
    places = np.array([[0.0], [0.5], [1.0]])

    def second(unit: float) -> int:
        expected = Expected(sources, {}, places, Constants(0.3, 0.1, 0.1, 0.0))
        first = expected.next_point()
        expected.tell(first, unit)
        return expected.next_point()

    assert second(1e-6) == second(1e6)
    expected = Expected(sources, {}, places, Constants(0.3, 0.1, 0.1, 0.0))
    expected.tell(expected.next_point(), math.inf)
    assert expected.next_point() in (0, 1)


def test_what_does_not_fit_is_named(tmp_path: Path) -> None:
    space = measured_table(table(tmp_path, "new")).space
    with pytest.raises(FettleError, match="needs tables of the same space on other machines"):
        Carried(space, 0)
    (tmp_path / "o.csv").write_text("tile,time_ms,valid\n1,2,1\n2,3,1\n")
    with pytest.raises(FettleError, match="has the parameters tile, the search space tile, u"):
        Carried(space, 0, sources=[measured_table(tmp_path / "o.csv")])
    with pytest.raises(FettleError, match="has 4 sources and features of 1 devices"):
        Carried(space, 0, sources=tables(tmp_path), devices=[{}])
    (tmp_path / "p.csv").write_text("tile,unroll,time_ms,valid\n90,91,2,1\n92,93,3,1\n")
    with pytest.raises(FettleError, match="no point of the search space worked on a source"):
        Carried(space, 0, sources=[measured_table(tmp_path / "p.csv")])


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = table(tmp_path, "new")
    sources = [str(table(tmp_path, one)) for one in "ABC"]
    sources.append(f"D={table(tmp_path, 'D')}")
    machines = tmp_path / "machines.csv"
    machines.write_text("machine,speed\n" + "".join(f"{k},{v}\n" for k, v in SPEEDS.items()))
    shown = f"search simulate --space {target} --budget 5 --repeat 1 --json"
    words = shown.split()
    carried = [*words, "--strategy", "carried", "--sources", *sources]
    assert main([*carried, "--machines", str(machines)]) == 0
    assert json.loads(capsys.readouterr().out)["mean_slowdown"] < 1.3
    assert main([*words, "--strategy", "carried"]) == 2
    assert "--sources A.csv B.csv" in capsys.readouterr().err
    assert main([*carried, "--machines", str(machines), "--machine", "other"]) == 2
    assert "has no line for the machine 'other'" in capsys.readouterr().err
    assert main([*words, "--strategy", "random", "--sources", *sources]) == 2
    assert "--sources is for --strategy carried; leave it out" in capsys.readouterr().err
