"""Partition models as files: JSON, with numbers that read back as they were.

    {"format": "fettle partition model", "version": 1, "parameter": "loading", "learns": "share",
     "values": ["global", "shared"], "columns": [["size", null], ["unique", "x"]],
     "trees": [{"feature": [0, -1, -1], "threshold": [9.0, -2.0, -2.0],
                "left": [1, -1, -1], "right": [2, -1, -1], "value": [[...], [...], [...]]}]}

`columns` are pairs of a feature and the word that it is compared with, null for numbers.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from fettle.core.errors import MALFORMED, FettleError
from fettle.core.written_file import write_whole
from fettle.search.grouped.partition_model import Column, GrownTree, PartitionModel

_FORMAT = "fettle partition model"
_VERSION = 1
_ARRAYS = ("feature", "threshold", "left", "right", "value")


def save_model(model: PartitionModel, path: Path) -> None:
    """Write a model. FettleError where the file cannot be written, or JSON cannot say a value."""
    strange = [v for v in model.values if not isinstance(v, str | int | float | bool)]
    if strange:
        raise FettleError(
            f"{path}: the value {strange[0]!r} of {model.parameter} is not a number or word"
        )
    record = {
        "format": _FORMAT,
        "version": _VERSION,
        "parameter": model.parameter,
        "learns": model.learns,
        "values": model.values,
        "columns": [[column.feature, column.word] for column in model.columns],
        "trees": [{name: getattr(tree, name) for name in _ARRAYS} for tree in model.trees],
    }
    try:
        write_whole(path, (json.dumps(record, allow_nan=False) + "\n").encode())
    except OSError as error:
        raise FettleError(f"{path}: the model cannot be written: {error}") from error


def load_model(path: Path) -> PartitionModel:
    """Read a model. FettleError, with what is wrong, for what `save_model` has not written."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, *MALFORMED) as error:
        raise FettleError(f"{path}: no partition model can be read: {error}") from error
    if not isinstance(record, dict) or record.get("format") != _FORMAT:
        raise FettleError(f"{path} is not a partition model: its format is not {_FORMAT!r}")
    if record.get("version") != _VERSION:
        raise FettleError(
            f"{path} is of version {record.get('version')!r}, and {_VERSION} is read; train again"
        )
    try:
        columns = tuple(Column(str(f), None if w is None else str(w)) for f, w in record["columns"])
        model = PartitionModel(
            str(record["parameter"]),
            tuple(record["values"]),
            columns,
            tuple(_tree(tree, len(columns), len(record["values"])) for tree in record["trees"]),
            "label" if record["learns"] == "label" else "share",
        )
    except MALFORMED as error:
        raise FettleError(f"{path} is damaged ({error!r}); train again") from error
    if not model.trees or not model.values:
        raise FettleError(f"{path} has no trees or no values; train again")
    return model


def _tree(record: Any, columns: int, values: int) -> GrownTree:
    tree = GrownTree(
        tuple(map(int, record["feature"])),
        tuple(map(float, record["threshold"])),
        tuple(map(int, record["left"])),
        tuple(map(int, record["right"])),
        tuple(tuple(map(float, row)) for row in record["value"]),
    )
    count = len(tree.feature)
    if count == 0 or {len(getattr(tree, name)) for name in _ARRAYS} != {count}:
        raise ValueError("arrays of different lengths")
    for node, (feature, left, right) in enumerate(
        zip(tree.feature, tree.left, tree.right, strict=True)
    ):
        if not -1 <= feature < columns:
            raise ValueError(f"input {feature} of {columns}")
        # Children after their parent, so that every walk ends.
        if feature >= 0 and not (node < left < count and node < right < count):
            raise ValueError(f"node {node} has the children {left} and {right}")
        if len(tree.value[node]) != values or not all(map(math.isfinite, tree.value[node])):
            raise ValueError(f"node {node} has the values {tree.value[node]}")
    return tree
