"""write_report and print_report: the files, the text, the JSON, and that they agree."""

from __future__ import annotations

import dataclasses
import io
import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hand_made_results import (
    FAILURES,
    feature_curve,
    leaf_model,
    learning_curve,
    training_set,
    tuning_result,
)

from fettle.core.wording import printable, seconds_text, shortened
from fettle.data.approximation import ApproximateVariant, Approximation
from fettle.data.model_comparison import ComparedModel, ModelComparison
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import FeatureImportance
from fettle.model.model import ModelInput
from fettle.report import print_report, write_report
from fettle.report.contents import report_of
from fettle.report.page import page
from fettle.report.record import report_json
from fettle.report.text import report_text


def hand_made() -> TrainingSet:
    return TrainingSet(
        function="spmv",
        features=("nnz", "rows", "skew"),
        variants=("csr", "dia"),
        inputs=("a.mtx", "b.mtx", "c.mtx", "d.mtx"),
        values=np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9], [3, 2, 1]]),
        costs=np.array([[1.0, 2.0], [4.0, 1.0], [1.0, math.inf], [math.inf, math.inf]]),
        feature_seconds=np.array([0.25, 0.75, 10.0]),
    )


def test_the_text_says_what_was_judged_and_what_it_is_worth() -> None:
    text = report_text(report_of(tuning_result(hand_made(), np.array([0, 0, 0, 1]))))
    assert text.startswith(
        "spmv reaches 0.750 of the best variant on 3 cross-validated inputs (always csr: 0.750)\n"
    )
    words = [line.split() for line in text.splitlines()]
    assert ["tuned", "0.750", "0.325", "0.250", "67", "%"] in words
    assert ["dia", "0.500", "0.050", "0.000", "33", "%"] in words
    assert "b.mtx" in text and "4.00x" in text
    assert "left out, as no variant works there: 1 (d.mtx)" in text


def test_a_model_that_is_not_worth_it_is_called_so() -> None:
    text = report_text(report_of(tuning_result(hand_made(), np.array([1, 1, 1, 0]))))
    assert (
        "(always csr: 0.750, which is better; more training inputs tell for sure)"
        in text.splitlines()[0]
    )


def test_a_variant_that_breaks_its_bound_is_not_what_tuning_has_to_beat() -> None:
    variants = (
        ApproximateVariant("csr", False, 0.5, 0.1, 2, 3, True),
        ApproximateVariant("dia", True, 1.0, 0.0, 3, 3, True),
    )
    result = tuning_result(
        hand_made(),
        np.array([1, 1, 1, 0]),
        approximation=Approximation(0.05, 0.9, 0.9, is_admitted=True, variants=variants),
    )
    report = report_of(result)
    assert "(always dia: 0.500)" in report_text(report).splitlines()[0]
    assert "the best fixed variant, dia" in page(report)


def test_only_features_that_the_model_uses_are_charged() -> None:
    inputs = (ModelInput("log_ratio", "nnz", "rows", 0.0, 1.0),)
    data = hand_made()
    result = tuning_result(data, model=leaf_model(data, inputs=inputs))
    assert result.used_features == ("nnz", "rows")
    assert result.features_cost == 1.0
    summary = report_of(result).summary
    assert summary is not None and summary.net is not None
    assert summary.net.mean < summary.tuned.mean


def test_a_metric_that_is_no_time_is_not_charged() -> None:
    data = dataclasses.replace(hand_made(), cost_seconds=None)
    summary = report_of(tuning_result(data, unit="J")).summary
    assert summary is not None and summary.net is None


def test_features_are_charged_in_the_unit_of_the_costs() -> None:
    inputs = (ModelInput("linear", "nnz", None, 0.0, 1.0),)
    data = dataclasses.replace(hand_made(), cost_seconds=0.25)
    result = tuning_result(data, np.array([0, 1, 0, 0]), model=leaf_model(data, inputs=inputs))
    summary = report_of(result).summary
    assert summary is not None and summary.net is not None
    assert summary.tuned.mean == 1
    assert summary.net.mean == pytest.approx(0.5)  # 0.25 s of features, 0.25 s of the best variant
    often = dict(report_of(result).charged)[100]
    assert often.mean == pytest.approx(1 / 1.01)


def test_the_files_agree(tmp_path: Path) -> None:
    data = training_set(54, 6, 5)
    result = tuning_result(
        data,
        failures=FAILURES,
        feature_curve=feature_curve(data),
        learning_curve=learning_curve(),
        learning_judged_by="test inputs",
        warnings=("one input was too small to time",),
    )
    page = write_report(result, tmp_path / "deep" / "report")
    folder = page.parent
    assert sorted(path.name for path in folder.iterdir()) == [
        "report.html",
        "report.json",
        "report.txt",
    ]
    record = json.loads((folder / "report.json").read_text("utf-8"))
    text = (folder / "report.txt").read_text("utf-8")
    assert f"{record['tuned']['mean']:.3f}" in text.splitlines()[0]
    assert f"{record['tuned']['mean']:.3f}" in page.read_text("utf-8")
    assert record["tuned"]["n"] == len(record["tuned"]["choices"])
    shares = [choice["share"] for choice in record["tuned"]["choices"]]
    assert sum(shares) / len(shares) == pytest.approx(record["tuned"]["mean"])
    assert [score["mean"] for score in record["fixed"]] == sorted(
        (score["mean"] for score in record["fixed"]), reverse=True
    )
    assert record["failures"][2] == dataclasses.asdict(FAILURES[2])
    for part in ("one input was too small to time", "broken.mtx", "+ feature_4", "inputs measured"):
        assert part in text


