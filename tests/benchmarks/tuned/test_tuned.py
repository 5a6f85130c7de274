"""The driver of the tuned benchmarks: inputs, lines of code, rows, tables and figures."""

import json
import sys
from pathlib import Path

import figures
import numpy as np
import pytest
import tables
from definitions import ALL
from measuring import Measured, measure
from narrowing import Narrowed, narrowed, possible, promising, write_narrowed
from ndp_lines import rests_on_one
from patterns import MAGIC, names_in
from sloc import lines_of
from suite import PLATFORMS, ROOT, Code, Input
from summary import function_rows, input_rows, print_summary, summary_row
from tuning import RACED_AGAIN, Form, Tuned, raced_again

from fettle.data.training_set import TrainingSet
from fettle.ndp.result import JudgedInput, Outcome


def number(value: int) -> bytes:
    out = b""
    while value >= 128:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def pattern(name: str, columns: int, rows: list[list[int]]) -> bytes:
    """What append_pattern() of matrix_cache.hpp writes."""
    out = number(len(name)) + name.encode() + number(len(rows)) + number(columns)
    out += b"".join(number(len(row)) for row in rows)
    for row in rows:
        out += b"".join(number(b - a) for a, b in zip([0, *row], row, strict=False))
    return out


@pytest.fixture
def pattern_file(tmp_path: Path) -> Path:
    path = tmp_path / "matrices.patterns"
    long_rows = [list(range(0, 100_000, 300)), [], [99_999]]
    path.write_bytes(
        MAGIC
        + pattern("first", 100_000, long_rows)
        + pattern("second_matrix", 3, [[0, 2], [1]])
        + pattern("empty", 5, [])
        + pattern("d", 1, [[0]])
    )
    return path


def outcome(function: str, inputs: list[JudgedInput]) -> Outcome:
    return Outcome(
        function=function,
        expression="map>reduce",
        candidates=12,
        dropped=1,
        winners=("default", "independent>cooperative"),
        features=("rows",),
        features_known=("rows", "aspect_ratio"),
        feature_seconds=4e-9,
        training_inputs=7,
        judged_by="held-out",
        inputs=tuple(inputs),
        measuring_seconds=3.0,
    )


def judged(name: str, tuned: float, exhaustive: float) -> JudgedInput:
    return JudgedInput(
        name=name,
        default=2 * tuned,
        tuned=tuned,
        exhaustive=exhaustive,
        features=0.0,
        chosen="default",
        best="independent>cooperative",
    )


def test_names_are_read_from_a_file_of_patterns(pattern_file: Path) -> None:
    assert names_in(pattern_file) == ["first", "second_matrix", "empty", "d"]


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("name", ALL)
def test_nothing_is_trained_on_and_tested_with(
    name: str, platform: str, pattern_file: Path
) -> None:
    training = [one.text for one in ALL[name].training(platform, pattern_file)]
    test = [one.text for one in ALL[name].test(platform, pattern_file)]
    assert len(training) >= 7 and len(test) >= 7
    assert len({*training, *test}) == len(training) + len(test)


def test_real_matrices_are_divided(pattern_file: Path) -> None:
    spmv = ALL["ndp_spmv"]
    real = [
        [one.label for one in inputs("cuda", pattern_file) if one.text.startswith("patterns:")]
        for inputs in (spmv.training, spmv.test)
    ]
    assert real == [["first", "empty"], ["second_matrix", "d"]]


@pytest.mark.parametrize("name", ALL)
def test_the_lines_that_are_counted_are_there(name: str) -> None:
    for code in ALL[name].code.values():
        lines = lines_of(code)
        assert lines is not None and 10 <= lines <= 400


def test_lines_of_code_are_neither_space_nor_comments(tmp_path: Path) -> None:
    text = "// a\n\ntemplate <typename T>\nstruct one {  // b\n  int x;\n};\nstruct two {};\n"
    (tmp_path / "one.hpp").write_text(text, encoding="utf-8")
    file = str(tmp_path / "one.hpp")
    assert lines_of((Code(file),)) == 5
    assert lines_of((Code(file, "struct one", "struct two"),)) == 4
    assert lines_of(()) is None
    with pytest.raises(SystemExit, match="no line with 'struct three'"):
        lines_of((Code(file, "struct three"),))


