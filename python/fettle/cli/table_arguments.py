"""What `fettle train`, `fettle evaluate` and `fettle predict` have in common.

They need no program: a table has a column a feature and a column a variant's cost
(fettle.data.table).
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

TABLE_HELP = "CSV file with a header line: a column a feature, a column a variant's cost"
MODEL_HELP = "the directory that `fettle train` or `fettle tune` wrote"


def names(text: str) -> tuple[str, ...]:
    """An option's list of columns: a,b,c."""
    columns = tuple(name.strip() for name in text.split(","))
    if not all(columns):
        raise argparse.ArgumentTypeError(f"expected a list of columns such as a,b,c, got {text!r}")
    return columns


def non_negative(text: str) -> int:
    """An option's whole number of at least 0."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number < 2**31:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 0, got {text!r}")
    return number


@contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Show each warning of Fettle as one line on standard error."""
    from fettle.data.training_set import TrainingWarning

    def show(message: Warning | str, category: type[Warning], *rest: object) -> None:
        print(f"fettle: warning: {message}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("default", TrainingWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield
