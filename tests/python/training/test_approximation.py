"""Which approximate variants a model may choose, and what is said of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from fettle.classifiers import TreeClassifier
from fettle.cli import main
from fettle.core.errors import FettleError
from fettle.data.approximation import Approximation, InputError
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import FailedVariant
from fettle.model.model import Model
from fettle.model.model_directory import read_model, write_model
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.approximation import admit
from fettle.training.code_variant import CodeVariant
from fettle.training.errors import check_approximate
from fettle.training.examples import make_table
from fettle.training.failed import FailedVariants
from fettle.training.trainer import Trainer

TRAINER = Trainer(TreeClassifier())


def offer(bound: float | None = 0.05) -> Offer:
    quality: dict[str, object] = {"approximate": ["rough"]}
    if bound is not None:
        quality["bound"] = bound
    return Offer(("exact", "rough"), ("n",), "exact", "s", False, {}, quality=quality)


def examples(
    count: int, seed: int, *, wrong: Sequence[int] = ()
) -> list[tuple[str, list[Example]]]:
    """Calls whose error is 10 / n give or take 10 %, but 1 on the inputs `wrong`."""
    random = np.random.default_rng(seed)
    found = []
    for i, n in enumerate(np.exp(random.uniform(3, 9, count)).tolist()):
        error = 1.0 if i in wrong else 10 / n * random.uniform(0.9, 1.1)
        one = Example(0, {"n": n}, {"n": 1e-9})
        one.samples = {"exact": [n * 1e-6], "rough": [n * 1e-7]}
        one.verdicts = dict.fromkeys(one.samples, ("measured", ""))
        one.others = {"rough": {"error": [error]}}
        found.append((f"input {i}", [one]))
    return found


def table(count: int, seed: int, of: Offer, *, wrong: Sequence[int] = ()) -> TrainingSet:
    return make_table("f", of, examples(count, seed, wrong=wrong)).data


@cache
def fitted() -> tuple[TrainingSet, Model]:
    """The training inputs, and a model of the times where the bound is kept."""
    data = table(200, 1, offer())
    return data, TRAINER.fit(data)


def admitted(
    held_out: int, *, wrong: Sequence[int] = (), **options: float
) -> tuple[Model, Approximation]:
    of = offer()
    data, model = fitted()
    test = table(held_out, 2, of, wrong=wrong) if held_out else None
    function = CodeVariant("f", **options)  # type: ignore[arg-type]
    return admit(TRAINER, function, of, model, data, test)


def test_costs_are_infinite_where_the_error_is_beyond_the_bound() -> None:
    data = table(50, 1, offer())
    assert data.errors is not None
    assert data.measured is not None
    beyond = data.errors[:, 1] > 0.05
    assert beyond.any()
    assert not beyond.all()
    np.testing.assert_array_equal(np.isinf(data.costs[:, 1]), beyond)
    assert np.isfinite(data.measured).all()
    assert np.isinf(table(50, 1, offer(None)).costs[:, 1]).all()


def test_what_is_measured_against_an_exact_default_that_failed_says_nothing() -> None:
    crashed = FailedVariant.of("exact", {"a"}, {"a": "crashed"}, advice="", is_default=True)
    found = make_table("f", offer(), examples(10, 1), failed=FailedVariants((crashed,)))
    assert len(found.data) == 0


def test_299_inputs_without_a_miss_prove_it() -> None:
    model, found = admitted(299)
    assert found.is_admitted
    assert found.misses == 0
    assert found.proven == pytest.approx(0.99, abs=1e-4)
    assert found.approximate > 150
    assert found.speedup > 3
    assert model.errors is not None
    assert list(model.errors.admissions) == ["rough"]
    test = table(1000, 3, offer())
    assert test.errors is not None
    chosen = TRAINER.choose(model, test.values)
    errors = test.errors[np.arange(1000), chosen]
    assert (errors <= 0.05).mean() >= 0.99
    assert (chosen == 1).mean() > 0.5


def test_with_fewer_inputs_the_exact_variant_stays_and_it_says_how_many_are_missing() -> None:
    model, found = admitted(298)
    assert not found.is_admitted
    assert "1 more are needed" in found.reason
    assert model.errors is not None
    assert not model.errors.admissions
    assert set(TRAINER.choose(model, table(50, 3, offer()).values)) == {0}
    _, none = admitted(0)
    assert "299 more are needed" in none.reason
    _, less = admitted(59, coverage=0.95)
    assert less.is_admitted


def test_a_miss_needs_more_inputs() -> None:
    large = [i for i, (_, [one]) in enumerate(examples(473, 2)) if one.features["n"] > 4000]
    _, found = admitted(472, wrong=large[:1])
    assert not found.is_admitted
    assert "missed on 1 of 472 held-out inputs, where 473" in found.reason
    _, enough = admitted(473, wrong=large[:1])
    assert enough.is_admitted
    assert enough.nearly[0].error == 1.0


def test_an_embedded_model_admits_what_another_one_does() -> None:
    model, found = admitted(299, embed_model=True)
    assert found.is_admitted
    assert found.reason == ""
    assert model.errors == admitted(299)[0].errors


def test_without_a_bound_nothing_approximate_is_chosen() -> None:
    of = offer(None)
    data = table(50, 1, of)
    model, found = admit(TRAINER, CodeVariant("f"), of, TRAINER.fit(data), data, None)
    assert model.errors is not None
    assert not model.errors.admissions
    assert "set_quality(error, bound)" in next(iter(found.lines()))


def test_the_report_has_the_front_and_the_near_misses() -> None:
    _, found = admitted(400)
    text = "\n".join(found.lines())
    assert "an error of at most 0.05 on 99 % of inputs at 95 % confidence" in text
    assert "held-out inputs, which proves at least" in text
    assert "rough: 0.1 of the best exact time" in text
    assert "nearly missed on input" in text
    assert found.fronts is not None
    assert {point.variant for point in found.fronts["input 0"]} == {"exact", "rough"}
    assert Approximation.restored(asdict(found)) == found


def test_what_variants_take_is_their_time_whatever_the_objective() -> None:
    data, model = fitted()
    test = table(400, 2, offer())
    paid = test.costs if test.measured is None else test.measured
    cubed = replace(test, costs=test.costs**3, measured=paid)
    _, plain = admit(TRAINER, CodeVariant("f"), offer(), model, data, test)
    _, found = admit(TRAINER, CodeVariant("f"), offer(), model, data, cubed)
    assert "rough: 0.1 of the best exact time" in "\n".join(found.lines())
    assert found.speedup == pytest.approx(plain.speedup)


def test_an_error_that_is_not_known_is_a_miss() -> None:
    _, found = admitted(400)
    near = (InputError("one", "rough", math.nan), InputError("two", "rough", 0.045))
    text = "\n".join(replace(found, nearly=near).lines())
    assert "\nmissed on one: rough, error nan" in text
    assert "nearly missed on two: rough, error 0.045" in text


def test_a_model_with_errors_is_written_and_read(tmp_path: Path) -> None:
    model, _ = admitted(299)
    write_model(tmp_path, model)
    assert (tmp_path / "model.txt").read_text().startswith("fettle-model 4\n")
    assert read_model(tmp_path) == model


def test_choices_that_keep_to_the_bound_are_told_from_those_outside_the_region(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, _ = admitted(299)
    write_model(tmp_path / "f", model)
    rows = "".join(f"{n},{n * 1e-6},{n * 1e-7}\n" for n in (195, 196, 5000, 1e9))
    (tmp_path / "t.csv").write_text("n,exact,rough\n" + rows)
    assert main(["predict", "--model", str(tmp_path / "f"), "--values", "n=195"]) == 0
    told = capsys.readouterr()
    assert told.out == "exact\n"
    why = "the default variant (an approximate one might miss the bound 0.05)"
    assert told.err == f"error bound: {why}\n"
    assert (
        main(["evaluate", "--table", str(tmp_path / "t.csv"), "--model", str(tmp_path / "f")]) == 0
    )
    text = capsys.readouterr().out
    assert "1 of 4 inputs are outside the trained region: the default variant was taken" in text
    assert "on 2 of 4 inputs an approximate variant might miss the bound on the error" in text


def test_what_is_not_tuned_together_is_refused() -> None:
    with pytest.raises(FettleError, match="not tuned together with parameters"):
        check_approximate("f", offer(), has_parameters=True)
    with pytest.raises(FettleError, match="a metric is named 'error'"):
        check_approximate("f", replace(offer(), metrics={"error": ""}), has_parameters=False)
    check_approximate("f", replace(offer(), quality={}), has_parameters=True)