def test_every_benchmark_has_sources_and_a_reference() -> None:
    for benchmark in ALL.values():
        for platform in PLATFORMS:
            assert benchmark.source(platform).is_file()
            assert benchmark.references[platform]
    assert (ROOT / "benchmarks" / "common" / "record.py").is_file()


def test_what_is_raced_again_was_near_the_best_somewhere() -> None:
    costs = np.array([[9.0, 1.0, 1.05, 5.0, 1.2], [9.0, 5.0, 1.0, 5.0, 1.2]] * 2)
    data = TrainingSet(
        function="f",
        features=(),
        variants=("default", "a", "b", "c", "d"),
        inputs=("i", "j", "k", "l"),
        values=np.empty((4, 0)),
        costs=costs,
        feature_seconds=np.empty(0),
        default="default",
    )
    assert promising(data) == ("b", "a")
    assert promising(data.rows([0, 1])) == (
        "b",
        "a",
        "d",
    )  # with few inputs less is near
    assert possible(data) == ("a", "b", "d")


def test_nothing_is_narrowed_unless_asked(tmp_path: Path) -> None:
    assert narrowed(tmp_path) == {}
    one, other = Narrowed(3, ("a",), ("a", "b")), Narrowed(9, (), ("c",))
    write_narrowed(tmp_path, {"f.cuda": one})
    write_narrowed(tmp_path, {"g.cuda": other})
    assert narrowed(tmp_path) == {"f.cuda": one, "g.cuda": other}


def test_exhaustive_search_counts_all_calls_of_all_computations() -> None:
    inputs = [judged("a", 2.0, 1.0), judged("a #1", 2.0, 2.0), judged("b", 5.0, 5.0)]
    one = outcome("x.cuda", inputs)
    other = outcome("y.cuda", [judged("a", 6.0, 6.0)])
    plain = ALL["ndp_spmv"]
    tuned = Tuned("cuda", (one, other))
    assert tuned.share_of_exhaustive(plain, Input("a", "a")) == pytest.approx(9 / 10)
    assert tuned.share_of_exhaustive(plain, Input("b", "b")) is None
    assert Tuned("cuda").share_of_exhaustive(plain, Input("a", "a")) is None


def test_a_second_race_counts_where_all_computations_had_it(tmp_path: Path) -> None:
    assert raced_again(tmp_path) == frozenset()
    (tmp_path / RACED_AGAIN).write_text('["x"]', encoding="utf-8")
    again = raced_again(tmp_path)
    one, other = outcome("x.cuda", []), outcome("y.cuda", [])
    assert Tuned("cuda", (one,), raced_again=again).races == 2
    assert Tuned("cuda", (one, other), raced_again=again).races == 1
    assert Tuned("cuda", raced_again=again).races == 1


def test_exhaustive_search_counts_the_chosen_form_only() -> None:
    whole = outcome("reduce_whole.openmp", [judged("a", 4.0, 3.0)])
    tiles = outcome("reduce_tiles.openmp", [judged("a", 100.0, 1.0)])
    forms = {"a": Form("whole", 0.9)}
    tuned = Tuned("openmp", (whole, tiles), forms)
    reduction = ALL["reduction"]
    assert tuned.share_of_exhaustive(reduction, Input("a", "a")) == pytest.approx(0.9 * 0.75)
    assert tuned.share_of_exhaustive(reduction, Input("b", "b")) is None


