"""Installs the Python package as a user would and uses it: `pip install ./python`, `fettle doctor`.

Usage: pip_install.py SOURCES FOLDER. FOLDER gets a copy of the sources, so that building leaves
nothing behind in them, and a virtual environment. pip uses what the running Python has installed
(--no-build-isolation, --no-deps): nothing is downloaded, nor looked up.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path


def main(sources: Path, folder: Path) -> None:
    """Copy, install, run; any step that fails ends the program with its status."""
    shutil.rmtree(folder, ignore_errors=True)
    copy = folder / "fettle"
    for part in ("include", "python"):
        shutil.copytree(sources / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))

    environment = folder / "venv"
    venv.create(environment, with_pip=False, symlinks=True)
    paths = {"base": str(environment), "platbase": str(environment)}
    site_packages = Path(sysconfig.get_path("purelib", "venv", vars=paths))
    (site_packages / "development.pth").write_text(sysconfig.get_path("purelib") + "\n")

    binaries = environment / "bin"
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*command: str | Path) -> None:
        print("$", *command, flush=True)
        subprocess.run(command, cwd=folder, env=clean, check=True)

    python = binaries / "python"
    offline = ["--no-index", "--disable-pip-version-check"]
    offline += ["--no-build-isolation", "--no-deps"]
    quickly = "--config-settings=cmake.define.CMAKE_CXX_FLAGS_RELEASE=-O0"
    run(python, "-m", "pip", "install", *offline, quickly, copy / "python")
    run(python, "-c", "import fettle._native; print(fettle._native.__file__)")
    headers = "from fettle.ndp.toolchain import include_directory as d; print(d())"
    run(python, "-c", f"{headers}; assert 'site-packages' in str(d())")
    run(binaries / "fettle", "--version")
    run(binaries / "fettle", "doctor")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]).absolute())
