"""The HTML page: complete, self-contained, escaped, and there for degenerate results too."""

from __future__ import annotations

import dataclasses
import math
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hand_made_results import (
    DELIVERED,
    FAILURES,
    feature_curve,
    leaf_model,
    learning_curve,
    training_set,
    tuning_result,
)

from fettle.data.tuning_result import TuningResult
from fettle.model.model import ModelInput
from fettle.report.contents import report_of
from fettle.report.page import page
from fettle.report.variant_map import variant_map

VOID = {"meta", "path", "use", "line", "rect", "circle", "image"}


class Checker(HTMLParser):
    """Raises where tags do not match; keeps tags, text and everything that refers elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text: list[str] = []
        self.references: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.references += [v or "" for k, v in attrs if k in {"src", "href", "xlink:href"}]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def checked(result: TuningResult) -> Checker:
    document = page(report_of(result))
    checker = Checker()
    checker.feed(document)
    checker.close()
    assert checker.open == []
    assert "script" not in checker.tags
    assert len(checker.ids) == len(set(checker.ids))
    assert all(target.startswith(("#", "data:image/png;base64,")) for target in checker.references)
    assert not re.search(r"url\((?!#)|@import", document)
    return checker


def full_result() -> TuningResult:
    data = training_set(54, 6, 5)
    return tuning_result(
        data,
        failures=FAILURES,
        feature_curve=feature_curve(data),
        learning_curve=learning_curve(),
        learning_judged_by="test inputs",
        delivered=DELIVERED,
    )


def test_every_part_is_there() -> None:
    checker = checked(full_result())
    text = " ".join(checker.text)
    for part in (
        "Tuned, and each variant alone",
        "The whole distribution",
        "Where each variant wins",
        "Best and chosen",
        "What the features are worth",
        "Learning",
        "Wrong choices",
        "Not measured",
        "segmentation fault",
        "12.5 s, 41 program starts, 960 measured runs",
        "a processor",
        "share_of_best",
        "spmv: 1.18 times as fast as untuned on 2 inputs not trained on (95 % confidence 1.01 to "
        "1.38; 0.98 at least, 2.3 at most), measured alternately",
        "1.18 x",
        "2.5 s, 2 program starts",
    ):
        assert part in text
    assert checker.tags.count("svg") == 6


def test_absent_parts_are_not_shown() -> None:
    checker = checked(tuning_result(wrong=0))
    text = " ".join(checker.text)
    assert "Not measured" not in text
    assert "untuned" not in text
    assert "What the features are worth" not in text
    assert "the best variant was chosen everywhere" in text
    assert checker.tags.count("svg") == 4


def test_pictures_follow_the_theme_of_the_page() -> None:
    document = page(report_of(full_result()))
    assert not re.search("#0[1-9a-d]0[2-9a-e]0[3-9a-f]", document)  # no sentinel is left
    assert "prefers-color-scheme: dark" in document
    assert "var(--accent)" in document and "currentColor" in document


def test_names_are_escaped_and_never_read_as_mathematics() -> None:
    data = dataclasses.replace(
        training_set(20, 3, 2),
        function="f<script>alert(1)</script>",
        variants=("行列", '<b>&"fast"</b>', "$x^2$\n"),
        features=("größe_$a$", "密度"),
        inputs=tuple(f"データ/<i>{k}</i>&\x00" for k in range(20)),
    )
    checker = checked(tuning_result(data))
    text = "".join(checker.text)
    assert "f<script>alert(1)</script>" in text
    assert '<b>&"fast"</b>' in text
    assert "$x^2$\\n" in text
    assert "größe_$a$" in text
    assert "\x00" not in text
    assert "b" not in checker.tags[checker.tags.index("table") :]


@pytest.mark.parametrize(
    ("inputs", "variants", "features"), [(1, 1, 1), (1, 3, 2), (12, 2, 1), (30, 1, 3)]
)
def test_small_results(inputs: int, variants: int, features: int) -> None:
    checked(tuning_result(training_set(inputs, variants, features)))


def test_no_features_at_all() -> None:
    checked(tuning_result(training_set(10, 3, 0)))


def test_a_large_result_stays_a_small_page() -> None:
    data = training_set(5000, 60, 8)
    result = tuning_result(data, wrong=0.4)
    checked(result)
    assert len(page(report_of(result))) < 2_000_000


def test_constant_features_have_no_map() -> None:
    data = dataclasses.replace(training_set(20, 3, 2), values=np.ones((20, 2)))
    assert variant_map(report_of(tuning_result(data))) is None
    checked(tuning_result(data))


def test_the_map_shows_what_the_model_misses() -> None:
    data = training_set(60, 3, 2)  # the first feature decides
    model = leaf_model(data, inputs=(ModelInput("log", "feature_1", None, 0.0, 1.0),))
    chart = variant_map(report_of(tuning_result(data, model=model)))
    assert chart is not None
    assert 'aria-label="Best variant over feature_0 and feature_1"' in chart


def test_features_that_are_no_numbers_are_drawn_at_the_edge() -> None:
    data = training_set(20, 3, 2)
    data.values[:3, 0] = [math.nan, math.inf, -5.0]
    data.values[:2, 1] = [0.0, 1e300]
    assert variant_map(report_of(tuning_result(data))) is not None


def test_nothing_worked() -> None:
    data = dataclasses.replace(training_set(5, 3, 2), costs=np.full((5, 3), math.inf))
    checker = checked(tuning_result(data, failures=FAILURES))
    assert "segmentation fault" in " ".join(checker.text)


def test_too_few_inputs_to_judge() -> None:
    text = " ".join(checked(tuning_result(evaluation=None)).text)
    assert "too few inputs to judge the model" in text
    assert "variant_1" in text