def test_the_medians_of_several_starts_count(tmp_path: Path) -> None:
    left = tmp_path / "left.json"
    left.write_text(json.dumps({"tuned": [3, 9, 4], "default": [5, 6, 1]}))
    program = tmp_path / "program"
    program.write_text(
        f"""#!{sys.executable}
import json, os
left = json.load(open({str(left)!r}))
with open(os.environ["FETTLE_BENCHMARK_ROWS"], "w") as rows:
    for name, times in left.items():
        us = {{"call_us": times.pop(0), "batch_us": 1}}
        print(json.dumps({{"contender": name, "elements": 7, **us}}), file=rows)
json.dump(left, open({str(left)!r}, "w"))
"""
    )
    program.chmod(0o755)
    one = Input("a", "a")
    [found] = measure(ALL["reduction"], program, [one], seconds=1, environment={}, starts=3)
    assert found == Measured(one, 7, {"tuned": 4, "default": 5}, {"tuned": 1, "default": 1})


def test_a_speed_up_that_rests_on_one_input_is_told_without_it() -> None:
    summary = {"ours": "tuned", "reference": "other"}

    def rows(*ratios: float) -> list[dict[str, object]]:
        return [
            {
                "row": "input",
                "label": f"i{i}",
                "batch_us": {"tuned": 2.0, "other": 2.0 * ratio},
            }
            for i, ratio in enumerate(ratios)
        ]

    assert rests_on_one(rows(1.0, 1.0, 9.0, 4.0), summary) == ("1.59 without i2, where it is 9.00")
    assert rests_on_one(rows(2.0, 2.5, 3.0), summary) == ""
    assert rests_on_one(rows(1.0, 9.0), summary) == "", "of two neither is the odd one"


def test_rows_become_tables_and_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spmv = ALL["ndp_spmv"]
    us = {"tuned": 10.0, "default": 12.0, "warp_per_row": 15.0, "cusparse_alg1": 9.0}
    measured = [
        Measured(Input(name, name), 1000, us, {key: value / 2 for key, value in us.items()})
        for name in ("a", "b")
    ]
    tuned = Tuned("cuda", (outcome("spmv.cuda", [judged("a", 2, 1), judged("b", 1, 1)]),))
    rows = [
        *input_rows(spmv, measured, tuned),
        *function_rows(tuned),
        summary_row(spmv, "cuda", measured, tuned),
    ]
    assert rows[0]["throughput"] == {
        "tuned": 0.4,
        "default": pytest.approx(0.3333),
        "warp_per_row": pytest.approx(0.2667),
        "cusparse_alg1": pytest.approx(0.4444),
        "exhaustive": 0.8,
    }
    print_summary(rows)
    assert "warp_per_row / tuned: geometric mean 1.500, least 1.500" in capsys.readouterr().out

    machine = {"gpus": ["a GPU"], "cores": 4}
    record = json.dumps({"machine": machine, "rows": rows})
    (tmp_path / "ndp_spmv_cuda.json").write_text(record, encoding="utf-8")
    tables.main(["--results", str(tmp_path), "--print"])
    out = capsys.readouterr().out
    assert "(not in these records of GPU)" in out
    assert "| spmv | GPU | rows | 7 | 2 | 12 | 2 | 0.75 |" in out
    assert "| SpMV | GPU | warp_per_row | 1.50 (1.50; 1.50) | 1.50 | 1.20 | 0.750 |" in out
    on_cpu = [{**row, "platform": "openmp"} if row["row"] == "summary" else row for row in rows]
    for cores, kind in ((2, "openmp"), (16, "openmp_many_cores")):
        record = json.dumps({"machine": {"gpus": [], "cores": cores}, "rows": on_cpu})
        (tmp_path / f"ndp_spmv_{kind}.json").write_text(record, encoding="utf-8")
    tables.main(["--results", str(tmp_path), "--print"])
    out = capsys.readouterr().out
    places = [out.index(f"| SpMV | {on} |") for on in ("CPU, 2 cores", "CPU, 16 cores", "GPU")]
    assert places == sorted(places)
    figures.main(["--results", str(tmp_path), "--folder", str(tmp_path)])
    assert (tmp_path / "figure_5_5.png").stat().st_size > 1000
    assert not (tmp_path / "figure_5_6.png").exists()
