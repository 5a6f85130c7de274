"""Specifications: their text, what is wrong in one, and expressions."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from stencil_model import spec_named

from fettle.core.errors import FettleError
from fettle.search.grouped import Grouped, Specification, parse_specification, read_specification
from fettle.search.grouped.expression import parse_expression
from fettle.search.parameter import Parameter
from fettle.search.run import search
from fettle.search.space import Point, Space

HYBRID = """\
# Section 6.2.3
partition loading
restrict WX >= 16, WY <= 32, loading in ('local', "image # 2")  # section 8.3.4

set WY = 1, CX = N / WY, way = "keeping"
first tune WX, WY where WX * WY <= best.WX * 4
tune WX BX CX sample 20
later tune WX WY WZ keeping WX * WY * WZ where WX > min(WY, WZ)
repeat 2
"""


def test_a_specification_is_read_step_by_step() -> None:
    spec = parse_specification(HYBRID, "hybrid.txt")
    assert (spec.partition, spec.repetitions, spec.name) == ("loading", 2, "hybrid.txt")
    assert list(map(str, spec.restrictions)) == [
        "WX >= 16",
        "WY <= 32",
        "loading in ('local', \"image # 2\")",
    ]
    first, second, third = spec.groups
    assert (first.passes, first.parameters, first.line) == ("first", ("WX", "WY"), 6)
    assert first.where[0].of_best == ("WX",)
    assert (second.sample, second.keeping, second.where) == (20, (), ())
    assert (third.passes, str(third.keeping[0])) == ("later", "WX * WY * WZ")
    assert str(third.where[0]) == "WX > min(WY, WZ)"


@pytest.mark.parametrize("name", ["dimension", "optimization", "hybrid"])
def test_the_text_of_a_specification_gives_it_again(name: str) -> None:
    spec = spec_named(name)
    assert parse_specification(spec.text()) == spec
    assert (
        parse_specification(HYBRID).text()
        == parse_specification(parse_specification(HYBRID).text()).text()
    )


def test_the_paper_s_groupings_are_their_steps() -> None:
    assert spec_named("dimension").text() == (
        "partition loading\n"
        "set WY = 1, BY = 1, CY = 1, WZ = 1, BZ = 1, CZ = 1\n"
        "tune WX BX CX\ntune WY BY CY\ntune WZ BZ CZ\nrepeat 2\n"
    )
    assert spec_named("optimization").text() == (
        "partition loading\n"
        "set BY = 1, BZ = 1, CX = 1, CY = 1, CZ = 1\n"
        "first tune WX WY WZ\n"
        "later tune WX WY WZ CX CY CZ keeping WX * CX, WY * CY, WZ * CZ\n"
        "tune BX BY BZ\ntune CX CY CZ\nrepeat 2\n"
    )
    assert spec_named("hybrid").groups[:3] == spec_named("dimension").groups
    assert str(spec_named("hybrid").groups[3]) == "tune WX WY WZ keeping WX * WY * WZ"


def test_a_specification_can_be_built_and_carried() -> None:
    spec = Specification().partition_by("loading").set(WY=1, way="a b").restrict("WX > 1")
    spec = spec.tune("WX", "WY", sample=3).repeat(1)
    assert spec.text() == (
        "partition loading\nrestrict WX > 1\nset WY = 1, way = 'a b'\n"
        "tune WX WY sample 3\nrepeat 1\n"
    )
    assert pickle.loads(pickle.dumps(spec)) == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "tune a\ntnue b",
            "line 2: 'tnue' is not a step; did you mean 'tune'\\? a line begins with",
        ),
        (
            "tune a\n\nrepeat two",
            "line 3: 'repeat' is followed by a whole number .* not 'two'",
        ),
        ("tune", "line 1: 'tune' names no parameter"),
        ("tune a b a", "line 1: 'tune' names the parameter 'a' twice"),
        ("tune * a", "'tune \\*' is all parameters"),
        ("tune a sample 0", "whole number from 1, not '0'"),
        ("tune a sample " + "9" * 5000, "whole number from 1, not '999"),
        ("tune a where " + "-" * 5000 + "1", "line 1: .* too many operators within each other"),
        ("tune a sample", "'sample' is followed by one name, not by ''"),
        ("tune a keeping", "'keeping' is followed by nothing"),
        ("tune a where b > 1,", "or by an empty place at a comma"),
        ("tune a where b > 1 where c > 1", "'where' is there twice"),
        ("later a", "line 1: 'later' is followed by 'tune', not by 'a'"),
        ("set a", "expected NAME = VALUE, got 'a'"),
        ("set a = 1, a = 2", "'a' is set twice"),
        ("set a = 1 +", "'1 \\+' is not an expression: invalid syntax"),
        ("partition a b", "'partition' is followed by one name, not by 'a b'"),
        ("partition a\npartition b", "line 2: 'partition' is there twice"),
        ("tune a\nrepeat 1\ntune b", "line 3: 'tune b' comes after 'repeat'"),
        ("set a = 1", "no line 'tune NAME"),
        ("tune a where open('x')", "line 1: .*there are the functions min, max, abs, log2"),
        ("tune a where a.b > 1", "a dot stands after 'best' only"),
        ("tune a where best > 1", "write best.NAME"),
        ("tune a where [b for b in a]", "is not allowed; there are parameters"),
        ("tune a where b << 2", "is not allowed"),
        ("tune a where (lambda: 1)()", "there are the functions"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(FettleError, match=message):
        parse_specification(text, "s.txt")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match=r"none\.txt: no specification can be read"):
        read_specification(tmp_path / "none.txt")
    (tmp_path / "s.txt").write_text("tune a\nbad")
    with pytest.raises(FettleError, match=r"s\.txt, line 2: 'bad' is not a step"):
        read_specification(tmp_path / "s.txt")


def test_expressions() -> None:
    expression = parse_expression("a * best.b >= max(N, 3) and w != 'x'")
    assert (expression.names, expression.of_best) == (("a", "N", "w"), ("b",))
    assert expression.value({"a": 2, "N": 1, "w": "y"}, {"b": 2}) is True
    assert expression.value({"a": 1, "N": 1, "w": "y"}, {"b": 2}) is False
    assert parse_expression("log2(a) // 2 - -1").value({"a": 64}) == 4
    with pytest.raises(FettleError, match="'1 / a' cannot be calculated for a=0: division by zero"):
        parse_expression("1 / a").value({"a": 0})
    with pytest.raises(FettleError, match="'a \\+ 1' cannot be calculated for a='x'"):
        parse_expression("a + 1").value({"a": "x"})


@pytest.mark.parametrize(
    "text",
    [
        "-" * 5000 + "1",
        "not " * 2400 + "1",
        "+".join(["1"] * 5000),
        "1" + "**1" * 3000,
        "(" * 5000 + "1" + ")" * 5000,
        "a" * 10_001,
        "9" * 9000,
        "a and " * 100_000 + "a",
        "'x' * 1000000000",
        "(1, 2) * 1000000000",
        "'%01000000000d' % a",
        "a\0b",
        "'\ud800",
    ],
)
def test_expressions_that_are_too_much_are_refused(text: str) -> None:
    with pytest.raises(FettleError) as error:
        parse_expression(text)
    assert len(str(error.value)) < 20_500


@pytest.mark.parametrize("text", ["9**9**9**9", "2**10**9", "(-3)**a", "a**a**a**a > 1"])
def test_powers_that_are_too_large_are_refused(text: str) -> None:
    with pytest.raises(FettleError, match="a power has more than 1024 bits"):
        parse_expression(text).value({"a": 9999})


def test_powers() -> None:
    for text in ("2**10", "2**1023", "2.0**0.5", "2**-1", "0**5000", "(-1)**5000", "1**9999999"):
        assert parse_expression(text).value({}) == eval(text), text


@pytest.mark.parametrize("repetitions", [-1])
def test_builders_check(repetitions: int) -> None:
    with pytest.raises(FettleError, match="repetitions is -1"):
        Specification().repeat(repetitions)
    with pytest.raises(FettleError, match="'sample 0' measures nothing"):
        Specification().tune("a", sample=0)


def test_what_the_documentation_shows_works() -> None:
    page = Path(__file__).parents[4] / "docs" / "search.md"
    section = page.read_text().split("## Grouped search\n")[1].split("\n## ")[0]
    python, text, trading = (
        part.split("```")[0] for part in re.split("```(?:python|text)\n", section)[1:]
    )
    powers = (1, 2, 4, 8, 16, 32)
    space = Space(
        [
            Parameter("loading", ("global", "shared")),
            *(Parameter(f"{kind}_{axis}", powers) for axis in "xy" for kind in ("block", "grain")),
        ]
    )

    def measure(point: Point) -> float:
        blocks = abs(float(str(point["block_x"])) * float(str(point["block_y"])) - 64)
        return 1 + blocks + float(str(point["grain_x"])) + (point["loading"] == "global")

    scope: dict[str, Any] = {"space": space, "measure": measure}
    exec(python, scope)
    assert scope["best_two"] == ("shared", "global")
    assert scope["result"].best_value == 2
    for shown in (text, trading):
        spec = parse_specification(shown)
        strategy = Grouped(space, 0, spec=spec, constants={"LIMIT": 512})
        found = search(space, measure, strategy)
        assert found.best_value == 2
        assert found.best_point["block_x"] != 1
