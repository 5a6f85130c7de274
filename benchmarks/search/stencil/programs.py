"""Builds the measuring program stencil_gpu, where nobody gives one."""

import os
import shutil
import subprocess
from pathlib import Path

from source import FOLDER


def toolkit() -> Path | None:
    """The CUDA toolkit's folder, by nvcc or at its usual place; None where NVRTC is not there."""
    nvcc = shutil.which("nvcc")
    places = [Path(nvcc).resolve().parent.parent] if nvcc else []
    for place in [*places, Path("/usr/local/cuda")]:
        if (place / "include" / "nvrtc.h").is_file():
            return place
    return None


def build(folder: Path) -> Path:
    """The program, compiled into the folder unless one newer than its sources is there."""
    program = folder / "stencil_gpu"
    sources = [*FOLDER.glob("*.hpp"), FOLDER / "stencil_gpu.cpp"]
    newest = max(source.stat().st_mtime for source in sources)
    if program.exists() and program.stat().st_mtime > newest:
        return program
    cuda = toolkit()
    if cuda is None:
        raise SystemExit("no CUDA toolkit with NVRTC was found: is nvcc in PATH?")
    libraries = cuda / "lib64"
    folder.mkdir(parents=True, exist_ok=True)
    command = [os.environ.get("FETTLE_CXX", "c++"), "-std=c++20", "-O2", "-isystem"]
    command += [str(cuda / "include"), str(FOLDER / "stencil_gpu.cpp"), "-o", str(program)]
    command += [f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lnvrtc", "-ldl", "-pthread"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\nfailed:\n{done.stderr}")
    return program
