"""`deterministic=True`: only variants whose output is the default's bit by bit on every input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from quick_classifier import QuickClassifier
from stand_in import StandIn

from fettle.autotuner import Autotuner
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError

Maker = Callable[..., Autotuner]
VARIANTS = ("safe", "same", "rounds")


def strict(**options: Any) -> CodeVariant:
    return CodeVariant(
        "f", VARIANTS, classifier=QuickClassifier(), **{"deterministic": True, **options}
    )


@pytest.fixture
def made(tmp_path: Path, tuner: Maker) -> Autotuner:
    """ "rounds" is the fastest; on one input its output has other bits."""
    StandIn(tmp_path, variants=list(VARIANTS))
    made = tuner()
    write_inputs(tmp_path, other="in07")
    return made


def write_inputs(folder: Path, other: str = "", uncompared: str = "") -> None:
    for size in range(12):
        name = f"in{size:02}"
        variants: dict[str, Any] = {
            "safe": 5e-3,
            "same": [2e-3, True],
            "rounds": [1e-3, name != other],
        }
        if name == uncompared:
            variants["same"] = 2e-3
        call = {"features": {"n": size}, "variants": variants}
        (folder / name).write_text(json.dumps({"calls": [call]}))


def test_what_gave_other_bits_on_one_input_is_not_chosen(made: Autotuner, capsys: Any) -> None:
    [free] = made.tune([strict(deterministic=False)])
    assert free.failed == () and free.training.costs[0].tolist() == [5e-3, 2e-3, 1e-3]
    capsys.readouterr()
    [result] = made.tune([strict()])
    assert result.effort.variant_runs == 0, "the bits are in the store"
    [differing] = result.failed
    assert (differing.variant, differing.inputs, differing.first) == ("rounds", 1, "in07")
    assert result.evaluation is not None
    chosen = {result.training.variants[k] for k in result.evaluation.chosen}
    assert chosen == {"same"}
    assert capsys.readouterr().out.splitlines()[0] == (
        "f: 'rounds' gave another output than the default on 1 of 12 inputs, first on 'in07': not "
        "the same bit by bit; it is never chosen, as deterministic=True says"
    )


def test_without_a_comparison_it_is_an_error_at_once(made: Autotuner, tmp_path: Path) -> None:
    write_inputs(tmp_path, uncompared="in02")
    message = r"that of 'same' on in02 was not\. Give the function set_verify\(capture\)"
    with pytest.raises(FettleError, match=message):
        made.tune([strict()])
    runs = (tmp_path / "runs.txt").read_text()
    assert "rounds in02" in runs and "in03" not in runs
    with pytest.raises(FettleError, match=message):
        made.tune([strict()])
