"""Strategies whose packages are missing say what to install."""

from __future__ import annotations

import builtins
import sys
from typing import Any

import pytest
from search_objectives import asked, constrained_space, cost

from fettle.core.errors import FettleError
from fettle.search.optional import optional_module
from fettle.search.registry import make_strategy


@pytest.mark.parametrize(("name", "package"), [("cma_es", "cma"), ("tpe", "optuna")])
def test_a_missing_package(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(
        FettleError, match=f"'{name}' needs the package {package} .* -m pip install {package},"
    ):
        make_strategy(name, constrained_space(), 1)


def test_a_gaussian_process_needs_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("optuna")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(FettleError, match=r"'gaussian_process' needs the package torch .* torch,"):
        make_strategy("gaussian_process", constrained_space(), 1)


def test_nothing_is_imported_before_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    ordinary = builtins.__import__

    def refuse(name: str, *rest: Any, **named: Any) -> Any:
        assert name.partition(".")[0] not in ("cma", "optuna", "torch")
        return ordinary(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    make_strategy("random", constrained_space(), 1)
    assert optional_module("json", "random").dumps([1]) == "[1]"


def test_a_gaussian_process() -> None:
    """Few measurements: each suggestion takes long."""
    pytest.importorskip("torch", reason="torch, which optuna's GPSampler needs, is not installed")
    space = constrained_space()
    first, again = (
        asked(make_strategy("gaussian_process", space, 2, 14), space, cost) for _ in range(2)
    )
    assert [point for point, _ in first] == [point for point, _ in again]
    assert len(first) == 14
