"""The limits of CV-DFS: at least 1 each, and the number of sources may be left open."""

from __future__ import annotations

import pytest

from fettle.core.errors import FettleError
from fettle.training.search_limits import SearchLimits


@pytest.mark.parametrize("name", ["rows", "subset_size", "sources", "kept"])
def test_a_limit_below_one_is_refused_by_name(name: str) -> None:
    assert getattr(SearchLimits(**{name: 1}), name) == 1
    with pytest.raises(FettleError, match=f"SearchLimits: {name} must be at least 1, not 0"):
        SearchLimits(**{name: 0})


def test_all_sources_are_targets_unless_a_number_is_given() -> None:
    assert SearchLimits().sources is None
