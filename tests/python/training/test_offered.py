"""What a program offers: by its header, against what the tuning script says of it."""

from __future__ import annotations

import pytest

from fettle.store.subject import Offer
from fettle.training.offered import check_variants, offer_of
from fettle.training.program import ProgramError
from fettle.training.record import Header

OFFER = Offer(("a", "b", "c"), ("n",), "a", "s", False, {})


@pytest.mark.parametrize(("seconds", "unit"), [(False, "returned"), (True, "s")])
def test_an_offer_is_what_the_header_tells(seconds: bool, unit: str) -> None:
    header = Header("f", ("a", "b"), ("n",), "b", "returned", False, {"cores": "2"}, "")
    offer = offer_of(header, "f", {}, returns_seconds=seconds)
    assert offer == Offer(("a", "b"), ("n",), "b", unit, False, {"cores": "2"})


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (Header("g", ("a",), (), "a", "s", False, {}, ""), "asked to train 'f' but trains 'g'"),
        (
            Header("f", ("a\n",), (), "a", "s", False, {}, ""),
            r"'f' has a variant whose name is not UTF-8 text without control characters",
        ),
        (
            Header("f", ("a",), ("n\x7f",), "a", "s", False, {}, ""),
            r"'f' has a feature whose name",
        ),
    ],
)
def test_a_function_that_cannot_be_trained_is_told(header: Header, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        offer_of(header, "f", {}, returns_seconds=False)


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
