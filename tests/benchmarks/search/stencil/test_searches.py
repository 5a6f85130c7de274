"""The driver of the searches, on times that a formula made, and on those of the record."""

import json
import math
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import arrays
import pytest
import run
import singly
import variable
from carried import carried_row
from comparison import Found, kernel_rows, print_summary, summary_rows
from gpu import is_hopeless
from heuristics import refined, searched, specifications
from measuring import Replay
from samples import sample_row
from shapes import even_sample, kernel_named, kernels, spread
from space import PAPER_LOADING, SIDES, expert_space

from fettle.search.grouped import Grouped, Measured, MeasuredPoints, parse_specification

KERNELS = ["dense_0d_r0", "dense_1d_x_r2", "star_2d_xy_r3", "dense_3d_r2"]
WORDS = ["--only", *KERNELS, "--random", "40", "--heuristics", "restricted:0", "restricted:1"]
RECORD = Path(__file__).parents[4] / "benchmarks" / "results" / "stencil.json"


def seconds(kernel, point):
    """Small stencils are best from global memory, those along x by vectors, large ones staged."""
    at = {name: value if isinstance(value, int) else 0 for name, value in point.items()}
    threads = math.prod(at[f"work_group_{axis}"] for axis in "xyz")
    work = math.prod(at[f"cyclic_merge_{axis}"] for axis in "xyz")
    way = {
        "global": 1 + 0.3 * kernel.size**0.5,
        "vector": 1.2 + 0.2 * kernel.size ** (0.4 if kernel.axes == "x" else 0.7),
        "local": 2 + 0.02 * kernel.size,
        "read_only": 1.1 + 0.25 * kernel.size**0.5,
        "texture": 3.0 + kernel.size,
    }[point["loading"]]
    if threads == 512:
        return math.inf
    noise = random.Random(f"{kernel.name}{sorted(map(str, point.items()))}").gauss(0, 0.01)
    shape = 1 + 0.1 * abs(math.log2(threads) - 7) + 0.1 * abs(math.log2(work) - 2)
    return 1e-3 * way * shape * (1 + 1 / at["work_group_x"]) * math.exp(noise)


class ByFormula(Replay):
    """Measures by the formula; after so many points the time is up."""

    def __init__(self, most=math.inf, sides=SIDES):
        super().__init__(sides)
        self.device = SimpleNamespace(name="by formula")
        self.left = most

    def batch(self, batch):
        found = super().batch(batch)
        for i, (name, point) in enumerate(batch):
            if found[i] is None and self.left > 0:
                found[i] = Measured(seconds(kernel_named(name), point), 0.5)
                self.left -= 1
        return found

    def again(self, kernel, points):
        return [1.1 * seconds(kernel, point) for point in points]


