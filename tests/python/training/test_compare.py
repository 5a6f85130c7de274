"""One start of the program that runs models against each other: what is kept of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stand_in import StandIn
from stand_in_measurer import call, measurer_in, tell

from fettle import CodeVariant
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.model.trees import one_leaf
from fettle.training.compare import FORMER, NEW, UNTUNED, Compared, compare
from fettle.training.compiled_policy import options_of
from fettle.training.program import InputError, ProgramError
from fettle.training.record import Call, Failed, Misuse, Sample
from fettle.training.request import Measuring

ALWAYS_B = Model("f", ("a", "b"), ("n",), (), one_leaf([1.0, 0.0]), "a", None, {})
ALWAYS_A = replace(ALWAYS_B, predictor=one_leaf([0.0, 1.0]))


def compared(folder: Path, *calls: dict[str, Any], former: bool = False, **options: Any) -> Any:
    write_model(folder / "new", ALWAYS_B)
    write_model(folder / "former", ALWAYS_A)
    given = tell(folder, "x", *calls, **options.pop("told", {}))
    before = folder / "former" if former else None
    return compare(measurer_in(folder, **options), given, folder / "new", before, Measuring())


def test_samples_are_kept_by_call_and_contender(tmp_path: Path) -> None:
    StandIn(tmp_path)
    found = compared(tmp_path, call(1, a=4e-3, b=1e-3), call(2, a=1e-3, b=2e-3), former=True)
    assert found.samples == {
        0: {UNTUNED: [4e-3] * 3, FORMER: [4e-3] * 3, NEW: [1e-3] * 3},
        1: {UNTUNED: [1e-3] * 3, FORMER: [1e-3] * 3, NEW: [2e-3] * 3},
    }
    assert found.failed == {}
    assert found.seconds > 0
    assert not list((tmp_path / "logs").iterdir()), "the log was read"


def test_a_contender_that_fails_is_named(tmp_path: Path) -> None:
    StandIn(tmp_path)
    assert compared(tmp_path, call(a=4e-3, b="crash")).failed == {NEW: "crashed with SIGSEGV"}
    assert compared(tmp_path, call(a=4e-3, b="throw")).failed == {NEW: "exception: bad luck"}


def test_a_program_that_compares_nothing_is_an_error_of_the_input(tmp_path: Path) -> None:
    StandIn(tmp_path)
    with pytest.raises(InputError, match=r"^x: the program crashed with .*compared nothing"):
        compared(tmp_path, told={"begin": "crash"})
    with pytest.raises(InputError, match=r"^x: move-only argument without set_reset"):
        compared(tmp_path, call(a=1e-3), told={"misuse": True})


def test_a_program_that_measures_instead_is_told_to_be_built_anew(tmp_path: Path) -> None:
    StandIn(tmp_path, old=True)
    with pytest.raises(InputError, match="build it again with the headers"):
        compared(tmp_path, call(a=1e-3, b=1e-3))


def test_the_policy_is_checked(tmp_path: Path) -> None:
    wanted = options_of(CodeVariant("f", strict=True))
    StandIn(tmp_path, policy=wanted | {"strict": False})
    with pytest.raises(ProgramError, match="strict=True"):
        compared(tmp_path, call(a=1e-3, b=1e-3), options=wanted)


def test_of_several_failures_the_first_counts() -> None:
    found = Compared()
    found.handle(Call(0, "x", {}, {}))
    found.handle(Sample(0, NEW, (1.0,)))
    found.handle(Sample(0, NEW, (2.0, 3.0)))
    found.handle(Failed(0, NEW, "wrong"))
    found.handle(Failed(1, NEW, "later"))
    assert (found.samples, found.failed) == ({0: {NEW: [1.0, 2.0, 3.0]}}, {NEW: "wrong"})
    with pytest.raises(InputError, match="cannot"):
        found.handle(Misuse("cannot be trained"))
