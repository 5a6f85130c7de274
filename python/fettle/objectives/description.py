"""objectives.json: which metrics and objectives the models of a directory are of.

`write_description` is the one writer, `read_description` the one reader (docs/formats.md,
section 7). The first objective is the one of DIR/model.txt; the models of all that have a name are
in DIR/objective-NAME.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fettle.core.errors import MALFORMED, FettleError
from fettle.core.regular_file import read_regular
from fettle.core.wording import near_names
from fettle.core.written_file import write_whole
from fettle.objectives.aggregation import name_of
from fettle.objectives.bounds import parse_bounds
from fettle.objectives.metrics import Metrics, declare_metrics
from fettle.objectives.objective import DEFAULT, Objective, maximize, minimize

FILE = "objectives.json"
VERSION = 1
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Described:
    """The metrics and objectives of a model directory."""

    metrics: Metrics
    objectives: tuple[Objective, ...]

    def named(self, name: str | None, directory: Path) -> Objective:
        """An objective; the first one for None. Raises FettleError, with the names."""
        if name is None:
            return self.objectives[0]
        for one in self.objectives:
            if one.name == name:
                return one
        known = [one.name for one in self.objectives]
        hint = near_names(name, known, "its objectives")
        raise FettleError(f"{directory} has no objective {name!r}; {hint}")

    def model_of(self, objective: Objective, directory: Path) -> Path:
        """The directory of an objective's model."""
        return directory if objective.name == DEFAULT else objective_directory(directory, objective)


def objective_directory(directory: Path, objective: Objective) -> Path:
    """Where the model of a named objective is."""
    return directory / f"objective-{objective.name}"


def check_objectives(objectives: Sequence[Objective]) -> None:
    """Raises FettleError where there is none, for a name given twice, or one that cannot be part of
    a file's name."""
    if not objectives:
        raise FettleError(
            "no objective is given: --minimize EXPR, --maximize EXPR or --objective "
            "NAME='maximize EXPR'"
        )
    names = [one.name for one in objectives]
    for index, name in enumerate(names):
        if not _NAME.fullmatch(name):
            raise FettleError(
                f"{name!r} cannot be the name of an objective: letters, digits, _ and - can"
            )
        if name in names[:index]:
            raise FettleError(f"the objective {name!r} is given twice; give it another name")


def write_description(directory: Path, metrics: Metrics, objectives: Sequence[Objective]) -> None:
    """Writes the file into a model directory."""
    record = {
        "fettle_objectives": VERSION,
        "metrics": list(metrics.measured),
        "larger_is_better": [
            name for name in metrics.measured if metrics.directions[name] == "larger"
        ],
        "define": {name: one.text for name, one in metrics.defined.items()},
        "objectives": {one.name: _record(one) for one in objectives},
    }
    write_whole(directory / FILE, (json.dumps(record, indent=1) + "\n").encode())


def read_description(directory: Path) -> Described | None:
    """What a model directory is of; None where it has no such file. Raises FettleError for one of
    another version, or that is damaged."""
    path = directory / FILE
    if not path.exists():
        return None
    try:
        record = json.loads(read_regular(path))
        version = record["fettle_objectives"]
        if version != VERSION:
            raise FettleError(
                f"{path} is of version {version}, this fettle reads {VERSION}; train again, or use "
                "the fettle that wrote it"
            )
        metrics = declare_metrics(record["metrics"], record["define"], record["larger_is_better"])
        objectives = tuple(_objective(name, one) for name, one in record["objectives"].items())
    except OSError as error:
        raise FettleError(f"cannot read {path}: {error.strerror}; train again") from None
    except MALFORMED as error:
        raise FettleError(f"{path} is damaged ({error!r}); train again") from None
    check_objectives(objectives)
    return Described(metrics, objectives)


def _record(objective: Objective) -> dict[str, object]:
    record: dict[str, object] = {}
    if objective.expression is not None:
        record["maximize" if objective.maximize else "minimize"] = objective.expression.text
    else:
        assert objective.function is not None
        record["function"] = name_of(objective.function)
    if objective.bounds:
        record["subject_to"] = [bound.text for bound in objective.bounds]
    return record


def _objective(name: str, record: Mapping[str, object]) -> Objective:
    bounds = record.get("subject_to", [])
    assert isinstance(bounds, list)
    for verb, make in (("minimize", minimize), ("maximize", maximize)):
        if verb in record:
            return make(str(record[verb]), name=name, subject_to=bounds)
    return Objective(
        name, None, function=_Elsewhere(str(record["function"])), bounds=parse_bounds(bounds)
    )


class _Elsewhere:
    """An aggregation function of a tuning script, of which a file can keep the name only."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, reported: list[object]) -> object:
        raise FettleError(
            f"the objective is the function {self.__name__} of a tuning script, which is not here; "
            "judge by an expression"
        )
