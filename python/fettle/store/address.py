"""Addresses of stores: distinguished from paths of files, and shown without their passwords."""

from __future__ import annotations

import re

_CREDENTIALS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)[^@\s]*@")


def is_address(place: str) -> bool:
    """Whether a text is an address, and not the path of a file."""
    return "://" in place


def without_password(text: str) -> str:
    """A text with the users and passwords left out of all addresses in it.

    An address is taken to end at a blank, and all before its last @ to be a password: one that
    holds an @ or a slash, though neither should, is not shown either.
    """
    return _CREDENTIALS.sub(r"\1", text)
