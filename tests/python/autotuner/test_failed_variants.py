"""What failed in training, or on a test input, is never chosen, and the tuner says so first."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn
from tuned_stand_in import function

from fettle.autotuner import Autotuner
from fettle.classifiers import (
    ForestClassifier,
    SvmClassifier,
    ThresholdClassifier,
    TreeClassifier,
)
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.native import native
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import TuningResult
from fettle.model.model import Model
from fettle.model.model_directory import read_model
from fettle.model.trees import NEVER, TreePredictor

Maker = Callable[..., Autotuner]
VARIANTS = ("safe", "small", "large")
SIZES = [0.0, 2.0, 5.0, 9.0, 11.0, 30.0]


def chosen(folder: Path, sizes: list[float] = SIZES) -> set[str]:
    """What the deployed model chooses for inputs within and beyond those trained on."""
    model = native().Model(str(folder / "fettle_models" / "f"))
    indices, _ = model.select_many(np.array(sizes)[:, None])
    return {model.variants[index] for index in indices}


def write_inputs(folder: Path, count: int = 12, **bad: str) -> None:
    """ "small" and "large" are the best of three on half of the inputs each; some fail there."""
    for size in range(count):
        seconds: dict[str, Any] = {"safe": 8e-3, "small": 1e-3 * (size + 1), "large": 6.5e-3}
        call = {"features": {"n": size}, "variants": seconds}
        if f"in{size:02}" in bad:
            variant, what = bad[f"in{size:02}"].split()
            seconds[variant] = what
        (folder / f"in{size:02}").write_text(json.dumps({"calls": [call]}))


@pytest.fixture
def three(tmp_path: Path) -> StandIn:
    return StandIn(tmp_path, variants=list(VARIANTS))


def three_variants(**options: Any) -> CodeVariant:
    return CodeVariant("f", VARIANTS, **{"classifier": QuickClassifier(), **options})


def withheld(result: TuningResult) -> list[str]:
    return [one.variant for one in result.failed if not one.allowed]


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("crash", "crashed with SIGSEGV"),
        ("hang", "ran longer than its limit of 4 s and was killed"),
        ("throw", "exception: bad luck"),
        ("wrong", "wrong result"),
        ("exit", "exited with code 3"),
    ],
)
def test_a_variant_that_failed_on_one_input_is_not_chosen(
    what: str, reason: str, tmp_path: Path, three: StandIn, tuner: Maker, capsys: Any
) -> None:
    made = tuner(timeout=4)
    write_inputs(tmp_path, in10=f"large {what}")
    [result] = made.tune([three_variants()])
    assert chosen(tmp_path) == {"safe", "small"}
    [failed] = result.failed
    assert (failed.variant, failed.inputs, failed.ran_on) == ("large", 1, 12)
    assert (failed.first, failed.reason) == ("in10", reason)
    assert read_model(tmp_path / "fettle_models" / "f").provenance["never_chosen"] == "large"
    first, *rest = capsys.readouterr().out.splitlines()
    assert not any(line.startswith("large ") for line in rest), "no fixed variant to compare with"
    assert first.startswith(f"f: 'large' failed on 1 of 12 inputs, first on 'in10': {reason}; ")
    assert "add a constraint that excludes such inputs" in first
    assert "allow_failures=['large'] in the tuning script" in first


def test_a_variant_that_is_slow_on_one_input_may_be_chosen_on_others(
    tmp_path: Path, three: StandIn, tuner: Maker, capsys: Any
) -> None:
    made = tuner()
    write_inputs(tmp_path, in10="safe slow", in00="large slow")
    [result] = made.tune([three_variants()])
    assert chosen(tmp_path) == {"small", "large"}
    assert result.failed == ()
    assert "failed" not in capsys.readouterr().out


@pytest.mark.parametrize("classifier", [SvmClassifier, TreeClassifier, ForestClassifier])
def test_no_classifier_chooses_it(
    classifier: Any, tmp_path: Path, three: StandIn, tuner: Maker
) -> None:
    made = tuner()
    write_inputs(tmp_path, in10="large wrong")
    made.tune([three_variants(classifier=classifier())])
    assert chosen(tmp_path) <= {"safe", "small"}
    predictor = read_model(tmp_path / "fettle_models" / "f").predictor
    if isinstance(predictor, TreePredictor):
        assert {cost[2] for tree in predictor.trees for cost in tree.cost if cost} == {NEVER}


class Reckless(QuickClassifier):
    """Takes the last variant everywhere, whatever it costs."""

    def fit(self, data: TrainingSet) -> Model:
        costs = np.ones_like(data.costs)
        costs[:, -1] = 0.5
        return super().fit(
            TrainingSet(**{**vars(data), "costs": costs, "feature_times": None, "exhaustive": None})
        )


def test_a_classifier_of_the_users_own_cannot_choose_it_either(
    tmp_path: Path, three: StandIn, tuner: Maker
) -> None:
    made = tuner()
    write_inputs(tmp_path)
    made.tune([three_variants(classifier=Reckless())])
    assert chosen(tmp_path) == {"large"}
    write_inputs(tmp_path, in10="large wrong")
    made.tune([three_variants(classifier=Reckless())])
    assert "large" not in chosen(tmp_path)


def test_a_chain_that_names_it_is_refused(tmp_path: Path, three: StandIn, tuner: Maker) -> None:
    made = tuner()
    write_inputs(tmp_path, in10="large wrong")
    chain = ThresholdClassifier([("large", "n")], otherwise="small")
    with pytest.raises(FettleError, match="names the variant 'large', which failed on some input"):
        made.tune([three_variants(classifier=chain)])


def test_a_failure_on_a_test_input_counts(tmp_path: Path, three: StandIn, tuner: Maker) -> None:
    made = tuner()
    write_inputs(tmp_path, 14, in13="large wrong")
    made.set_test_args(["in12", "in13"])
    [result] = made.tune([three_variants()])
    assert withheld(result) == ["large"]
    assert chosen(tmp_path) == {"safe", "small"}
    assert result.evaluation is not None
    assert np.isinf(result.evaluation.data.costs[:, 2]).all(), "nor is anything compared with it"


def test_incremental_tuning_does_not_choose_it(
    tmp_path: Path, three: StandIn, tuner: Maker
) -> None:
    made = tuner()
    write_inputs(tmp_path, **{f"in{size:02}": "large throw" for size in range(8, 12)})
    [result] = made.itune([three_variants()], iterations=8)
    assert withheld(result) == ["large"]
    assert chosen(tmp_path) == {"safe", "small"}


def test_a_constraint_makes_it_selectable_again(
    tmp_path: Path, three: StandIn, tuner: Maker
) -> None:
    made = tuner()
    write_inputs(tmp_path, in03="large wrong")
    made.tune([three_variants()])
    assert "large" not in chosen(tmp_path)
    three.change(comment="a constraint was added")
    write_inputs(tmp_path, in03="large exclude")
    [result] = made.tune([three_variants()])
    assert result.failed == ()
    assert chosen(tmp_path) == {"small", "large"}


def test_the_script_may_allow_failures(
    tmp_path: Path, three: StandIn, tuner: Maker, capsys: Any
) -> None:
    made = tuner()
    write_inputs(tmp_path, in03="large wrong")
    [result] = made.tune([three_variants(allow_failures=["large"])])
    assert chosen(tmp_path) == {"small", "large"}
    assert result.training.failed_on == (0, 0, 1)
    assert result.warnings == ()
    first = capsys.readouterr().out.splitlines()[0]
    assert "'large' failed on 1 of 12 inputs" in first
    assert "may be chosen all the same, as allow_failures says" in first
    with pytest.raises(FettleError, match=r"allow_failures of 'f' names 'larg', but the program"):
        made.tune([three_variants(allow_failures=["larg"])])


def test_it_is_said_where_the_model_chooses_what_failed(
    tmp_path: Path, three: StandIn, tuner: Maker
) -> None:
    made = tuner(40)
    write_inputs(tmp_path, 40, in20="large throw")
    allowed = three_variants(allow_failures=["large"], classifier=SvmClassifier())
    [result] = made.tune([allowed])
    assert result.warnings == (
        "f: the model chooses what failed on 1 of 40 training inputs, as allow_failures lets it, "
        "first 'large' on 'in20': add a constraint that excludes them",
    )


def test_an_input_without_a_feature_is_no_failure_of_a_variant(
    tmp_path: Path, three: StandIn, tuner: Maker
) -> None:
    made = tuner(40)
    write_inputs(tmp_path, 40)
    call = {"features": {"n": "nan"}, "variants": {"safe": 1e-3, "small": 1e-3, "large": 1e-3}}
    (tmp_path / "in20").write_text(json.dumps({"calls": [call]}))
    [result] = made.tune([three_variants()])
    assert len(result.training) == 39
    assert not [said for said in result.warnings if "allow_failures" in said]


def test_a_default_that_failed_is_named_and_not_chosen(
    tmp_path: Path, three: StandIn, tuner: Maker, capsys: Any
) -> None:
    made = tuner()
    write_inputs(tmp_path, in00="safe crash")
    three.change(variants=["safe", "small"])
    made.tune([CodeVariant("f", 2, classifier=QuickClassifier())])
    assert chosen(tmp_path) == {"small"}
    model = read_model(tmp_path / "fettle_models" / "f")
    assert model.default == "safe"
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("f: the default variant 'safe' failed on 1 of 12 inputs, first on")
    assert "calls still fall back to it" in first


def test_where_no_variant_remains_what_was_deployed_stays(
    tmp_path: Path, app: StandIn, tuner: Maker
) -> None:
    made = tuner()
    made.tune([function()])
    model = tmp_path / "fettle_models" / "f"
    before = {path.name: path.read_bytes() for path in model.iterdir()}
    for name, bad in (("in03", "small"), ("in04", "large")):
        given = json.loads((tmp_path / name).read_text())
        given["calls"][0]["variants"][bad] = "throw"
        (tmp_path / name).write_text(json.dumps(given))
    with pytest.raises(FettleError, match="'f': there is no input to learn from") as error:
        made.tune([function()])
    assert "in00: the variants that work on this input failed on others" in str(error.value)
    assert "what was deployed before stays. Mend them, add constraints" in str(error.value)
    assert {path.name: path.read_bytes() for path in model.iterdir()} == before


@pytest.mark.parametrize("metric", [0, 5e-324, 1e-310, -1e-3])
def test_what_returns_no_time_is_refused_by_name(
    metric: float, tmp_path: Path, three: StandIn, tuner: Maker, capsys: Any
) -> None:
    made = tuner()
    three.change(unit="returned")  # of which the script says that it is seconds
    write_inputs(tmp_path)
    given = json.loads((tmp_path / "in04").read_text())
    given["calls"][0]["variants"]["large"] = metric
    (tmp_path / "in04").write_text(json.dumps(given))
    made.tune([three_variants(metric="seconds")])
    assert "large" not in chosen(tmp_path)
    first = capsys.readouterr().out.splitlines()[0]
    assert (
        f"'large' failed on 1 of 12 inputs, first on 'in04': its metric {metric:g} is no" in first
    )
    assert "return what the clock says, or nothing, and Fettle times the call" in first


@pytest.mark.parametrize("larger", [False, True])
def test_another_metric_may_be_0_but_not_negative(
    larger: bool, tmp_path: Path, three: StandIn, tuner: Maker
) -> None:
    made = tuner()
    three.change(unit="returned", larger_is_better=larger)
    write_inputs(tmp_path)
    for name, metric in (("in04", 0), ("in05", -1.0)):
        given = json.loads((tmp_path / name).read_text())
        given["calls"][0]["variants"] = {"safe": 1.0, "small": 2.0, "large": metric}
        (tmp_path / name).write_text(json.dumps(given))
    [result] = made.tune([three_variants(larger_is_better=larger, allow_failures=["large"])])
    assert result.training.costs[4, 2] == (math.inf if larger else 1e-12)
    [failed] = result.failed
    assert (failed.variant, failed.first) == ("large", "in05")
    assert failed.reason.startswith("its metric -1 is negative; return a number from 0 on, or, if")


def test_other_variants_are_not_compared_with_it(
    tmp_path: Path, three: StandIn, tuner: Maker
) -> None:
    made = tuner()
    write_inputs(tmp_path, in11="large wrong")
    [result] = made.tune([three_variants()])
    assert np.isinf(result.training.costs[:, 2]).all()
    assert result.training.exhaustive is not None
    assert result.training.exhaustive[10] == 8e-3, "the best of what may be chosen"


def test_the_page_begins_with_a_red_box(tmp_path: Path, three: StandIn, tuner: Maker) -> None:
    made = tuner(report_directory="reports")
    write_inputs(tmp_path, in10="large wrong", in11="large wrong")
    [result] = made.tune([three_variants()])
    page = (tmp_path / "reports" / "f" / "report.html").read_text()
    box = re.search(r'<body>\n<div class="bad"><p>(.*?)</p></div>\n<h1>', page)
    assert box and "&#x27;large&#x27; failed on 2 of 12 inputs" in box[1]
    assert ".bad {\n  border: 2px solid var(--bad)" in page
    record = json.loads((tmp_path / "reports" / "f" / "report.json").read_text())
    assert record["failed"][0]["variant"] == "large"
    assert math.isinf(result.training.costs[0, 2])
