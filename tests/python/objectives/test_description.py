"""objectives.json: written, read back, and refused where it is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from fettle.core.errors import FettleError
from fettle.objectives.description import (
    FILE,
    check_objectives,
    read_description,
    write_description,
)
from fettle.objectives.metrics import declare_metrics
from fettle.objectives.objective import aggregate, maximize, minimize


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    of = declare_metrics(["seconds", "keys"], {"rate": "keys / seconds"}, ["keys"])
    objectives = [
        maximize("rate", name="fast"),
        minimize("seconds", name="eco", subject_to=["keys >= 2", "seconds < 1.1 * best(seconds)"]),
        aggregate(max, name="own"),
    ]
    assert read_description(tmp_path) is None
    write_description(tmp_path, of, objectives)
    found = read_description(tmp_path)
    assert found is not None
    assert found.metrics.directions == of.directions
    assert [str(one) for one in found.objectives] == [str(one) for one in objectives]
    assert found.named(None, tmp_path).name == "fast"
    assert found.model_of(found.named("eco", tmp_path), tmp_path) == tmp_path / "objective-eco"
    with pytest.raises(FettleError, match="no objective 'ecco'; did you mean 'eco'"):
        found.named("ecco", tmp_path)
    own = found.objectives[2].function
    assert own is not None
    with pytest.raises(FettleError, match="the function max of a tuning script"):
        own([])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "damaged"),
        ("[]", "damaged"),
        ('{"fettle_objectives": 2}', "is of version 2"),
        ('{"fettle_objectives": 1, "metrics": 3}', "damaged"),
        (
            '{"fettle_objectives": 1, "metrics": ["a"], "define": {}, "larger_is_better": [], '
            '"objectives": {}}',
            "no objective is given",
        ),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(FettleError, match=said):
        read_description(tmp_path)


def test_names_that_are_no_part_of_a_path_are_refused() -> None:
    with pytest.raises(FettleError, match="cannot be the name of an objective"):
        check_objectives([minimize("a", name="../x")])
    with pytest.raises(FettleError, match="given twice"):
        check_objectives([minimize("a", name="x"), minimize("b", name="x")])
