"""The C++ headers, pip, the package and its command state one version."""

from __future__ import annotations

import os
import re
from pathlib import Path

import fettle

ROOT = Path(os.environ["FETTLE_SOURCE_DIR"])


def stated(file: str, pattern: str) -> list[str]:
    return re.findall(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_all_state_the_same_version() -> None:
    header = "include/fettle/core/version.hpp"  # CMake reads it, too
    assert stated(header, r'^#define FETTLE_VERSION "(\S+)"$') == [fettle.__version__]
    assert stated("python/pyproject.toml", r'^version = "(\S+)"$') == [fettle.__version__]
