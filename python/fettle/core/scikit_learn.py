"""scikit-learn without its checks, which take longer than small models."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_checks() -> Iterator[None]:
    """scikit-learn trusts its parameters and takes the tables for finite. Also a decorator.

    A search fits thousands of trees and machines to a few dozen rows each: checks would take most
    of the time.
    """
    from sklearn import config_context

    with config_context(assume_finite=True, skip_parameter_validation=True):
        yield
