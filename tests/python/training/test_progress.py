"""What people see: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import io

import pytest

from fettle.core.live_display import LiveDisplay
from fettle.core.progress import PlainDisplay, default_display


def stage(display: LiveDisplay | PlainDisplay) -> None:
    display.begin("spmv", 2)
    for name in ("a.mtx", "b.mtx"):
        display.input(name)
        display.variant("csr")
        display.advance()
    display.end()
    display.say("done [not markup]")


def test_plain_lines_have_no_control_characters() -> None:
    out = io.StringIO()
    stage(PlainDisplay(out))
    lines = out.getvalue().splitlines()
    assert lines[0] == "spmv: 2 inputs"
    assert lines[1].startswith("spmv: 2/2, ")
    assert lines[2] == "done [not markup]"
    assert "\x1b" not in out.getvalue()


def test_many_inputs_make_few_lines() -> None:
    out = io.StringIO()
    display = PlainDisplay(out)
    display.begin("spmv", 1000)
    for _ in range(999):
        display.advance()
    assert len(out.getvalue().splitlines()) == 1


def test_what_is_done_outside_of_a_stage_does_not_count() -> None:
    out = io.StringIO()
    display = PlainDisplay(out, every_seconds=0.0)
    stage(display)
    shown = out.getvalue()
    display.advance()
    assert out.getvalue() == shown, "not 3/2"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_live_bar_gives_the_cursor_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    out = Terminal()
    stage(LiveDisplay(out))
    shown = out.getvalue()
    assert "2/2" in shown
    assert "a.mtx" in shown
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l"), "the cursor is shown again"
    assert "done [not markup]" in shown


@pytest.mark.parametrize("name", ["NO_COLOR", "CI"])
def test_the_environment_can_ask_for_plain_lines(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    for other in ("NO_COLOR", "CI"):
        monkeypatch.delenv(other, raising=False)
    assert isinstance(default_display(), LiveDisplay)
    monkeypatch.setenv(name, "1")
    assert isinstance(default_display(), PlainDisplay)
