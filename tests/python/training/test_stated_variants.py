"""What the tuning script states of a function's variants, against what the program registers."""

from __future__ import annotations

import pytest

from fettle.store.subject import Offer
from fettle.training.program import ProgramError
from fettle.training.stated_variants import check_variants

OFFER = Offer(("a", "b", "c"), ("n",), "a", "s", False, {})


@pytest.mark.parametrize("stated", [None, 3, ("a", "b", "c"), ("c", "a", "b")])
def test_what_agrees(stated: int | tuple[str, ...] | None) -> None:
    check_variants("f", OFFER, stated)
    check_variants("f", OFFER, stated, frozenset(["b"]))


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        (1, "has 1 variant, the program registers 3: a, b, c"),
        (2, "has 2 variants, the program registers 3"),
        (("a", "b"), "has the variants a, b, the program registers 3"),
        (("a", "b", "d"), "has the variants a, b, d, the program"),
    ],
)
def test_what_does_not(stated: int | tuple[str, ...], said: str) -> None:
    with pytest.raises(ProgramError, match=f"^the tuning script says that 'f' {said}"):
        check_variants("f", OFFER, stated)


def test_an_allowed_failure_has_to_be_registered() -> None:
    with pytest.raises(ProgramError, match=r"names 'd', but the program registers .*; correct"):
        check_variants("f", OFFER, None, frozenset(["b", "d"]))
