"""The harness itself: every way in which it could pass although something is wrong."""

import os
from pathlib import Path

import pytest
from check import Case, CheckError, check, groups_of, is_clang

COMPILER = [os.environ.get("FETTLE_CXX", "c++")]
GOOD = """
template <class T> void f(T) { static_assert(sizeof(T) > 1, "f needs more than one byte"); }
void twin() { f(1); }
// expect: static assertion failed.*f needs more than one byte
#ifdef CASE_one_byte
void misuse() { f('c'); }
#endif
"""


def check_text(folder: Path, text: str) -> list[str]:
    file = folder / "case.cpp"
    file.write_text(text)
    return check(file, folder, COMPILER)


def test_a_right_file_passes(tmp_path: Path) -> None:
    assert check_text(tmp_path, GOOD) == ["CASE_one_byte"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("f('c')", "f(2)", "CASE_one_byte: compiles"),
        ("more than one byte\n#", "two bytes\n#", "fails without the message"),
        ("f('c')", "f(g)", "fails without the message"),
        ("void twin() { f(1); }", "void twin() { f('c'); }", "passing twin does not compile"),
        ("// expect: ", "// wants: ", "has no `// expect:` line"),
        ("#ifdef CASE_one_byte\n", "\n#ifdef CASE_one_byte\n", "right above"),
        ("CASE_one_byte", "SOMETHING", "right above"),
    ],
)
def test_a_wrong_file_fails(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in GOOD
    with pytest.raises(CheckError, match=problem):
        check_text(tmp_path, GOOD.replace(old, new))


def test_a_case_may_have_flags(tmp_path: Path) -> None:
    text = GOOD.replace("'c'", "GIVEN()")
    text = text.replace("CASE_one_byte", "CASE_one_byte  // with -DGIVEN=char -DU")
    assert check_text(tmp_path, text) == ["CASE_one_byte"]
    with pytest.raises(CheckError, match="CASE_one_byte: compiles"):
        check_text(tmp_path, text.replace("=char", "=int"))


def test_cases_of_any_line_are_compiled_together() -> None:
    first, second = Case("one", None), Case("two", None)
    cases = {"A": first, "B": Case("three", 10), "C": second, "D": Case("four", None, ["-O1"])}
    cases["E"] = Case("five", None, alone=True)
    assert groups_of(cases) == [["A", "C"], ["B"], ["D"], ["E"]]
    with pytest.raises(
        CheckError, match="A: another case, compiled with it, expects the same: one"
    ):
        groups_of({"A": first, "B": first})


NOISY = """
#define NOISE
template <class T> void f(T) { NOISE static_assert(sizeof(T) > 1, "f needs more bytes"); }
// expect: static assertion failed.*f needs more bytes
#ifdef CASE_one_byte
void misuse() { f('c'); }
#endif
"""


def test_the_message_must_be_the_first_error(tmp_path: Path) -> None:
    assert check_text(tmp_path, NOISY) == ["CASE_one_byte"]
    text = NOISY.replace("define NOISE\n", "define NOISE typename T::absent other;\n")
    with pytest.raises(CheckError, match="CASE_one_byte: another error comes before the message"):
        check_text(tmp_path, text)
    assert check_text(tmp_path, text.replace("expect:", "expect somewhere:")) == ["CASE_one_byte"]


@pytest.mark.skipif(is_clang(COMPILER), reason="clang prints its context after the message")
def test_few_lines_follow_the_message(tmp_path: Path) -> None:
    text = NOISY.replace("f('c');", "f('c'); f(true); f(u8'c');")
    with pytest.raises(CheckError, match="lines follow the message, which should be at most 10"):
        check_text(tmp_path, text)
    assert check_text(tmp_path, text.replace("expect:", "expect within 99 lines:"))


def test_a_file_without_cases_fails(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="no case"):
        check_text(tmp_path, "int main() {}\n")


def test_the_expectation_in_the_source_does_not_count(tmp_path: Path) -> None:
    text = "// expect: nonsense_message\n#ifdef CASE_x\nint x = nonsense;  // {}\n#endif\n"
    with pytest.raises(CheckError, match="fails without the message"):
        check_text(tmp_path, text.format("nonsense_message"))