@pytest.fixture(scope="module", autouse=True)
def hasty_expert():
    """An expert who looks at every 40th of the points."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "expert_space", lambda *words: list(expert_space(*words))[::40])
        yield


@pytest.fixture(scope="module")
def measured(hasty_expert, tmp_path_factory):
    """The table and the rows of a run whose time was up once."""
    folder = tmp_path_factory.mktemp("measured")
    table, rows = folder / "t.jsonl", folder / "rows.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FETTLE_BENCHMARK_ROWS", str(rows))
        words = [*WORDS, "--table", str(table), "--together", "2"]
        first = ByFormula(400)
        with pytest.raises(SystemExit, match="no kernel was finished"):
            run.main([*words, "--together", "4"], first)
        before = len(table.read_text(encoding="utf-8").splitlines())
        second = ByFormula()
        run.main(words, second)
    lines = table.read_text(encoding="utf-8").splitlines()
    assert lines[:before] == table.read_text(encoding="utf-8").splitlines()[:before]
    assert before >= 400
    points = [json.dumps((one["subject"], one["point"])) for one in map(json.loads, lines)]
    assert len(set(points)) == len(points), "what was measured is not measured again"
    return table, [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]


def test_the_rows_say_what_searches_found_and_cost(measured):
    rows = {row["search"]: row for row in measured[1] if "search" in row}
    assert rows["random"]["speedup_random"] == rows["expert"]["speedup_expert"] == 1
    assert rows["random"]["configurations"] == 40
    once, again = rows["restricted:0 oracle"], rows["restricted:1 oracle"]
    assert again["configurations"] > once["configurations"] > 5
    assert again["speedup_random"] >= once["speedup_random"] > 1
    assert sum(rows[f"restricted:1 {way}"]["best_of"] for way in PAPER_LOADING) == len(KERNELS)
    for row in rows.values():
        assert row["kernels"] == len(KERNELS)
        assert row["cost_share_random"] == pytest.approx(
            row["tuning_seconds"] / rows["random"]["tuning_seconds"]
        )
    one, two = rows["restricted:1 predicted"], rows["restricted:1 predicted two"]
    assert one["tuning_seconds"] < two["tuning_seconds"] < again["tuning_seconds"]
    assert one["penalty_weighted_accuracy"] <= two["penalty_weighted_accuracy"] <= 1
    assert one["speedup_random"] <= two["speedup_random"] <= again["speedup_random"]


def test_the_winners_times_are_those_of_the_last_measurement(measured):
    times = {row["kernel"]: row["microseconds"] for row in measured[1] if "kernel" in row}
    assert list(times) == KERNELS
    lines = map(json.loads, measured[0].read_text(encoding="utf-8").splitlines())
    again = [one["value"] for one in lines if one["subject"] == f"{KERNELS[0]} again"]
    assert min(times[KERNELS[0]].values()) == pytest.approx(1e6 * min(again), abs=1e-3)


def test_a_replay_of_the_table_gives_the_same_rows(measured, tmp_path, monkeypatch):
    table, rows = measured
    monkeypatch.setenv("FETTLE_BENCHMARK_ROWS", str(tmp_path / "rows.jsonl"))
    run.main([*WORDS, "--table", str(table), "--replay"])
    replayed = (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert list(map(json.loads, replayed)) == rows
    # Another heuristic asks for points that were not measured.
    with pytest.raises(SystemExit, match="no kernel was finished"):
        run.main([*WORDS[:-2], "by_optimization", "--table", str(table), "--replay"])


@pytest.mark.parametrize("heuristic", sorted(specifications()))
def test_heuristics_find_nearly_the_best_of_a_formula(heuristic):
    kernel = kernel_named("dense_1d_x_r1")
    strategy = Grouped(
        searched(kernel, heuristic),
        1,
        spec=specifications()[heuristic],
        partition={"loading": "read_only"},
    )
    times = []
    while (point := strategy.ask()) is not None:
        threads = math.prod(point[f"work_group_{axis}"] for axis in "xyz")
        times.append(1 + abs(threads - 256) / 256 + 0.01 * point["cyclic_merge_y"])
        strategy.tell(point, times[-1])
    assert min(times) == pytest.approx(1.01)
    assert len(times) < 1500


def test_the_last_group_trades_merges_for_the_work_group():
    kernel = kernel_named("dense_1d_x_r1")

    def valley(point):
        # A valley: changing a merge or the work-group alone goes up.
        merge, size = (math.log2(point[name]) for name in ("block_merge_y", "work_group_z"))
        return 1 + abs(merge - size) + 0.1 * (3 - merge)

    found = {}
    for name in ("blocks", "refined"):
        strategy = Grouped(
            searched(kernel, name), 1, spec=specifications()[name], partition={"loading": "global"}
        )
        times = []
        while (point := strategy.ask()) is not None:
            times.append(valley(point))
            strategy.tell(point, times[-1])
        found[name] = min(times)
    assert found == {"blocks": pytest.approx(1.3), "refined": pytest.approx(1.0)}
    assert parse_specification(refined().text()) == refined()


def test_every_beginning_of_the_order_is_spread():
    kernels_ = even_sample(26)
    order = spread(kernels_)
    assert sorted(k.name for k in order) == sorted(k.name for k in kernels_)
    indices = sorted(kernels_.index(kernel) for kernel in order[:4])
    assert all(b - a >= 5 for a, b in pairwise(indices))
    # A sample of 48 begins with that of 24.
    twice = spread(even_sample(48, most_terms=300))
    assert set(twice[:24]) == set(even_sample(24, most_terms=300))


def test_only_what_cannot_compete_is_hopeless():
    kernel = kernel_named("star_3d_r1")
    one = {f"{f}_{a}": 1 for a in "xyz" for f in ("work_group", "block_merge", "cyclic_merge")}
    assert not is_hopeless(kernel, one, SIDES)
    assert not is_hopeless(kernel, {**one, "cyclic_merge_y": 256}, SIDES)
    assert is_hopeless(kernel, {**one, **{f"cyclic_merge_{a}": 256 for a in "xyz"}}, SIDES)


def test_predictions_are_judged_by_what_they_miss():
    names = list(kernels())

    def searches_of(best):
        return {
            f"blocks {way}": Found(1.0 if way == best else 2.0, 10, 2.0) for way in PAPER_LOADING
        }

    # Flat stencils are best by vectors; one of them, from global memory, is the exception.
    flat, deep = (
        [name for name in names if len(kernel_named(name).axes) == size] for size in (1, 3)
    )
    results = {name: searches_of("vector") for name in flat[:4]}
    results |= {name: searches_of("local") for name in deep[:4]}
    results[flat[4]] = searches_of("global")
    rows = {row["search"]: row for row in summary_rows(results)}
    row = rows["blocks predicted"]
    assert row["accuracy"] == pytest.approx(8 / 9)
    assert row["penalty_weighted_accuracy"] == pytest.approx((8 + 0.5) / 9)
    assert row["tuning_seconds"] == pytest.approx(2)
    assert rows["blocks oracle"]["tuning_seconds"] == pytest.approx(8)
    assert rows["blocks predicted two"]["tuning_seconds"] == pytest.approx(4)


def test_where_one_technique_always_wins_the_summary_says_that_nothing_is_predicted(capsys):
    def searches_of(vector, texture):
        ways = {"global": 2.0, "vector": vector, "texture": texture}
        return {f"hybrid {way}": Found(time, 10, 2.0) for way, time in ways.items()}

    names = list(kernels())[:5]
    always = summary_rows({name: searches_of(1.0, 1.6) for name in names})
    print_summary(always)
    assert "loading='vector' takes at most 0 % longer" in capsys.readouterr().out
    verdict = next(row["verdict"] for row in always if "verdict" in row)
    assert verdict.endswith("the next, 'texture', reaches 0.625 of it on the mean")
    sometimes = {name: searches_of(1.0, 1.6) for name in names[1:]}
    sometimes[names[0]] = searches_of(1.0, 0.9)
    assert not any("verdict" in row for row in summary_rows(sometimes))


def test_a_kernels_row_has_its_best_configuration_and_throughput():
    kernel = next(name for name in kernels() if kernel_named(name).size > 1)
    its = {"random": Found(2e-4, 10, 1.0, {"loading": "global"}), "expert": Found(1e-4)}
    (row,) = kernel_rows({kernel: its})
    assert "best" not in row  # the expert's configuration is not known
    its["hybrid texture"] = Found(5e-5, 10, 1.0, {"loading": "texture"})
    (row,) = kernel_rows({kernel: its})
    assert row["best"] == {"loading": "texture"}
    operations = 2 * kernel_named(kernel).size * math.prod(SIDES)
    assert row["gflops"] == pytest.approx(operations / 5e-5 / 1e9, rel=1e-3)


def test_the_recorded_times_give_the_recorded_rows():
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))["rows"]
    results = {
        row["kernel"]: {name: Found(1e-6 * time) for name, time in row["microseconds"].items()}
        for row in recorded
        if "kernel" in row
    }
    summary = {row["search"]: row for row in recorded if "search" in row}
    rows = summary_rows(results)
    assert [row["search"] for row in rows] == list(summary)
    judged = ("speedup_random", "speedup_expert", "accuracy", "penalty_weighted_accuracy")
    for row in rows:
        its = summary[row["search"]]
        assert row["kernels"] == its["kernels"]
        for name in {*judged, "best_of"} & its.keys():
            assert row[name] == pytest.approx(its[name], rel=1e-4), (row["search"], name)


def test_a_samples_row_counts_points_by_their_speed():
    times = [1.0, 1.05, 2.0, 30.0, *[math.inf] * 996]
    row = sample_row("star_2d_xy_r2", times)
    assert (row["points"], row["run"], sum(row["speeds"])) == (1000, 4, 1000)
    assert (row["speeds"][-1], row["speeds"][0]) == (2, 997)  # 0.95 and 1; slower than 1 / 20
    assert row["within_10_percent"] == 0.002
    assert row["over_10_times_slower"] == 0.997
    assert row["best_by_size"]["900"] >= 1


def test_the_best_of_the_points_that_two_kernels_share_is_carried():
    known = MeasuredPoints()
    seconds = {
        "a": {1: 1.0, 2: 2.0, 3: 4.0, 9: 0.5},  # its best is not known of b
        "b": {1: 8.0, 2: 2.0, 3: math.inf},
    }
    for name, points in seconds.items():
        for x, value in points.items():
            known.add(name, {"x": x}, Measured(value, 0.0))
    row = carried_row(["a", "b"], known)
    assert row["carried"] == 2 and row["points"] == 3
    assert row["share_here"] == pytest.approx((0.5 / 1.0 + 1.0) / 2)
    assert row["share_there"] == pytest.approx((2.0 / 8.0 + 0.5 / 2.0) / 2)
    assert row["not_run"] == 0 and sum(row["shares"]) == 2
    known.add("b", {"x": 9}, Measured(math.inf, 0.0))
    row = carried_row(["a", "b"], known)
    assert row["not_run"] == 1 and row["least_share_there"] == 0


def test_each_optimization_is_tuned_alone_and_then_all_together(measured, tmp_path, monkeypatch):
    kernel = kernel_named("star_2d_xy_r3")
    best = {"loading": "read_only", "vector_width": 1}
    for axis in "xyz":
        best |= {f"{f}_{axis}": 1 for f in ("work_group", "block_merge", "cyclic_merge")}
    best["work_group_x"] = 256
    around = singly.neighbours(kernel, best)
    assert sorted(around) == sorted(
        ["loading", *(f"{f}_{a}" for f in ("work_group", "cyclic_merge") for a in "xyz")]
    )
    assert all(best in points for points in around.values())
    assert [point["work_group_y"] for point in around["work_group_y"]] == [1, 2, 4]
    assert [point["cyclic_merge_x"] for point in around["cyclic_merge_x"]] == [1]
    known = MeasuredPoints()
    share = singly.share_of(kernel, best, ByFormula(), known)
    assert 0 < share < 4
    assert singly.share_of(kernel, best, ByFormula(0), MeasuredPoints()) is None
    rows = singly.summary({"a": 0.0, "b": 0.96, "c": 1.02})
    assert rows[-1]["mean_share"] == pytest.approx(0.66)
    assert (rows[-1]["not_run"], rows[-1]["shares"][-2:]) == (1, [1, 1])


def test_values_that_do_not_go_together_are_a_share_of_nothing():
    kernel = kernel_named("star_2d_xy_r3")
    best = {"loading": "read_only", "vector_width": 1}
    for axis in "xyz":
        best |= {f"{f}_{axis}": 1 for f in ("work_group", "block_merge", "cyclic_merge")}

    class LargestIsBest(Replay):
        """Each work-group size alone is better the larger it is."""

        def batch(self, batch):
            return [
                Measured(1 / math.prod(p[f"work_group_{a}"] for a in "xyz"), 0) for _, p in batch
            ]

    assert singly.share_of(kernel, best, LargestIsBest(), MeasuredPoints()) == 0


def test_kernels_of_any_work_group_size_are_searched_beside_the_others(tmp_path, monkeypatch):
    words = ["--only", "star_2d_xy_r3", "--random", "20", "--by", "vector"]
    fixed, rows = tmp_path / "fixed.jsonl", tmp_path / "rows.jsonl"
    searched_ = ["--heuristics", "hybrid", "--references", "random_paper"]
    run.main([*words, *searched_, "--table", str(fixed)], ByFormula())
    monkeypatch.setenv("FETTLE_BENCHMARK_ROWS", str(rows))
    words += ["--fixed", str(fixed), "--table", str(tmp_path / "anew.jsonl")]
    variable.main(words, ByFormula())
    found = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    its = {row["search"]: row for row in found if "search" in row}
    assert its["variable vector"]["configurations"] == its["hybrid vector"]["configurations"]
    assert its["variable vector"]["speedup_random_paper"] > 0
    assert set(found[-1]["microseconds"]) == {"random_paper", "hybrid vector", "variable vector"}


def test_each_array_has_a_table_and_rows(tmp_path, monkeypatch):
    monkeypatch.setenv("FETTLE_BENCHMARK_ROWS", str(tmp_path / "rows.jsonl"))

    class Here(ByFormula):
        """In place of a GPU."""

        def __init__(self, sides, **_words):
            super().__init__(sides=sides)
            self.compilers = SimpleNamespace(close=lambda: None)
            self.reasons = Counter()

    monkeypatch.setattr(run, "OnGpu", Here)
    monkeypatch.setattr(run, "nvrtc_version", lambda: "")
    words = ["--tables", str(tmp_path), "--only", "star_2d_xy_r3", "--random", "20"]
    arrays.main([*words, "--arrays", "16x16x16", "64x64x8"])
    lines = (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    assert {row["array"] for row in found} == {"16 x 16 x 16", "64 x 64 x 8"}
    points = (tmp_path / "64x64x8.jsonl").read_text(encoding="utf-8").splitlines()
    assert max(json.loads(line)["point"]["work_group_z"] for line in points) == 8


@pytest.mark.parametrize("words", ["64x64", "64x0x64", "foo"])
def test_what_is_no_array_is_refused_before_anything_is_measured(words, tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        arrays.main(["--tables", str(tmp_path), "--arrays", "64x64x64", words])
    assert " is not " in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
