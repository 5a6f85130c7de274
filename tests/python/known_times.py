"""Known times for measured ones: on a busy machine anything may win, or one thing everywhere."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path


def replace_times(store: Path, seconds: Callable[[str, str, dict[str, float]], float]) -> set[str]:
    """Makes every sample in a store what `seconds` says; the variants that have samples.

    `seconds` is asked with the variant, the arguments of the input and the features of the call.
    """
    with closing(sqlite3.connect(store)) as database, database:
        rows = database.execute(
            "SELECT sample.run, number, variant, value, arguments, features FROM sample "
            "JOIN example ON example.id = sample.example JOIN input ON input.id = example.input"
        ).fetchall()
        for run, number, variant, value, arguments, features in rows:
            time = seconds(variant, arguments, json.loads(features))
            times = json.dumps([time] * len(json.loads(value)))
            database.execute(
                "UPDATE sample SET value = ? WHERE run = ? AND number = ?", (times, run, number)
            )
    return {variant for _, _, variant, *_ in rows}
