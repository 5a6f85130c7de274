"""Linear algebra on one thread, for matrices that are too small to share out."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any


class OneBlasThread:
    """`with one():` runs the BLAS libraries that were loaded when `one` was made on one thread.

    Surrogates have a few dozen rows: several threads wait for each other longer than they compute,
    on a busy machine 20 times as long. Making one takes a millisecond, entering it microseconds.
    Afterwards the libraries have the threads that they had before.
    """

    def __init__(self) -> None:
        from threadpoolctl import ThreadpoolController

        self._libraries = ThreadpoolController()

    def __call__(self) -> AbstractContextManager[Any]:
        """A context in which the libraries have one thread."""
        limits: AbstractContextManager[Any] = self._libraries.limit(limits=1, user_api="blas")
        return limits
