"""Prints the requirements of a pyproject.toml, one a line: its own and those of named extras.

Usage: python_requirements.py pyproject.toml [extra...]. The extra `build` means what
[build-system] requires.
"""

import sys
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10: pip carries the same reader
    from pip._vendor import tomli as tomllib


def requirements(pyproject: Path, extras: list[str]) -> list[str]:
    """The requirements in the file's own order, without repetition."""
    table = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    project = table["project"]
    found = list(project["dependencies"])
    for extra in extras:
        if extra == "build":
            found += table["build-system"]["requires"]
        else:
            found += project["optional-dependencies"][extra]
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    print("\n".join(requirements(Path(sys.argv[1]), sys.argv[2:])))
