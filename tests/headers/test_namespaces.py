"""Every header's namespaces are those of core/abi.hpp, which keep files with other flags apart."""

from __future__ import annotations

import os
import re
from pathlib import Path

HEADERS = Path(os.environ["FETTLE_SOURCE_DIR"]) / "include"
OPENING = re.compile(r"^\s*namespace (fettle\S*.*) \{", re.MULTILINE)
WANTED = re.compile(
    r"fettle::inline FETTLE_ABI(::(?!ndp)\w+|::ndp::inline FETTLE_NDP_ABI(::\w+)*)*"
)


def opened_namespaces() -> list[tuple[Path, str]]:
    """Each namespace fettle... that a header opens."""
    headers = [path for path in HEADERS.rglob("*") if path.is_file()]
    return [(path, name) for path in headers for name in OPENING.findall(path.read_text())]


def test_all_are_inline_in_the_version_and_what_kernels_depend_on() -> None:
    opened = opened_namespaces()
    assert len(opened) > 200
    wrong = [f"{path}: {name}" for path, name in opened if not WANTED.fullmatch(name)]
    assert wrong == []
