"""What Fettle needs on this machine, whether it is there, and how to get it."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import platform
import re
import shutil
import sys

from fettle.core.asked_tools import AskedTools
from fettle.core.check import Check
from fettle.ndp.platforms import platform_named, platform_names

PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "threadpoolctl",
    "libsvm-official",
    "matplotlib",
    "rich",
    "ninja",
)
PYTHON_MINIMUM = (3, 10)
CMAKE_MINIMUM = (3, 25)


def installation() -> list[Check]:
    """Look at everything; takes a second or two, as compilers are started."""
    tools = AskedTools()
    compiler = find_compiler()
    return [
        python_check(),
        *(package_check(name) for name in PACKAGES),
        native_check(),
        compiler_check(tools, compiler),
        cmake_check(tools),
        build_tool_check(tools),
        libsvm_check(tools, compiler),
        *(
            check
            for name in platform_names()
            for check in platform_named(name).checks(tools, compiler)
        ),
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
    return Check("fettle._native", True, bool(version), version, "tuning", remedy)


def find_compiler() -> str | None:
    """The C++ compiler that CMake would take: $CXX, or where it is not set c++, g++, clang++."""
    named = os.environ.get("CXX", "").split()
    names = named[:1] if len(named) == 1 else ["c++", "g++", "clang++"]  # not `ccache g++`
    return next((path for name in names if (path := shutil.which(name))), None)


def compiler_check(tools: AskedTools, compiler: str | None) -> Check:
    """A C++ compiler that knows concepts and string template arguments."""
    remedy = "apt-get install g++ (version 12 or newer), or set CXX to a C++20 compiler"
    version = ""
    named = os.environ.get("CXX", "")
    if compiler is None and named:
        remedy = f"CXX={named} names no program; unset it or name a C++20 compiler, such as g++"
    elif compiler is not None:
        first = tools.output([compiler, "--version"]).partition("\n")[0]
        # Fettle names things by string template arguments: what a C++20 compiler must have most.
        if "__cpp_nontype_template_args 201911" in tools.macros(compiler, ""):
            version = f"{first} ({compiler})"
        else:
            old = f"{compiler} ({first}) does not know C++20; {remedy}"
            remedy = tools.remedy(remedy, compiler) if tools.is_silent(compiler) else old
    return Check("C++20 compiler", True, bool(version), version, "the library", remedy)


def cmake_check(tools: AskedTools) -> Check:
    """CMake, new enough for workflow presets."""
    minimum = ".".join(map(str, CMAKE_MINIMUM))
    found = re.search(r"(\d+)\.(\d+)[.\d]*", tools.output(["cmake", "--version"]))
    new_enough = (
        bool(found) and tuple(map(int, found.groups())) >= CMAKE_MINIMUM if found else False
    )
    version = f"{found[0]} ({shutil.which('cmake')})" if found else ""
    remedy = f"apt-get install cmake, or pip install cmake (version {minimum} or newer)"
    remedy = tools.remedy(remedy, "cmake")
    if found and not new_enough:
        remedy = f"version {found[0]} is too old: {remedy}"
    return Check("CMake", True, new_enough, version, "building", remedy)


def build_tool_check(tools: AskedTools) -> Check:
    """Ninja, or else make."""
    versions = [
        f"{name} {match[0]}"
        for name in ("ninja", "make")
        if (match := re.search(r"\d+(\.\d+)+", tools.output([name, "--version"])))
    ]
    remedy = tools.remedy("apt-get install ninja-build", "ninja", "make")
    return Check("Ninja or make", True, bool(versions), ", ".join(versions), "building", remedy)


def libsvm_check(tools: AskedTools, compiler: str | None) -> Check:
    """libsvm's C header: the library itself does not use it."""
    source = "#if __has_include(<svm.h>)\n#include <svm.h>\n#else\n#include <libsvm/svm.h>\n#endif"
    match = re.search(r"LIBSVM_VERSION (\d+)", tools.macros(compiler, source))
    version = f"{int(match[1]) // 100}.{int(match[1]) % 100}" if match else ""
    purpose = "Fettle's own tests and benchmarks"
    remedy = tools.remedy("apt-get install libsvm-dev", compiler)
    return Check("libsvm (C)", False, bool(version), version, purpose, remedy)