def test_writing_again_replaces(tmp_path: Path) -> None:
    small = training_set(8, 2, 1)
    write_report(tuning_result(small, wrong=1), tmp_path)
    before = (tmp_path / "report.txt").read_text("utf-8")
    write_report(tuning_result(small, wrong=0), tmp_path)
    assert (tmp_path / "report.txt").read_text("utf-8") != before


def test_a_full_disk_leaves_the_old_report_whole(
    tmp_path: Path, fill_disk: Callable[[str], None]
) -> None:
    """The page is the last to be written: the other two fit."""
    write_report(tuning_result(training_set(12), wrong=1), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    fill_disk("report.html")
    with pytest.raises(OSError, match="No space left"):
        write_report(tuning_result(training_set(12), wrong=0), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_printing_to_a_file_is_plain_and_to_a_terminal_is_not() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    plain, terminal = io.StringIO(), Terminal()
    print_report(tuning_result(), plain)
    print_report(tuning_result(), terminal)
    assert "\x1b" not in plain.getvalue()
    assert plain.getvalue() == report_text(report_of(tuning_result()))
    assert "spmv reaches" in terminal.getvalue()


def test_brackets_in_names_are_no_markup() -> None:
    data = dataclasses.replace(hand_made(), variants=("[bold]csr[/bold]", "[/]"))
    text = report_text(report_of(tuning_result(data)))
    assert "[bold]csr[/bold]" in text
    assert "[/]" in text


def test_every_name_and_count_of_the_confusion_is_readable() -> None:
    data = training_set(200, 11, 2)
    text = report_text(report_of(tuning_result(data, wrong=0.5)))
    part = text[text.index("Best (row)") : text.index("Wrong choices")]
    rows = [line.split() for line in part.splitlines() if "variant_" in line]
    assert [row[1] for row in rows] == list(data.variants)
    assert sum(int(cell) for row in rows for cell in row[2:] if cell != "·") == 200


def test_long_lists_are_cut_and_say_so() -> None:
    text = report_text(report_of(tuning_result(training_set(400, 30, 2), wrong=0.5)))
    assert "and 15 more variants" in text
    assert "more, at most" in text
    assert max(map(len, text.splitlines())) <= 100
    assert len(text.splitlines()) < 110


def test_nothing_to_judge() -> None:
    assert report_text(report_of(tuning_result(evaluation=None))).startswith(
        "spmv: too few inputs to judge the model\n"
    )


def test_json_has_no_number_that_json_lacks(tmp_path: Path) -> None:
    data = dataclasses.replace(hand_made(), feature_seconds=np.array([math.nan, 0.1, 0.1]))
    inputs = (ModelInput("linear", "rows", None, 0.0, 1.0),)
    write_report(tuning_result(data, model=leaf_model(data, inputs=inputs)), tmp_path)
    text = (tmp_path / "report.json").read_text("utf-8")

    def refuse(constant: str) -> float:
        raise AssertionError(constant)

    assert json.loads(text, parse_constant=refuse)["features"][0]["seconds"] == "nan"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 ns"),
        (3.5e-8, "35 ns"),
        (1.24e-3, "1.24 ms"),
        (2.5e-6, "2.5 µs"),
        (340.2, "340 s"),
        (12345.6, "12346 s"),
    ],
)
def test_seconds_text(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text


def test_names_for_people() -> None:
    assert printable("a\nb\x1b[31m密") == "a\\nb\\x1b[31m密"
    assert shortened("short") == "short"
    assert shortened("a" * 20 + "b" * 20, 11) == "aaaaa…bbbbb"


def test_models_importance_and_times_are_shown() -> None:
    data = training_set(seed=3)
    spread = np.where(np.isfinite(data.costs), 0.02, np.nan)
    spread[0, 0] = 0.5
    models = (
        ComparedModel("tree", "of 4 leaves", 0.9, 0.8, 0.7, 0.89, 1e-8, True, "taken: the best"),
        ComparedModel("svm", "C 1", 0.85, 0.7, 0.6, 0.84, 2e-7, False, "not taken: less"),
    )
    result = tuning_result(
        dataclasses.replace(data, spread=spread),
        compared=ModelComparison(models, 100, (("forest", "too slow"),)),
        importance=(FeatureImportance("feature_1", 0.123, 0.01),),
    )
    report = report_of(result)
    text = report_text(report)
    assert "Models compared (net: with a selection's time, spread over 100 calls)" in text
    for line in (
        "tree (taken)   0.9000    0.8000   0.7000   0.8900         10 ns",
        "tree: taken: the best",
        "forest: not trained: too slow",
        "Rule: the best is the forest, or without one the tree, unless another's net share",
        "0.1230 ±0.0100",
    ):
        assert line in text
    times = text.partition("Times of the variants")[2].splitlines()
    row = next(line.split() for line in times if "variant_0" in line)
    assert row[1] == "40"
    assert row[-4:] == ["2.0", "%", "50", "%"]
    html = page(report)
    for part in ("Models compared", "tree (taken)", "0.1230 ±0.0100", "Times of the variants"):
        assert part in html
    record = json.loads(report_json(report))
    assert record["models"]["models"][0]["is_taken"] is True
    assert record["importance"] == [{"feature": "feature_1", "loss": 0.123, "spread": 0.01}]
    assert record["variant_times"][0]["greatest_spread"] == 0.5
