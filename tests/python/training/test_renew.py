"""What of the measurements is deleted for a changed program, or for variants named to be fresh."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from stand_in import StandIn
from stand_in_measurer import Said, call, measurer_in, tell

from fettle.core.errors import FettleError
from fettle.training.measure import Measurer
from fettle.training.program import Input, ProgramError
from fettle.training.renew import check_fresh_variants, renew

NAMES = ("a", "b", "c")
COSTS = {"a": 2e-3, "b": 1e-3, "c": 3e-3}


class Program:
    """A stand-in of three variants, of which three inputs were measured."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.app = folder, StandIn(folder, variants=list(NAMES))
        self.inputs = [tell(folder, f"in{n}", call(n, **COSTS)) for n in range(3)]
        first = self.measurer()
        first.check_build()
        for given in self.inputs:
            first.measure(given)
        first.remember_build()
        first.store.close()

    def measurer(self, **options: Any) -> Measurer:
        """One whose display keeps what it says."""
        return measurer_in(self.folder, display=Said(), **options)

    def renewed(self, **options: Any) -> tuple[bool, str, dict[str, int]]:
        """Whether anything was deleted, what was said, and the measured inputs of each variant."""
        measurer = self.measurer(**options)
        measurer.check_build()
        found = renew(measurer, self.inputs)
        known = [one.verdicts for given in self.inputs for one in measurer.examples(given)]
        counts = {name: sum(name in its for its in known) for name in NAMES}
        assert isinstance(measurer.display, Said)
        said = "\n".join(measurer.display.lines)
        measurer.store.close()
        return found, said, counts


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


ALL = dict.fromkeys(NAMES, 3)


def test_the_program_that_was_measured_is_not_started(program: Program) -> None:
    before = len(program.app.runs("start"))
    assert program.renewed() == (False, "", ALL)
    assert len(program.app.runs("start")) == before


def test_another_build_that_behaves_the_same_keeps_all(program: Program) -> None:
    program.app.change(comment="another build")
    found, said, counts = program.renewed()
    assert (found, counts) == (False, ALL)
    assert "no variant is faster or slower beside the others" in said
    assert program.renewed() == (False, "", ALL), "it is the known program from then on"


def test_a_variant_that_became_faster_is_deleted_and_two_rivals_run_again(
    program: Program,
) -> None:
    program.app.change(now={"c": 0.1})
    found, said, counts = program.renewed()
    assert found
    assert "f: c has changed on 3 of 3 inputs that were measured again (in0: 3 ms then, " in said
    assert counts == {"a": 0, "b": 0, "c": 0}, "a and b calibrate the start in which c is measured"
    with_samples = program.measurer()
    samples = [set(with_samples.examples(given)[0].samples) for given in program.inputs]
    assert samples == [{"a", "b"}] * 3, "what was measured of them stays"


def test_a_variant_of_another_version_is_deleted_without_a_probe(program: Program) -> None:
    program.app.change(versions={"b": "2"})
    found, said, counts = program.renewed()
    assert found and counts["b"] == 0
    assert "f: b is of version 2 now, none was measured: it is measured anew" in said


def test_a_variant_that_is_new_deletes_nothing(program: Program) -> None:
    program.app.change(variants=[*NAMES, "d"])
    assert program.renewed()[::2] == (False, ALL)


def test_variants_named_to_be_fresh_are_deleted(program: Program) -> None:
    found, said, counts = program.renewed(fresh_variants=("b", "of another function"))
    assert found and counts["b"] == 0
    assert said == "f: b is measured anew on all inputs, as asked for"


def test_nothing_is_deleted_where_nothing_may_be_measured(program: Program) -> None:
    program.app.change(now={"c": 0.1})
    found = program.renewed(may_measure=False, fresh_variants=("b",))
    assert found == (False, "", ALL)


def test_features_with_other_values_are_deleted(program: Program) -> None:
    program.app.change(feature=2.0)
    found, said, _ = program.renewed()
    assert not found
    assert "f: features have other values than before; they are evaluated anew" in said


def test_a_name_that_no_function_has_is_refused(program: Program) -> None:
    measurer = program.measurer(fresh_variants=("b", "smal"))
    with pytest.raises(FettleError, match=r"no variant 'smal' to measure anew: f has a, b, c$"):
        check_fresh_variants([measurer], program.inputs)
    check_fresh_variants([program.measurer(fresh_variants=("b",))], program.inputs)


def test_a_program_that_was_never_measured_is_asked_what_it_has(tmp_path: Path) -> None:
    StandIn(tmp_path, variants=["a", "new"])
    given = tell(tmp_path, "x", call(1, a=1e-3, new=2e-3))
    check_fresh_variants([measurer_in(tmp_path, fresh_variants=("new",))], [given])
    (tmp_path / "y").write_text(json.dumps({"calls": [], "begin": "crash"}))
    broken = measurer_in(tmp_path, fresh_variants=("new",))
    with pytest.raises(ProgramError, match="the program trains 'f' for none of the inputs"):
        check_fresh_variants([broken], [Input("y", ("y",))])
    assert "crashed with SIG" in broken.warnings[0]
