"""What Fettle needs on this machine, whether it is there, and how to get it."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

PACKAGES = ("numpy", "scipy", "scikit-learn", "libsvm-official", "matplotlib", "rich", "ninja")
PYTHON_MINIMUM = (3, 10)
CMAKE_MINIMUM = (3, 25)


@dataclass(frozen=True)
class Check:
    """One thing that Fettle uses."""

    name: str
    needed: bool
    """False: only some uses need it; `purpose` says which."""
    found: bool
    version: str
    """Version, and where it was found, as far as they can be told; empty if it is missing."""
    purpose: str
    remedy: str
    """What to do where it is missing or too old."""


def installation() -> list[Check]:
    """Look at everything; takes a second or two, as compilers are started."""
    compiler = find_compiler()
    return [
        python_check(),
        *(package_check(name) for name in PACKAGES),
        native_check(),
        compiler_check(compiler),
        cmake_check(),
        build_tool_check(),
        openmp_check(compiler),
        onetbb_check(compiler),
        libsvm_check(compiler),
        cuda_check(),
        gpu_check(),
    ]


def python_check() -> Check:
    """The interpreter that runs this."""
    return Check(
        "Python",
        True,
        sys.version_info >= PYTHON_MINIMUM,
        f"{platform.python_version()} ({sys.executable})",
        "the tuner",
        "install Python 3.10 or newer",
    )


def package_check(name: str) -> Check:
    """A Python package that the tuner imports."""
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        version = ""
    remedy = f"{sys.executable} -m pip install {name}"
    return Check(f"Python package {name}", True, bool(version), version, "the tuner", remedy)


def native_check() -> Check:
    """The extension module: the C++ predictors and statistics, seen from Python."""
    remedy = "pip install ./python from Fettle's source tree, which builds it"
    try:
        module = importlib.import_module("fettle._native")
        version = str(getattr(module, "__file__", "built in"))
    except ImportError as error:
        version = ""
        if not isinstance(error, ModuleNotFoundError):
            remedy = f"it is there but does not load ({error}); build it again: {remedy}"
    return Check("fettle._native", True, bool(version), version, "training, evaluation", remedy)


def find_compiler() -> str | None:
    """The C++ compiler that CMake would take: $CXX, then c++, g++, clang++."""
    names = [os.environ.get("CXX", ""), "c++", "g++", "clang++"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


def compiler_check(compiler: str | None) -> Check:
    """A C++ compiler that knows concepts and string template arguments."""
    remedy = "apt-get install g++ (version 12 or newer), or set CXX to a C++20 compiler"
    version = ""
    if compiler is not None:
        first = output([compiler, "--version"]).partition("\n")[0]
        # Fettle names things by string template arguments: what a C++20 compiler must have most.
        if "__cpp_nontype_template_args 201911" in macros(compiler, ""):
            version = f"{first} ({compiler})"
        else:
            remedy = f"{compiler} ({first}) does not know C++20; {remedy}"
    return Check("C++20 compiler", True, bool(version), version, "the library", remedy)


def cmake_check() -> Check:
    """CMake, new enough for workflow presets."""
    minimum = ".".join(map(str, CMAKE_MINIMUM))
    found = re.search(r"(\d+)\.(\d+)[.\d]*", output(["cmake", "--version"]))
    new_enough = (
        bool(found) and tuple(map(int, found.groups())) >= CMAKE_MINIMUM if found else False
    )
    version = f"{found[0]} ({shutil.which('cmake')})" if found else ""
    remedy = f"apt-get install cmake, or pip install cmake (version {minimum} or newer)"
    if found and not new_enough:
        remedy = f"version {found[0]} is too old: {remedy}"
    return Check("CMake", True, new_enough, version, "building", remedy)


def build_tool_check() -> Check:
    """Ninja, or else make."""
    versions = [
        f"{name} {match[0]}"
        for name in ("ninja", "make")
        if (match := re.search(r"\d+(\.\d+)+", output([name, "--version"])))
    ]
    remedy = "apt-get install ninja-build"
    return Check("Ninja or make", True, bool(versions), ", ".join(versions), "building", remedy)


def openmp_check(compiler: str | None) -> Check:
    """OpenMP in the C++ compiler."""
    match = re.search(r"_OPENMP (\d+)", macros(compiler, "#include <omp.h>", "-fopenmp"))
    return Check(
        "OpenMP",
        False,
        match is not None,
        match[1] if match else "",
        "parallel variants, the SpMV example",
        "g++ has it; for clang++: apt-get install libomp-dev",
    )


def onetbb_check(compiler: str | None) -> Check:
    """The headers of oneTBB."""
    found = macros(compiler, "#include <tbb/version.h>")
    parts = [re.search(rf"TBB_VERSION_{part} (\d+)", found) for part in ("MAJOR", "MINOR")]
    version = ".".join(part[1] for part in parts if part)
    purpose = "features and constraints evaluated in parallel or asynchronously"
    return Check("oneTBB", False, bool(version), version, purpose, "apt-get install libtbb-dev")


def libsvm_check(compiler: str | None) -> Check:
    """libsvm's C header: the library itself does not use it."""
    source = "#if __has_include(<svm.h>)\n#include <svm.h>\n#else\n#include <libsvm/svm.h>\n#endif"
    match = re.search(r"LIBSVM_VERSION (\d+)", macros(compiler, source))
    version = f"{int(match[1]) // 100}.{int(match[1]) % 100}" if match else ""
    purpose = "Fettle's own tests and benchmarks"
    return Check("libsvm (C)", False, bool(version), version, purpose, "apt-get install libsvm-dev")


def cuda_check() -> Check:
    """NVIDIA's compiler."""
    match = re.search(r"release [\d.]+, V([\d.]+)", output(["nvcc", "--version"]))
    version = f"{match[1]} ({shutil.which('nvcc')})" if match else ""
    remedy = "install the CUDA toolkit, 12.4 or newer, and put its nvcc on PATH"
    return Check("CUDA compiler", False, bool(version), version, "variants on NVIDIA GPUs", remedy)


def gpu_check() -> Check:
    """A GPU that the driver sees."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    names = "; ".join(output(query).strip().splitlines())
    remedy = "tune on the machine that has the GPU, with NVIDIA's driver installed"
    return Check("NVIDIA GPU", False, bool(names), names, "running variants on NVIDIA GPUs", remedy)


def output(command: list[str], source: str = "") -> str:
    """What `command` prints; empty if it cannot be started, fails or takes longer than 20 s."""
    path = shutil.which(command[0])
    if path is None:
        return ""
    try:
        done = subprocess.run(
            [path, *command[1:]],
            input=source,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def macros(compiler: str | None, source: str, *flags: str) -> str:
    """All macros that `compiler` knows after reading `source` as C++20; empty if that fails."""
    if compiler is None:
        return ""
    command = [compiler, "-std=c++20", *flags, "-dM", "-E", "-x", "c++", "-"]
    return output(command, source + "\n")
