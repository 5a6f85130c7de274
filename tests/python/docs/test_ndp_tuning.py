"""The page on tuning names every option there is, and its code runs as far as it can."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

from fettle.cli import parser
from fettle.ndp_tuner import NdpTuner

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "ndp-tuning.md").read_text("utf-8")


def table() -> str:
    start = PAGE.index("| `NdpTuner` |")
    return PAGE[start : PAGE.index("\n\n", start)]


def test_every_option_of_the_tuner_is_named() -> None:
    named = {
        name
        for row in table().splitlines()[2:]
        for name in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    options = {field.name for field in fields(NdpTuner)} - {"display", "report"}
    assert named == options


def test_every_option_on_the_page_is_one_of_the_command_line() -> None:
    commands = re.findall(r"^fettle (ndp .*?)(?:\s+#.*)?$", PAGE, flags=re.MULTILINE)
    assert len(commands) >= 4
    for command in commands:
        parser().parse_args([word.strip("'") for word in command.split()])


def test_options_of_the_table_parse() -> None:
    switches = {"--no-feature-selection", "--embed-model"}
    values = {"--platform": "cuda", "--size": "small", "--classifier": "tree"}
    values["--quality"] = "own"
    numbers = {"--merge", "--jobs", "--calls", "--bound", "--coverage", "--confidence"}
    numbers.add("--check-every")
    named = re.findall(r"`(--[\w-]+)`", table())
    assert len(named) >= 18
    for name in named:
        value = [] if name in switches else [values.get(name, "1" if name in numbers else "x")]
        parser().parse_args(["ndp", "tune", "x.cpp", name, *value])


def test_python_blocks_are_python() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        ast.parse(block)


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert links
    for link in links:
        assert (ROOT / "docs" / link).exists(), link
